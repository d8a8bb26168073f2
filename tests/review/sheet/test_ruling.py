"""Rows to decisions: every verdict, every refusal, and whatever people may type."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builder.curate.states import decide
from builder.errors import BuilderError
from builder.model.case import Case, Evidence, QuestionType, RejectReason, ReviewState, Status
from builder.model.claim import Claim
from builder.model.decision import Action
from builder.review.sheet.columns import FILLED, Verdict
from builder.review.sheet.rows import row_of
from builder.review.sheet.ruling import Ruling, Unfit, rule
from builder.review.sheet.seal import broken, untouched
from builder.sheets import normal
from builder.words import words
from tests.make import case, evidence
from tests.review.sheet.make import CHUNKS, candidates, cells, feedback, grounded

ZH, EN = words("zh"), words("en")


def passage(chunk_id: str) -> Evidence | None:
    return next((evidence(one, one.text) for one in CHUNKS if one.chunk_id == chunk_id), None)


def ruled(of: Case, lang: str = "zh", **filled: str) -> Ruling:
    return rule(cells(of, lang, **filled), of, passage, words(lang))


def after(of: Case, lang: str = "zh", **filled: str) -> Case:
    for decision in ruled(of, lang, **filled).decisions:
        of = decide(of, decision)
    return of


def refused(of: Case, **filled: str) -> Unfit:
    with pytest.raises(Unfit) as found:
        ruled(of, **filled)
    assert found.value.line(ZH) and found.value.line(EN)
    return found.value


def test_an_answer_a_passage_and_facts_are_filled_pinned_and_approved() -> None:
    now = after(
        feedback(), verdict="通过", answer="不能退。", chosen="2", facts="! 生鲜不能退\n定制也不能", note="看过"
    )
    assert now.review_state is ReviewState.APPROVED
    assert (now.ground_truth, now.note) == ("不能退。", "看过")
    assert now.claims == (Claim(text="生鲜不能退", critical=True), Claim(text="定制也不能"))
    assert [one.quote for group in now.evidence_groups for one in group] == ["生鲜商品不能退货。"]
    assert now.tags == ()


def test_english_words_do_the_same() -> None:
    row = cells(feedback(), "en", verdict="Not in the documents")
    assert rule(row, feedback(), passage, EN).verdict is Verdict.UNANSWERABLE
    assert after(feedback(), "en", verdict="approve", answer="no", chosen="None of them").evidence == ()


def test_what_was_prefilled_and_stays_changes_nothing_but_the_state() -> None:
    before = grounded(claims=(Claim(text="24 个月", weight=50),))
    (only,) = ruled(before, verdict="通过").decisions
    assert only.action is Action.APPROVE


@pytest.mark.parametrize(
    ("chosen", "groups"),
    [
        ("1+2+3", ((0, 1), (2,))),
        ("1", ((0,),)),
        ("2、3", ((1,), (2,))),
        ("3 ，1", ((0,), (2,))),
        ("①和③", ((0,), (2,))),
        ("都不是", ()),
        ("None of them", ()),
    ],
)
def test_evidence_that_is_not_chosen_goes_and_groups_stay(chosen: str, groups: tuple[tuple[int, ...], ...]) -> None:
    before = grounded()
    now = after(before, verdict="通过", chosen=chosen)
    assert now.evidence_groups == tuple(tuple(before.evidence[place] for place in group) for group in groups)


def test_a_passage_beside_the_evidence_is_a_group_of_its_own() -> None:
    one = evidence(CHUNKS[0], CHUNKS[0].text)
    before = case(evidence_groups=((one,),))
    now = after(before, verdict="通过", chosen="1+3")
    assert now.evidence_groups == ((one,), (evidence(CHUNKS[2], CHUNKS[2].text),))


def test_emptied_choice_says_nothing() -> None:
    assert after(grounded(), verdict="通过", chosen="").evidence_groups == grounded().evidence_groups


def test_not_in_the_documents() -> None:
    now = after(grounded(claims=(Claim(text="24"),)), verdict="资料中没有")
    assert (now.review_state, now.answerable, now.ground_truth) == (ReviewState.APPROVED, False, "")
    assert (now.claims, now.evidence_groups, now.acceptable_status) == ((), (), (Status.REFUSE,))


def test_an_unanswerable_case_is_approved_without_an_answer_or_turned_by_one() -> None:
    none = case(
        ground_truth="", answerable=False, acceptable_status=(Status.REFUSE,), question_type=QuestionType.UNANSWERABLE
    )
    assert after(none, verdict="通过").answerable is False
    turned = after(none, verdict="通过", answer="24 个月。")
    assert (turned.answerable, turned.acceptable_status, turned.question_type) == (True, (), QuestionType.SINGLE_FACT)


def test_the_system_was_right() -> None:
    now = after(feedback(tags=("a",)), verdict="系统答得对", answer="能退。")
    assert (now.review_state, now.tags) == (ReviewState.APPROVED, ("a", "wrong_downvote"))
    assert refused(feedback(), verdict="系统答得对").key == "no_answer"
    assert refused(case(), verdict="系统答得对").key == "not_feedback"


def test_it_depends_leaves_the_state_and_loses_no_word() -> None:
    now = after(feedback(note="旧"), verdict="要分情况", note="看地区", answer="北京能退")
    assert (now.review_state, now.tags) == (ReviewState.NEEDS_ANSWER, ("needs_split",))
    assert now.note == "旧\n看地区\n标准答案：北京能退"
    approved = case(review_state=ReviewState.APPROVED)
    assert after(approved, verdict="要分情况").review_state is ReviewState.APPROVED


def test_leave_out_rejects_with_the_words() -> None:
    (only,) = ruled(feedback(), verdict="不收录", note="不是业务").decisions
    assert (only.action, only.reason, only.text) == (Action.REJECT, RejectReason.OTHER, "不是业务")


def test_a_rejected_case_comes_back() -> None:
    gone = case(review_state=ReviewState.REJECTED, reject_reason=RejectReason.UNCLEAR)
    assert after(gone, verdict="通过").review_state is ReviewState.APPROVED


@pytest.mark.parametrize(
    ("filled", "key"),
    [
        ({"answer": "不能"}, "no_verdict"),
        ({"note": "?"}, "no_verdict"),
        ({"answer": "不能", "verdict": "好"}, "unknown_verdict"),
        ({"verdict": "通过"}, "no_answer"),
        ({"verdict": "通过", "answer": "不能", "chosen": "4"}, "no_passage"),
        ({"verdict": "通过", "answer": "不能", "chosen": "0+1"}, "no_passage"),
        ({"verdict": "通过", "answer": "不能", "chosen": "2026-01-03"}, "no_passage"),
        ({"verdict": "通过", "answer": "不能", "chosen": "第一个"}, "no_passage"),
        ({"verdict": "资料中没有", "answer": "不能"}, "contradiction"),
        ({"verdict": "资料中没有", "chosen": "1"}, "contradiction"),
    ],
)
def test_rows_that_are_refused(filled: dict[str, str], key: str) -> None:
    assert refused(feedback(), **filled).key == key


def test_none_of_them_goes_with_not_in_the_documents() -> None:
    assert after(feedback(), verdict="资料中没有", chosen="都不是").answerable is False


def test_a_passage_that_is_gone() -> None:
    row = cells(feedback(), verdict="通过", answer="不能", chosen="1")
    with pytest.raises(Unfit) as found:
        rule(row, feedback(), lambda _: None, ZH)
    assert found.value.key == "passage_gone"


def test_personal_data_is_taken_out() -> None:
    found = ruled(feedback(), verdict="通过", answer="请打 13800138000 或 400-000-0126。", note="a@b.cn 说的")
    assert sum(found.redacted.values()) == 2
    changes = found.decisions[0].changes
    assert "13800138000" not in changes["ground_truth"] and "400-000-0126" in changes["ground_truth"]


def test_an_answer_that_did_not_fit_its_cell_is_approved_but_not_changed() -> None:
    long = case(ground_truth="长" * 40_000)
    row = row_of(long, candidates(long), 1, "", ZH)
    assert len(row.cells["answer"]) == 32_767 and "40000" in row.cells["answer"]
    assert ("answer", "长" * 40_000) in row.long
    assert after(long, verdict="通过").ground_truth == "长" * 40_000
    assert refused(long, verdict="通过", answer=row.cells["answer"] + "。").key == "too_long"


# Property: whatever is typed

TYPED = st.text(alphabet=st.sampled_from("=+-@'\t\r\n 123、和！!是退x_x000D_\x0b\u202e长"), max_size=12)
VERDICTS = st.sampled_from(["", "通过", "资料中没有", "系统答得对", "要分情况", "不收录", "approve", "?"])
CASES = st.sampled_from(
    [
        feedback(),
        grounded(claims=(Claim(text="- 24", critical=True),)),
        case(ground_truth="", answerable=False),
        case(review_state=ReviewState.REJECTED, reject_reason=RejectReason.UNCLEAR),
        case(review_state=ReviewState.APPROVED, note="n"),
    ]
)


@settings(max_examples=300, deadline=None)
@given(CASES, VERDICTS, st.fixed_dictionaries({name: TYPED for name in FILLED if name != "verdict"}), st.booleans())
def test_whatever_is_typed_is_a_legal_case_or_a_reason(
    of: Case, verdict: str, typed: dict[str, str], all_of_it: bool
) -> None:
    row = cells(of, verdict=verdict, **(typed if all_of_it else {"note": typed["note"]}))
    assert broken(row) is None, "what is filled never breaks the seal"
    now = of
    try:
        found = rule(row, of, passage, ZH)
        for decision in found.decisions:
            now = decide(now, decision)
    except BuilderError as error:
        assert error.line(ZH)
        assert isinstance(error, Unfit) or (error.key == "reject_twice" and verdict == "不收录")
        return
    split = found.verdict is Verdict.SPLIT
    wanted = of.review_state if split else ReviewState.APPROVED
    assert now.review_state is (ReviewState.REJECTED if found.verdict is Verdict.LEAVE_OUT else wanted)
    if all_of_it and found.verdict in (Verdict.APPROVE, Verdict.RIGHT) and of.answerable:
        assert now.ground_truth == normal(typed["answer"])
    assert (now.question, now.case_id) == (of.question, of.case_id)


@settings(max_examples=200, deadline=None)
@given(CASES, st.sampled_from(FILLED), TYPED)
def test_a_row_is_blank_as_long_as_nothing_is_written(of: Case, column: str, typed: str) -> None:
    before = cells(of)
    assert untouched(before)
    now: dict[str, Any] = before | {column: typed}
    assert untouched(now) is (normal(typed) == normal(before[column]))
