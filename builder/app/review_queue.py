"""Which cases are walked, in which order: risk first, then failed checks, then a fixed shuffle."""

from collections.abc import Iterable
from enum import StrEnum
from typing import TypeVar
from zlib import crc32

from builder.curate.filters import ANY, NONE, Filter, matches, parse
from builder.model.case import Case, CheckOutcome, DisabledReason, ReviewState, Source
from builder.store import Store
from builder.store.cases import Head

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
    heads = _heads(store, dataset, wanted) if wanted else _waiting(store, dataset)
    return tuple(head.case_id for head in sorted(heads, key=lambda head: _order(head, seed)))


def waits(case: Case) -> bool:
    """A person must look at the case."""
    return case.review_state in _OPEN or (case.review_state is ReviewState.APPROVED and case.disabled_reason in _STALE)


def fitting(cases: Iterable[Case], wanted: Filter) -> tuple[Case, ...]:
    """The cases that a queue of this filter holds."""
    every = any(wanted.names(name) for name in _STATES)
    return tuple(case for case in cases if (every or waits(case)) and matches(case, wanted))


def _waiting(store: Store, dataset: str) -> tuple[Head, ...]:
    heads = store.cases.heads(dataset, (*_OPEN, ReviewState.APPROVED))
    return tuple(head for head in heads if head.review_state != ReviewState.APPROVED or head.disabled_reason in _STALE)


def _heads(store: Store, dataset: str, wanted: Filter) -> tuple[Head, ...]:
    """The store reads only what fits those conditions that it understands; all of them are then asked here."""
    states, sources = _members(wanted, "state", ReviewState), _members(wanted, "source", Source)
    fields = {field: values for name, field in _PLAIN.items() if (values := _values(wanted, name))}
    return tuple(map(_head, fitting(store.cases.list(dataset, states=states, sources=sources, fields=fields), wanted)))


def _members(wanted: Filter, name: str, kind: type[Kind]) -> tuple[Kind, ...]:
    return tuple(map(kind, _values(wanted, name)))


def _values(wanted: Filter, name: str) -> tuple[str, ...]:
    """The values that the filter asks for by name, as they are written; none where it asks more loosely."""
    terms = [term for term in wanted.terms if term.name == name and term.wanted]
    return terms[0].values if terms and not {ANY, NONE, ""} & set(terms[0].values) else ()


def _head(case: Case) -> Head:
    found = {check.outcome for check in case.checks}
    return Head(
        case.case_id,
        case.review_state,
        case.disabled_reason,
        case.risk,
        CheckOutcome.FAIL in found,
        CheckOutcome.WARN in found,
    )


def _order(head: Head, seed: int) -> tuple[bool, bool, bool, int, str]:
    shuffled = crc32(head.case_id.encode(), crc32(str(seed).encode()))
    return not head.risk, not head.failed, not head.warned, shuffled, head.case_id
