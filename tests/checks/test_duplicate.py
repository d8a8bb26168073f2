"""Check `duplicate`: the same question in other dress is found, another question never is."""

from datetime import date

import pytest

from builder.checks import CheckContext, duplicate
from builder.checks.others import Others
from builder.model.access import UserContext
from builder.model.case import Case, CheckOutcome, RejectReason, ReviewState, Style, Turn
from builder.model.chunk_index import ChunkIndex
from builder.words import LANGUAGES, words
from tests.checks.world import case

EXACT = [
    ("整机保修期是多久？", "整机保修期是多久"),
    ("GTE-3000Pro 的水箱容积是多少？", "ＧＴＥ－３０００Ｐｒｏ的水箱容积是多少?"),
    ("换过的备件保修多长时间？", "換過的備件保修多長時間？"),
    ("How long is the warranty?", "how long is the WARRANTY ??"),
]
NEAR = [
    ("退款几天能到账？", "请问退款几天到账呢？"),
    ("如何申请换货？", "怎么申请换货啊？"),
    ("投诉后公司多久内答复？", "投诉之后，公司会在多长时间内答复？"),
    ("保修 24 个月的是哪款？", "保修二十四个月的是哪款呢？"),
    ("May I work remotely from abroad?", "Can I work remotely from abroad, please?"),
    ("What is the budget of the salary review?", "What is the salary review budget?"),
    ("How soon must a lost badge be reported?", "How soon does a lost badge have to be reported?"),
]
OTHER = [
    ("2026 版的备件保修几个月？", "2024 版的备件保修几个月？"),
    ("满 100 元的订单包邮吗？", "满 200 元的订单包邮吗？"),
    ("第十条讲的是什么？", "第十一条讲的是什么？"),
    ("GTE-3000 保修多久？", "GTE-3000Pro 保修多久？"),
    ("E06 是什么故障？", "E07 是什么故障？"),
    ("商品能退吗？", "商品不能退吗？"),
    ("发货前可以取消吗？", "发货后可以取消吗？"),
    ("从北京寄到上海多少钱？", "从上海寄到北京多少钱？"),
    ("可以提前购买延保吗？", "需要提前购买延保吗？"),
    ("大件商品怎么退？", "小件商品怎么退？"),
    ("3.5 升的水箱多少钱？", "35 升的水箱多少钱？"),
    ("Is A cheaper than B?", "Is B cheaper than A?"),
    ("How long is paternity leave?", "How long is maternity leave?"),
    ("Which costs are refunded?", "Which costs are not refunded?"),
    ("Who approves 900 yuan?", "Who approves 9,000 yuan?"),
    ("Must I report an accident?", "May I report an accident?"),
    ("What does section 7 say?", "What does section 8 say?"),
]


@pytest.mark.parametrize(("one", "other"), EXACT)
def test_dress_is_no_difference(one: str, other: str) -> None:
    found = Others([case(one)]).near(other)
    assert found is not None and found.exact and found.case_id == "g000000000001"


@pytest.mark.parametrize(("one", "other"), NEAR)
def test_a_word_that_changes_nothing_is_no_difference(one: str, other: str) -> None:
    for first, second in ((one, other), (other, one)):
        found = Others([case(first)]).near(second)
        assert found is not None and not found.exact


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_another_question_is_never_merged(one: str, other: str) -> None:
    assert Others([case(one)]).near(other) is None
    assert Others([case(other)]).near(one) is None


def test_a_case_is_no_duplicate_of_itself_and_the_best_one_is_named() -> None:
    others = Others([case("退款多久到账？", number=n) for n in (3, 2)] + [case("请问退款多久到账呢？", number=1)])
    found = others.near("退款多久到账?", "g000000000002")
    assert found is not None and (found.case_id, found.exact) == ("g000000000003", True)


@pytest.mark.parametrize(
    "fields",
    [
        {"as_of": date(2025, 1, 1)},
        {"user_context": UserContext(tenant="acme")},
        {"conversation": (Turn(role="user", text="我买了一台净饮机。"),)},
        {"family": "f1", "style": Style.COLLOQUIAL},
    ],
)
def test_who_when_and_what_was_said_before_make_another_question(fields: dict[str, object]) -> None:
    first = case("保修多久？", "24 个月。", family="f1" if "family" in fields else "")
    second = case("保修多久？", "24 个月。", number=2, **fields)
    others = Others([first, second])
    assert others.like(first) is None
    assert others.near(second.question, second.case_id) is None
    twin = second.replace(case_id="g000000000003", family="f2" if "family" in fields else "")
    assert Others([first, second, twin]).like(second) is not None


def test_a_rejected_case_is_no_other() -> None:
    gone = case("保修多久？", review_state=ReviewState.REJECTED, reject_reason=RejectReason.DUPLICATE)
    assert Others([gone]).near("保修多久？") is None


def _verdict(one: Case, *more: Case) -> tuple[CheckOutcome, str]:
    context = CheckContext(chunks=ChunkIndex(()), others=Others([one, *more]))
    found = duplicate.check(one, context)
    assert found is not None
    for language in LANGUAGES:
        assert not found.detail or words(language)(f"check.{found.detail}", **found.values)
    return found.outcome, found.detail


@pytest.mark.parametrize(
    ("question", "answer", "other", "outcome", "detail"),
    [
        ("整机保修多久？", "24 个月。", "两年。", CheckOutcome.WARN, "duplicate"),
        ("整机保修多久？", "24 个月。", "18 个月。", CheckOutcome.FAIL, "contradicts"),
        ("商用产品享受上门服务吗？", "不享受。", "享受上门服务。", CheckOutcome.FAIL, "contradicts"),
        ("How long is the warranty?", "Two years.", "24 months from delivery.", CheckOutcome.WARN, "duplicate"),
        ("How long is the warranty?", "24 months.", "12 months.", CheckOutcome.FAIL, "contradicts"),
    ],
)
def test_both_sides_are_told(question: str, answer: str, other: str, outcome: CheckOutcome, detail: str) -> None:
    one, two = case(question, answer), case(question, other, number=2)
    assert _verdict(one, two) == _verdict(two, one) == (outcome, detail)


def test_an_unanswerable_twin_contradicts_and_one_that_waits_does_not() -> None:
    one = case("保修多久？", "24 个月。")
    none = case("保修多久？", answerable=False, number=2).replace(ground_truth="")
    assert _verdict(one, none) == (CheckOutcome.FAIL, "contradicts")
    waiting = one.replace(case_id="g000000000003", ground_truth="", review_state=ReviewState.NEEDS_ANSWER)
    assert _verdict(one, waiting) == (CheckOutcome.WARN, "duplicate")


def test_alone_it_passes_and_without_the_others_nothing_is_said() -> None:
    assert _verdict(case("保修多久？"), case("退款多久？", number=2)) == (CheckOutcome.PASS, "")
    assert duplicate.check(case("保修多久？"), CheckContext(chunks=ChunkIndex(()))) is None


def test_a_question_in_another_style_belongs_to_the_first_one() -> None:
    """The first one has no family of its own: its id is the family of the others."""
    first = case(question="备件保修多长时间？")
    typo = case(question="备件保修的多长时间？", number=2, family=first.case_id, style=Style.TYPO)
    others = Others([first, typo])
    assert others.like(first) is None and others.like(typo) is None
