"""Which cases are walked, in which order: risk first, then failed checks, then a fixed shuffle."""

from collections.abc import Callable, Iterable
from enum import StrEnum
from operator import itemgetter
from typing import TypeVar
from zlib import crc32

from builder.curate.filters import ANY, NONE, Filter, matches, parse
from builder.model.case import Case, DisabledReason, ReviewState, Source
from builder.store import Store
from builder.store.cases import urgency

Kind = TypeVar("Kind", bound=StrEnum)

_OPEN = (ReviewState.UNREVIEWED, ReviewState.NEEDS_ANSWER)
_STALE = (DisabledReason.STALE_CHECK, DisabledReason.STALE_CHANGED, DisabledReason.STALE_GONE)
_PLAIN = {"type": "question_type", "risk": "risk"} | {name: name for name in ("style", "split", "family", "audience")}
"""Conditions whose values are written as they are asked for, and their fields."""
_STATES = frozenset({"state", "review_state", "disabled", "disabled_reason", "reject_reason"})
"""A filter that speaks of these means cases of every state."""


def queue(store: Store, dataset: str, expression: str = "", seed: int = 0) -> tuple[str, ...]:
    """Ids of the cases that wait for a person and fit the expression; of any state where it asks for one.

    Approved cases whose source changed wait, too: a person must look again. The shuffle is the same for the same seed,
    whatever has left the queue.

    Raises:
        InputError: the expression is none.
    """
    wanted = parse(expression)
    shuffled = _shuffle(seed)
    if not wanted:
        groups = store.cases.queue(dataset, _OPEN, _STALE)
        return tuple(case_id for group in groups for case_id in sorted(group, key=shuffled))
    cases = sorted(_cases(store, dataset, wanted), key=lambda case: (urgency(case), shuffled(case.case_id)))
    return tuple(case.case_id for case in cases)


def waits(case: Case) -> bool:
    """A person must look at the case."""
    return case.review_state in _OPEN or (case.review_state is ReviewState.APPROVED and case.disabled_reason in _STALE)


def fitting(cases: Iterable[Case], wanted: Filter) -> tuple[Case, ...]:
    """The cases that a queue of this filter holds."""
    every = any(wanted.names(name) for name in _STATES)
    return tuple(case for case in cases if (every or waits(case)) and matches(case, wanted))


def _cases(store: Store, dataset: str, wanted: Filter) -> tuple[Case, ...]:
    """The store reads only what fits those conditions that it understands; all of them are then asked here."""
    states, sources = _members(wanted, "state", ReviewState), _members(wanted, "source", Source)
    fields = {field: values for name, field in _PLAIN.items() if (values := _values(wanted, name))}
    return fitting(store.cases.list(dataset, states=states, sources=sources, fields=fields), wanted)


def _members(wanted: Filter, name: str, kind: type[Kind]) -> tuple[Kind, ...]:
    return tuple(map(kind, _values(wanted, name)))


def _values(wanted: Filter, name: str) -> tuple[str, ...]:
    """The values that the filter asks for by name, as they are written; none where it asks more loosely."""
    terms = [term for term in wanted.terms if term.name == name and term.wanted]
    return terms[0].values if terms and not {ANY, NONE, ""} & set(terms[0].values) else ()


def _shuffle(seed: int) -> Callable[[str], str]:
    """The order within a group. Ids are hashes, so they are a shuffle themselves, but for the letter in front."""
    if seed == 0:
        return itemgetter(slice(1, None))
    salt = crc32(str(seed).encode())
    return lambda case_id: f"{crc32(case_id.encode(), salt):08x}{case_id}"
