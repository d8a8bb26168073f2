"""Condition pairs: two questions alike but for a condition, two answers, one family."""

from collections import Counter

import pytest

from builder.generate.material import Material
from builder.generate.types import type_module
from builder.model.case import QuestionType
from builder.text.language import language_of
from tests.generate.types.scripted import Said, answered, chunk_with, chunks_for, said, served

TYPE = QuestionType.CONDITION_PAIR
UNSHIPPED = "订单未发货的，消费者可以在订单页面自助取消"
SHIPPED = "订单已发货的，不能直接取消"
PROBATION = "During probation the notice period is 3 days"
GOOD = [
    (
        said("云岚商城的订单未发货，可以直接取消吗？", "可以自助取消，立即生效，全额退款。", UNSHIPPED),
        said("云岚商城的订单已发货，可以直接取消吗？", "不能直接取消。", SHIPPED),
    ),
    (
        said(
            "整机签收 6 天出现性能故障，可以退货吗？",
            "可以，7 日内出现性能故障的还可以选择退货。",
            "7 日内出现性能故障的",
        ),
        said("整机签收 10 天出现性能故障，可以退货吗？", "不可以退货，可以换货或者维修。", "15 日内出现性能故障的"),
    ),
    (
        said("How long is the notice period of an employee during probation?", "3 days.", PROBATION),
        said("How long is the notice period of an employee after probation?", "See the table.", "After probation the"),
    ),
    (
        said("Does the warranty start at purchase with a receipt?", "Yes.", "Without a receipt the warranty starts"),
        said(
            "Does the warranty start at purchase without a receipt?",
            "No, it starts on the date of manufacture in the serial number.",
            "Without a receipt the warranty starts",
        ),
    ),
]
BAD = [
    (
        "pair_same_answer",
        said("订单未发货，可以直接取消吗？", "不能直接取消。", UNSHIPPED),
        said("订单已发货，可以直接取消吗？", "不能直接取消", SHIPPED),
    ),
    (
        "pair_same_answer",
        said("How long is the notice period during probation?", "3 days for the employee.", PROBATION),
        said("How long is the notice period not during probation?", "It is 3 days.", PROBATION),
    ),
    (
        "pair_unlike",
        said("订单未发货，可以直接取消吗？", "可以自助取消。", UNSHIPPED),
        said("大件商品拒收要扣多少运费？", "大件商品 60 元。", SHIPPED),
    ),
    (
        "pair_unlike",
        said("机器报 E05 怎么处理？", "更换滤芯并清零计数。", "代码：E05"),
        said("机器报 E07 怎么处理？", "联系售后更换电磁阀。", "代码：E07"),
    ),
    (
        "pair_no_condition",
        said("备件的保修期是多久？", "6 个月。", "备件保修 6 个月"),
        said("人工的保修期是多久？", "3 个月。", "有偿维修保修 3 个月"),
    ),
]


@pytest.mark.parametrize("pair", GOOD, ids=lambda pair: pair[0].question)
def test_taken_and_linked(pair: tuple[Said, Said], docs: Material) -> None:
    chunks = chunks_for(docs, pair, "售后政策-2026" if "订单" in pair[0].question else "")
    found = answered(TYPE, docs, chunks, pair)
    assert not found.drops
    first, second = found.cases
    assert first.family == second.family != "" and first.ground_truth != second.ground_truth
    again = answered(TYPE, docs, chunks, pair)
    assert again == found, "the same reply gives the same family"


@pytest.mark.parametrize(("reason", "left", "right"), BAD)
def test_refused(reason: str, left: Said, right: Said, docs: Material) -> None:
    chunks = chunks_for(docs, (left, right), "售后政策-2026" if "订单" in left.question else "")
    found = answered(TYPE, docs, chunks, [left, right])
    assert not found.cases and found.drops == {reason: 2}


def test_one_of_two_is_no_pair(docs: Material) -> None:
    chunks = [chunk_with(docs, UNSHIPPED)]
    assert answered(TYPE, docs, chunks, GOOD[0][:1]).drops == {"pair_alone": 1}
    broken = said(
        "", "不能直接取消。", UNSHIPPED
    )  # the second item of the first pair is lost: the next ones still match
    rows = [GOOD[0][0], broken, GOOD[0][0], GOOD[0][1]]
    both = [chunk_with(docs, UNSHIPPED), chunk_with(docs, SHIPPED, "售后政策-2026")]
    found = answered(TYPE, docs, both, rows)
    assert not found.cases and found.drops == {"no_question": 1, "repeated": 1, "pair_alone": 2}


def test_without_evidence_nothing_is_taken(docs: Material) -> None:
    left, right = GOOD[0]
    found = answered(TYPE, docs, [chunk_with(docs, UNSHIPPED)], [left, said(right.question, right.answer)])
    assert not found.cases and found.drops == {"ungrounded": 2}


def test_units_hold_neighbours_with_opposite_headings(docs: Material) -> None:
    pairs = [unit.chunk_ids for unit in type_module(TYPE).units(docs) if len(unit.chunk_ids) > 1]
    wanted = tuple(chunk_with(docs, text, "售后政策-2026").chunk_id for text in (UNSHIPPED, SHIPPED))
    assert wanted in pairs


def test_on_data_docs_through_the_server(docs: Material) -> None:
    good, bad = served(TYPE, docs, "good"), served(TYPE, docs, "bad")
    assert len(good.cases) >= 20 and {language_of(case.question) for case in good.cases} == {"zh", "en"}
    assert set(Counter(case.family for case in good.cases).values()) == {2}
    assert not bad.cases and bad.drops["pair_same_answer"] >= 20
