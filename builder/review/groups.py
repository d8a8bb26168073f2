"""Evidence groups by keys: all groups are needed, within a group any piece is enough."""

from dataclasses import replace

from builder.model.case import Case, Evidence
from builder.model.parts import spans
from builder.review.acts import case_of, edit, told, warned
from builder.review.desk import Passage
from builder.review.keys import DIGITS
from builder.review.state import Doing, Message, Mode, State, Step

Groups = tuple[tuple[Evidence, ...], ...]


def overlap(one: Evidence, other: Evidence) -> bool:
    """True where two pieces of evidence share text."""
    if (one.doc_id, one.reading_id) != (other.doc_id, other.reading_id):
        return False
    return any(
        left.page == right.page and left.start < right.end and right.start < left.end
        for left in spans(one.parts)
        for right in spans(other.parts)
    )


def group_of(groups: Groups, place: int) -> int:
    """The group that holds the piece at `place`, counted through all groups; the last one where there is no such."""
    for number, group in enumerate(groups):
        if place < len(group):
            return number
        place -= len(group)
    return len(groups) - 1


def joined(groups: Groups, number: int, evidence: Evidence) -> Groups:
    """`evidence` as an alternative of group `number`, and nowhere else."""
    kept = (tuple(one for one in group if one != evidence) for group in groups)
    news = ((*group, evidence) if place == number else group for place, group in enumerate(kept))
    return tuple(group for group in news if group)


def turned(groups: Groups, place: int) -> Groups:
    """The piece at `place` out of its group, or where it stands alone joined to the group before it (else behind)."""
    number = group_of(groups, place)
    group = groups[number]
    at = place - sum(map(len, groups[:number]))
    if len(group) > 1:
        rest = (*group[:at], *group[at + 1 :])
        return (*groups[:number], rest, (group[at],), *groups[number + 1 :])
    first = max(0, number - 1)
    return (*groups[:first], tuple(one for pair in groups[first : first + 2] for one in pair), *groups[first + 2 :])


def cleared(case: Case, groups: Groups) -> dict[str, object]:
    """What an edit to `groups` must change besides: a passage that is evidence is no hard negative."""
    chosen = [one for group in groups for one in group]
    left = tuple(row for row in case.hard_negatives if not any(overlap(row.evidence, one) for one in chosen))
    return {"hard_negatives": left} if left != case.hard_negatives else {}


def numbered(state: State) -> tuple[Passage, ...]:
    """The passages that digits mean now: offers, or siblings of the evidence."""
    return state.offers if state.offering else state.item.siblings if state.item else ()


def chosen(state: State, key: str) -> Passage | None:
    """The passage that a digit means; none where it is no digit, or there are fewer passages."""
    passages = numbered(state)
    return passages[int(key) - 1] if key in DIGITS and int(key) <= len(passages) else None


def pin(state: State, key: str) -> Step:
    """Take the numbered offer as evidence that is needed too, or take it back; a sibling becomes an alternative."""
    passage = chosen(state, key)
    if passage is None:
        return _no_such(state)
    if not state.offering:
        return _join(state, passage, key)
    groups = case_of(state).evidence_groups
    there = any(passage.evidence in group for group in groups)
    less = tuple(kept for group in groups if (kept := tuple(one for one in group if one != passage.evidence)))
    said = Message("unpinned" if there else "pinned", {"number": key})
    return _regrouped(state, Doing.PIN, less if there else (*groups, (passage.evidence,)), said)


def alternative(state: State) -> Step:
    """Ask for the offer that is as good as the evidence in focus; or turn that from needed too to as good, and back."""
    case = case_of(state)
    if not case.evidence_groups:
        return warned(state, "alternative_to_nothing")
    if state.offering:
        return replace(state, mode=Mode.ALTERNATIVE), None
    if len(case.evidence) == 1:
        return warned(state, "only_evidence")
    groups = turned(case.evidence_groups, state.focus)
    said = Message("grouped" if len(groups) < len(case.evidence_groups) else "ungrouped")
    return _regrouped(state, Doing.ALTERNATIVE, groups, said)


def choose_alternative(state: State, key: str) -> Step:
    """The answer to what `alternative` asked."""
    state = replace(state, mode=Mode.VIEW)
    passage = chosen(state, key)
    if passage is None:
        return _no_such(state) if key in DIGITS else told(state, Message("cancelled"))
    return _join(state, passage, key)


def target(state: State, passage: Passage) -> int:
    """The group that a passage joins: its own, else that of the evidence in focus."""
    groups = case_of(state).evidence_groups
    asked = passage.group if not state.offering else None
    return asked if asked is not None and asked < len(groups) else group_of(groups, state.focus)


def _join(state: State, passage: Passage, key: str) -> Step:
    groups = case_of(state).evidence_groups
    number = target(state, passage)
    if passage.evidence in groups[number]:
        return warned(state, "already_evidence", number=key)
    said = Message("joined", {"number": key, "group": number + 1})
    return _regrouped(state, Doing.ALTERNATIVE, joined(groups, number, passage.evidence), said)


def _regrouped(state: State, doing: Doing, groups: Groups, said: Message) -> Step:
    changes: dict[str, object] = {"evidence_groups": groups} | cleared(case_of(state), groups)
    return state, edit(state, doing, changes, said)


def _no_such(state: State) -> Step:
    count = len(numbered(state))
    return told(state, Message("no_such_offer", {"count": count}) if count else Message("nothing_to_pin"))
