"""Blind review: what others think of a case is hidden until the decision, so that nobody leans on it."""

from dataclasses import replace

from builder.model.case import Case
from builder.review.desk import Item
from builder.review.fields import sections
from builder.review.sections import Entry, Section
from builder.review.state import State
from builder.words import Words

HIDDEN = frozenset({"verify", "closed_book", "without_group", "leakage"})
"""Checks that say what a model thinks, or how far the question gives its source away."""


def hidden(state: State) -> int:
    """How much of the case at hand is hidden."""
    return len(_hidden(state))


def seen(state: State) -> Item | None:
    """The item at hand as the reviewer may see it."""
    item, hidden = state.item, _hidden(state)
    if item is None or not hidden:
        return item
    checks = tuple(check for check in item.case.checks if check.name not in HIDDEN)
    note = "" if "note" in hidden else item.case.note
    return replace(item, case=item.case.replace(checks=checks, note=note))


def shown(state: State, say: Words) -> tuple[Section, ...]:
    """The sections of the case at hand, with a line that says how much is hidden."""
    item = seen(state)
    if item is None:
        return ()
    hidden = _hidden(state)
    note = (
        (Section("hidden", say("review.field.hidden"), (Entry(say("review.hidden", count=len(hidden)), "dim"),)),)
        if hidden
        else ()
    )
    return (*sections(item.case, say), *note)


def revealed(state: State) -> State:
    """Shown, or hidden again."""
    return replace(state, revealed=not state.revealed)


def with_note(case: Case, state: State, changes: dict[str, object]) -> dict[str, object]:
    """Changes of a form in which the note was hidden: what was written stands below it, not in its place."""
    if "note" not in changes or "note" not in _hidden(state):
        return changes
    return changes | {"note": f"{case.note}\n{changes['note']}".strip()}


def _hidden(state: State) -> tuple[str, ...]:
    """Names of what is hidden: checks, and `note`."""
    if not state.blind or state.revealed or state.item is None or state.item.case.case_id in state.verdicts:
        return ()
    case = state.item.case
    names = tuple(check.name for check in case.checks if check.name in HIDDEN)
    foreign = case.note.strip() and state.item.note_by != state.reviewer
    return (*names, "note") if foreign else names
