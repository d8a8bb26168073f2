"""What scoring gives: figures per case and answer, and figures per metric and slice with what they rest on."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import Field

from builder.model.record import Record

ALL = "all"
"""The slice that holds every case."""


@dataclass(frozen=True, slots=True)
class Value:
    """One figure of one answer: a number, or why there is none. A failed or missing answer is 0, never left out."""

    number: float | None
    """The figure; none where the answer is excluded from this metric."""
    reason: str = ""
    """Why it is excluded (a key below `score.excluded`), or what was wrong with an answer that counts 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerScore:
    """The figures of one answer."""

    case_id: str
    """The case."""
    repeat: int
    """Which time it was asked, from 1."""
    values: Mapping[str, Value]
    """By metric name, `recall@5`."""
    flags: frozenset[str] = frozenset()
    """What else is to be known: missing_run, error, duplicate_ids, unknown_ids, status_derived, … ."""


class Interval(Record):
    """Where the true figure may lie."""

    low: float
    """Lower end."""
    high: float
    """Upper end."""
    how: str
    """wilson or bootstrap (clustered by document family), at 95 %."""


class MetricRow(Record):
    """One metric on one slice."""

    name: str
    """Name of the metric."""
    value: float | None
    """Mean over the cases (a case asked several times counts once, with its mean); none where n is 0."""
    n: int
    """Cases that it rests on."""
    interval: Interval | None = None
    """Its interval; none below 2 cases."""
    by: str = ALL
    """What the slice is cut by: source, type, style, risk, …; all."""
    slice: str = ALL
    """Which one of these."""
    few: bool = False
    """Fewer than 20 cases: read with care."""
    smallest_drop: float | None = None
    """The smallest paired drop that so many cases can show with 80 % power."""
    excluded: dict[str, int] = Field(default_factory=dict)
    """Cases left out, by reason."""


class Scores(Record):
    """A scored run."""

    run: str
    """Name of the run."""
    snapshot: str
    """Name of the snapshot."""
    snapshot_hash: str
    """Its content hash."""
    cases: int
    """Cases of the snapshot that were to be asked."""
    repeats: int = 1
    """How often each was asked."""
    seed: int = 0
    """Seed of the resamples that intervals rest on."""
    metrics: tuple[MetricRow, ...]
    """All metrics on all slices."""
    flags: dict[str, int] = Field(default_factory=dict)
    """Answers with something to be known, by flag."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """Everything that scoring found: the figures, and the answers that they come from."""

    scores: Scores
    """Per metric and slice."""
    answers: tuple[AnswerScore, ...] = field(default=())
    """Per answer, in the order of case id and repeat."""
