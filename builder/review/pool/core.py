"""What a key does: a state and a key give a state and at most one wish."""

from collections.abc import Callable
from dataclasses import replace

from builder.model.case import Case, HardNegative
from builder.model.decision import Action, Decision
from builder.review.desk import Passage
from builder.review.groups import cleared, joined, overlap
from builder.review.keys import DIGITS
from builder.review.negatives import REASON_KEYS, REASONS
from builder.review.pool.state import Arrive, Commit, Effect, Kind, Said, State, Undo

Step = tuple[State, Effect]
KEYS = ("a", "n", "x", "s", "u", "?", "q")
"""In the order in which they are told; the words are below `pool.key.`."""
OTHER = REASON_KEYS[-1]
"""The reason where none is chosen."""
_LEAVE = ("q", "hangup", "ctrl-c")


def update(state: State, key: str) -> Step:
    """The state after a key, and what is to be done."""
    state = replace(state, said=())
    if key in _LEAVE:
        return replace(state, over=True), None
    if state.reason:
        return _reasoned(replace(state, reason=False), key)
    if key == "u":
        return (state, Undo()) if state.done else _told(state, "nothing_to_undo")
    if key == "?":
        return _told(state, "keys")
    if state.item is None or state.at is None:
        return _told(state, "finished")
    if key in DIGITS:
        return _focused(state, state.item.case, int(key) - 1)
    act = _ACTS.get(key)
    return act(state, state.item.case, state.at.passage) if act else _told(state, "unknown_key", key=key)


def _also(state: State, case: Case, passage: Passage) -> Step:
    groups = case.evidence_groups
    news = joined(groups, state.group, passage.evidence) if groups else ((passage.evidence,),)
    return state, Commit(_edit({"evidence_groups": news} | cleared(case, news)), Kind.ALSO)


def _needed(state: State, case: Case, passage: Passage) -> Step:
    news = (*case.evidence_groups, (passage.evidence,))
    return state, Commit(_edit({"evidence_groups": news} | cleared(case, news)), Kind.NEEDED)


def _wrong(state: State, case: Case, passage: Passage) -> Step:
    if any(overlap(passage.evidence, one) for one in (*case.evidence, *case.required_citations)):
        return _told(state, "evidence_is_right")
    return replace(state, reason=True), None


def _skip(state: State, case: Case, passage: Passage) -> Step:
    return state, Arrive(state.place + 1)


def _reasoned(state: State, key: str) -> Step:
    if state.item is None or state.at is None or key not in REASON_KEYS:
        return _told(state, "cancelled")
    row = HardNegative(evidence=state.at.passage.evidence, reason=REASONS[REASON_KEYS.index(key)])
    return state, Commit(_edit({"hard_negatives": (*state.item.case.hard_negatives, row)}), Kind.WRONG)


def _focused(state: State, case: Case, group: int) -> Step:
    count = len(case.evidence_groups)
    if group >= count:
        return _told(state, "no_such_group", count=count)
    return _told(replace(state, group=group), "group", group=group + 1)


def _edit(changes: dict[str, object]) -> Decision:
    return Decision(action=Action.EDIT, changes=changes)


def _told(state: State, key: str, /, **values: object) -> Step:
    return replace(state, said=(*state.said, Said(key, values))), None


_ACTS: dict[str, Callable[[State, Case, Passage], Step]] = {"a": _also, "n": _needed, "x": _wrong, "s": _skip}
