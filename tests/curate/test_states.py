"""Every decision in every state: what it does, or that it is refused."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from builder.curate.states import DECIDING, EDITABLE, decide, missing
from builder.errors import BuilderError, InputError, Refused
from builder.model.case import Case, DisabledReason, RejectReason, ReviewState
from builder.model.decision import Action, Decision
from tests import make

NEEDS, OPEN, GOOD, BAD = ReviewState.NEEDS_ANSWER, ReviewState.UNREVIEWED, ReviewState.APPROVED, ReviewState.REJECTED

CASES = {
    "needs_answer": make.case(review_state=NEEDS, ground_truth=""),
    "unreviewed": make.case(),
    "unreviewed by_hand": make.case(disabled_reason="by_hand"),
    "unreviewed stale_gone": make.case(disabled_reason="stale_gone"),
    "approved": make.case(review_state=GOOD),
    "approved stale_check": make.case(review_state=GOOD, disabled_reason="stale_check"),
    "rejected": make.case(review_state=BAD, reject_reason="unclear"),
    "rejected without answer": make.case(review_state=BAD, reject_reason="unclear", ground_truth=""),
}
REJECT = Decision(action=Action.REJECT, reason=RejectReason.DUPLICATE)
FILL = Decision(action=Action.EDIT, changes={"ground_truth": "24 个月，自出厂之日起。"})
EMPTY = Decision(action=Action.EDIT, changes={"ground_truth": " "})
NOTE = Decision(action=Action.EDIT, changes={"note": "看过"})
NO_ANSWER = Decision(action=Action.EDIT, changes={"answerable": False})


def plain(action: Action) -> Decision:
    return Decision(action=action)


TABLE: list[tuple[str, Decision, tuple[ReviewState, str | None] | None]] = [
    ("needs_answer", plain(Action.APPROVE), None),
    ("needs_answer", REJECT, (BAD, None)),
    ("needs_answer", plain(Action.RESTORE), None),
    ("needs_answer", FILL, (OPEN, None)),
    ("needs_answer", NO_ANSWER, (OPEN, None)),
    ("needs_answer", NOTE, (NEEDS, None)),
    ("needs_answer", plain(Action.ENABLE), None),
    ("needs_answer", plain(Action.DISABLE), None),
    ("unreviewed", plain(Action.APPROVE), (GOOD, None)),
    ("unreviewed", REJECT, (BAD, None)),
    ("unreviewed", EMPTY, (NEEDS, None)),
    ("unreviewed", FILL, (OPEN, None)),
    ("unreviewed", plain(Action.DISABLE), (OPEN, "by_hand")),
    ("unreviewed by_hand", plain(Action.APPROVE), (GOOD, "by_hand")),
    ("unreviewed by_hand", plain(Action.ENABLE), (OPEN, None)),
    ("unreviewed by_hand", FILL, (OPEN, "by_hand")),
    ("unreviewed by_hand", EMPTY, (NEEDS, None)),
    ("unreviewed stale_gone", plain(Action.ENABLE), None),
    ("unreviewed stale_gone", FILL, (OPEN, "stale_gone")),
    ("unreviewed stale_gone", plain(Action.APPROVE), (GOOD, "stale_gone")),
    ("approved", plain(Action.APPROVE), (GOOD, None)),
    ("approved", FILL, (OPEN, None)),
    ("approved", NOTE, (GOOD, None)),
    ("approved", NO_ANSWER, (OPEN, None)),
    ("approved", plain(Action.DISABLE), (GOOD, "by_hand")),
    ("approved", plain(Action.RESTORE), None),
    ("approved stale_check", plain(Action.APPROVE), (GOOD, None)),
    ("approved stale_check", NOTE, (GOOD, "stale_check")),
    ("approved stale_check", FILL, (OPEN, None)),
    ("rejected", plain(Action.APPROVE), None),
    ("rejected", REJECT, None),
    ("rejected", plain(Action.RESTORE), (OPEN, None)),
    ("rejected", FILL, (BAD, None)),
    ("rejected", plain(Action.DISABLE), None),
    ("rejected without answer", plain(Action.RESTORE), (NEEDS, None)),
]


@pytest.mark.parametrize(("name", "decision", "wanted"), TABLE)
def test_decision(name: str, decision: Decision, wanted: tuple[ReviewState, str | None] | None) -> None:
    if wanted is None:
        with pytest.raises(Refused):
            decide(CASES[name], decision)
    else:
        after = decide(CASES[name], decision)
        assert (after.review_state, after.disabled_reason) == wanted


def test_new_evidence_ends_staleness() -> None:
    chunk = make.chunk(make.document(), "整机质保 24 个月。")
    pin = Decision(action=Action.EDIT, changes={"evidence_groups": ((make.evidence(chunk, "24 个月"),),)})
    assert decide(CASES["unreviewed stale_gone"], pin).disabled_reason is None


@pytest.mark.parametrize("field", sorted(set(Case.model_fields) - EDITABLE))
def test_what_an_edit_may_not_touch(field: str) -> None:
    with pytest.raises(InputError, match=field):
        decide(CASES["unreviewed"], Decision(action=Action.EDIT, changes={field: "x"}))


def test_an_illegal_value_is_one_line() -> None:
    with pytest.raises(InputError) as caught:
        decide(CASES["unreviewed"], Decision(action=Action.EDIT, changes={"split": "holdout"}))
    assert "\n" not in str(caught.value)


def test_deciding_fields_are_editable() -> None:
    assert DECIDING <= EDITABLE


def test_evidence_is_never_missing() -> None:
    assert missing(make.case()) == ()
    assert missing(CASES["needs_answer"]) == ("ground_truth",)


decisions = st.sampled_from(
    [REJECT, FILL, EMPTY, NOTE, NO_ANSWER, *(plain(a) for a in Action if a not in (Action.REJECT, Action.EDIT))]
)


@given(st.sampled_from(sorted(CASES)), st.lists(decisions, max_size=12))
def test_any_sequence_stays_legal(name: str, steps: list[Decision]) -> None:
    case = CASES[name]
    for step in steps:
        try:
            case = decide(case, step)
        except BuilderError:
            continue
        assert case.complete or case.review_state in (NEEDS, BAD)
        assert not case.enabled or case.complete


@pytest.mark.parametrize(
    "fields",
    [
        {"review_state": NEEDS},
        {"review_state": NEEDS, "ground_truth": "", "disabled_reason": "by_hand"},
        {"ground_truth": ""},
        {"question": " "},
        {"review_state": GOOD, "ground_truth": ""},
        {"review_state": BAD},
        {"review_state": BAD, "reject_reason": "other", "disabled_reason": "by_hand"},
        {"reject_reason": "other"},
        {"disabled_reason": DisabledReason.STALE_CHECK},
        {"evidence_groups": ((),)},
    ],
)
def test_illegal_cases_cannot_be_made(fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        make.case(**fields)
