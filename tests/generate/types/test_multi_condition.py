"""Several conditions: at least two of them in the question, as the evidence has them."""

import pytest

from builder.generate.material import Material
from builder.generate.types import type_module
from builder.generate.types.conditions import conditions
from builder.model.case import QuestionType
from builder.text.language import language_of
from tests.generate.make import chunk, material
from tests.generate.types.scripted import Said, answered, chunk_with, said, served

TYPE = QuestionType.MULTI_CONDITION
GOOD = [
    said(
        "GTE-3000Pro 签收 5 天、商品完好还没装机，可以申请七天无理由退货吗？",
        "可以，自签收之日起 7 日内商品完好的可以申请七天无理由退货。",
        "自签收之日起 7 日内，商品完好的，消费者可以申请七天无理由退货",
    ),
    said(
        "海鲜腐坏比例超过一半，签收后 24 小时内也提交了照片，要不要退回商品？",
        "全额退款，无需退回商品。",
        "收到商品腐坏、解冻或者缺重的",
    ),
    said(
        "I have passed probation and my manager agrees: how many days a week may I work remotely?",
        "Up to 2 days a week.",
        "Employees who have passed probation may work remotely",
    ),
    said(
        "May I fly business class within the company's rules if I am G7 and the flight takes more than 6 hours?",
        "Yes, business class is allowed for G7 and G8 on flights of more than 6 hours.",
        "Business class is allowed for G7",
    ),
]
BAD = [
    said("七天无理由退货是什么？", "可以申请退货。", "自签收之日起 7 日内，商品完好的，消费者可以申请七天无理由退货"),
    said("备件和有偿维修各保修多久？", "备件保修 6 个月，有偿维修保修 3 个月。", "备件保修 6 个月，自更换之日起计算"),
    said(
        "May employees work remotely?", "Up to 2 days a week.", "Employees who have passed probation may work remotely"
    ),
    said(
        "If it rains and the boss is on holiday, may I work remotely?",
        "Up to 2 days a week.",
        "Employees who have passed probation may work remotely",
    ),
]


@pytest.mark.parametrize("one", GOOD, ids=lambda one: one.question)
def test_taken(one: Said, docs: Material) -> None:
    found = answered(TYPE, docs, [chunk_with(docs, one.evidence[0], _document(one))], [one])
    assert [case.question_type for case in found.cases] == [TYPE] and not found.drops


def _document(one: Said) -> str:
    return "售后政策-2026" if language_of(one.question) == "zh" else ""


@pytest.mark.parametrize("one", BAD, ids=lambda one: one.question)
def test_refused(one: Said, docs: Material) -> None:
    found = answered(TYPE, docs, [chunk_with(docs, one.evidence[0])], [one])
    assert not found.cases and found.drops == {"few_conditions": 1}


def test_without_evidence_nothing_is_taken(docs: Material) -> None:
    one = said(GOOD[0].question, GOOD[0].answer)
    found = answered(TYPE, docs, [chunk_with(docs, GOOD[0].evidence[0])], [one])
    assert not found.cases and found.drops == {"ungrounded": 1}


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("自签收之日起 7 日内，商品完好的，消费者可以申请退货。", 2),
        ("审核通过后，公司安排上门取件。", 1),
        ("公司提供电子发票。", 0),
        ("Leave expires on 31 March, unless it could not be taken within the year.", 2),
        ("The canteen is open from 11:30 to 13:00.", 1),
        ("Lifts are grey.", 0),
    ],
)
def test_conditions_in_a_text(text: str, count: int) -> None:
    assert len(conditions(text, language_of(text))) == count


def test_units_are_passages_with_two_conditions() -> None:
    rows = [chunk("审核通过后，公司安排取件。"), chunk("审核通过后，7 日内，安排取件。", ordinal=1)]
    assert [unit.chunk_ids for unit in type_module(TYPE).units(material(rows))] == [(rows[1].chunk_id,)]


def test_on_data_docs_through_the_server(docs: Material) -> None:
    good, bad = served(TYPE, docs, "good", every=3), served(TYPE, docs, "bad", every=3)
    assert len(good.cases) >= 10 and {language_of(case.question) for case in good.cases} == {"zh", "en"}
    assert not bad.cases and bad.drops["few_conditions"] >= 10
