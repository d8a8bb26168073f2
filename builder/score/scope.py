"""Which cases a run was to ask: what is missing of these is a failure, what is not among them is not."""

from collections.abc import Iterable

from builder.model.case import Case, Split
from builder.model.run import RunHeader
from builder.text.ids import digest


def cases_of(header: RunHeader, cases: Iterable[Case]) -> tuple[Case, ...]:
    """The cases of a snapshot that the run with this header was to ask, by id."""
    return in_scope(cases, splits=header.splits, limit=header.limit, seed=header.seed or 0)


def in_scope(
    cases: Iterable[Case], *, splits: tuple[Split, ...] = (), limit: int | None = None, seed: int = 0
) -> tuple[Case, ...]:
    """The cases of `splits` (none: all), at most `limit`, by id.

    Those within a limit are drawn by a hash of seed and id: a smaller limit gives a part of what a larger one gives,
    whatever else is in the snapshot.
    """
    chosen = [case for case in cases if not splits or case.split in splits]
    if limit is not None and limit < len(chosen):
        chosen = sorted(chosen, key=lambda case: digest(str(seed), case.case_id))[:limit]
    return tuple(sorted(chosen, key=lambda case: case.case_id))
