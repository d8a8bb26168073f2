"""Passages that look right and are not, marked by keys: which one, then why."""

from dataclasses import replace

from builder.model.case import Case, Evidence, HardNegative, NegativeReason
from builder.review.acts import case_of, edit, told, warned
from builder.review.desk import Passage
from builder.review.groups import chosen, numbered, overlap
from builder.review.keys import DIGITS
from builder.review.state import Doing, Message, Mode, State, Step, Word

REASONS: tuple[NegativeReason, ...] = tuple(NegativeReason)
"""In the order of their digits."""
REASON_KEYS = (*DIGITS, "0")
_END = 1_000_000
"""A line behind all lines of the source: siblings stand last, and the view stops there."""


def reason_of(case: Case, evidence: Evidence) -> NegativeReason | None:
    """Why a passage is marked; none where it is not."""
    return next((row.reason for row in case.hard_negatives if row.evidence == evidence), None)


def mark(state: State) -> Step:
    """Ask which of the numbered passages looks right and is not; a single one is meant."""
    passages = numbered(state)
    if not passages:
        return warned(state, "nothing_to_mark")
    state = state if state.offering else replace(state, source_top=_END)
    if len(passages) == 1:
        return _picked(state, passages[0])
    return replace(state, mode=Mode.MARK), None


def choose(state: State, key: str) -> Step:
    """The answer to what `mark` asked: on to the reason, or the mark is taken off."""
    state = replace(state, mode=Mode.VIEW)
    passage = chosen(state, key)
    if passage is not None:
        return _picked(state, passage)
    gone = Message("no_such_offer", {"count": len(numbered(state))}) if key in DIGITS else Message("cancelled")
    return told(state, gone)


def choose_reason(state: State, key: str) -> Step:
    """Mark the passage that was picked."""
    picked = state.picked
    state = replace(state, mode=Mode.VIEW, picked=None)
    if key not in REASON_KEYS or picked is None:
        return told(state, Message("cancelled"))
    reason = REASONS[REASON_KEYS.index(key)]
    rows = (*case_of(state).hard_negatives, HardNegative(evidence=picked.evidence, reason=reason))
    said = Message("marked", {"reason": Word(f"review.negative.{reason}")})
    return state, edit(state, Doing.NEGATIVE, {"hard_negatives": rows}, said)


def _picked(state: State, passage: Passage) -> Step:
    case = case_of(state)
    if reason_of(case, passage.evidence) is not None:
        left = tuple(row for row in case.hard_negatives if row.evidence != passage.evidence)
        return state, edit(state, Doing.NEGATIVE, {"hard_negatives": left}, Message("unmarked"))
    if any(overlap(passage.evidence, one) for one in (*case.evidence, *case.required_citations)):
        return warned(state, "evidence_is_right")
    return replace(state, mode=Mode.NEGATIVE, picked=passage), None
