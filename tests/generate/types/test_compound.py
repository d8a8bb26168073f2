"""Compound questions: two things asked, two things answered, a claim and evidence for each."""

import pytest

from builder.generate.material import Material
from builder.generate.types import type_module
from builder.generate.types.compound import answer_parts, asks
from builder.model.case import QuestionType
from builder.text.language import language_of
from tests.generate.make import chunk, material
from tests.generate.types.scripted import Said, answered, chunk_with, said, served

TYPE = QuestionType.COMPOUND
GOOD = [
    (
        said(
            "云岚的备件保修多久，有偿维修又保修多久？",
            "备件保修 6 个月；有偿维修保修 3 个月。",
            "备件保修 6 个月",
            "有偿维修保修 3 个月",
        ),
        2,
    ),
    (
        said(
            "空调上门检测费多少钱，室外机装在 4 米高的地方要不要另外收费？",
            "检测费每次 30 元，同意维修的免收。另收高空作业费每次 150 元。",
            "检测费每次 30 元",
            "空调室外机安装高度超过 3 米",
        ),
        2,
    ),
    (
        said(
            "How long is maternity leave, and within what time must marriage leave be taken?",
            "Maternity leave is 158 days. Marriage leave must be taken within 12 months of registration.",
            "Maternity leave is 158 days",
            "Marriage leave is 3 days",
        ),
        2,
    ),
    (
        said(
            "What are the two limits on overtime, each?",
            "3 hours a day and 36 hours a month.",
            "Overtime may not exceed 3 hours a day",
        ),
        0,
    ),
]
BAD = [
    ("one_question", said("备件保修多久？", "6 个月；有偿维修 3 个月。", "备件保修 6 个月")),
    ("one_question", said("How long is maternity leave?", "158 days; paternity leave 15 days.", "Maternity leave")),
    ("part_unanswered", said("备件保修多久，有偿维修又保修多久？", "6 个月。", "备件保修 6 个月")),
    ("part_unanswered", said("How long is maternity leave, and who pays?", "158 days.", "Maternity leave is 158 days")),
    (  # a value of another passage; one of another sentence would be repaired before
        "part_ungrounded",
        said("备件保修多久，退款几天到账？", "备件保修 6 个月；退款 3 至 7 个工作日内原路退回。", "备件保修 6 个月"),
    ),
    (
        "part_ungrounded",
        said(
            "How long is maternity leave, and how high is sick pay?",
            "Maternity leave is 158 days. Sick pay is 60 % of base salary.",
            "Maternity leave is 158 days",
        ),
    ),
]


@pytest.mark.parametrize(("one", "groups"), GOOD, ids=lambda one: getattr(one, "question", ""))
def test_taken_with_a_claim_and_evidence_for_each_part(one: Said, groups: int, docs: Material) -> None:
    found = answered(TYPE, docs, [chunk_with(docs, one.evidence[0], _document(one))], [one])
    (case,) = found.cases
    assert not found.drops and len(case.claims) >= 2
    if groups:
        assert len(case.evidence_groups) == groups
        for text, group in zip(one.evidence, case.evidence_groups, strict=True):
            assert text in group[0].quote


@pytest.mark.parametrize(("reason", "one"), BAD, ids=lambda one: getattr(one, "question", ""))
def test_refused(reason: str, one: Said, docs: Material) -> None:
    found = answered(TYPE, docs, [chunk_with(docs, one.evidence[0], _document(one))], [one])
    assert not found.cases and found.drops == {reason: 1}


def _document(one: Said) -> str:
    return "售后政策-2026" if language_of(one.question) == "zh" else ""


def test_an_exception_between_two_parts_stays_in(docs: Material) -> None:
    one = said(
        "退货返程运费谁出，垫付最高报销多少？",
        "消费者承担返程运费；每单最高 120 元。",
        "无理由退货的返程运费由消费者承担",
        "因质量问题退货的",
    )
    (case,) = answered(TYPE, docs, [chunk_with(docs, one.evidence[0], "售后政策-2026")], [one]).cases
    assert "大件商品另收拆机费每台 80 元" in case.evidence[0].quote


@pytest.mark.parametrize(
    ("question", "count"),
    [
        ("保修多久？", 1),
        ("保修多久、上门费多少？", 2),
        ("保修期和上门费分别是多少？", 2),
        ("备件和有偿维修怎么收费？", 1),
        ("How long is it?", 1),
        ("How long is it, and who pays?", 2),
        ("What must an employee who leaves and is ill return?", 1),
        ("What are the fee and the period, respectively?", 2),
    ],
)
def test_how_many_things_are_asked(question: str, count: int) -> None:
    found = asks(question, language_of(question))
    assert (found >= 2) == (count >= 2), found


def test_parts_of_an_answer() -> None:
    assert answer_parts("可以。自签收之日起 7 日内；运费自付。") == ("自签收之日起 7 日内", "运费自付。")
    assert answer_parts("1. Within 30 days.\n2. By the manager.") == ("Within 30 days.", "By the manager.")
    assert answer_parts("1,200 yuan") == ("1,200 yuan",)


def test_short_neighbours_are_asked_about_together() -> None:
    rows = [
        chunk("备件保修 6 个月。", section=("保修", "备件"), ordinal=0),
        chunk("维修保修 3 个月。", section=("保修", "维修"), ordinal=1),
        chunk("每天 9 点营业。", section=("门店", "时间"), ordinal=2),
    ]
    units = list(type_module(TYPE).units(material(rows)))
    assert [unit.chunk_ids for unit in units] == [(rows[0].chunk_id, rows[1].chunk_id)]


def test_on_data_docs_through_the_server(docs: Material) -> None:
    good, bad = served(TYPE, docs, "good", every=3), served(TYPE, docs, "bad", every=3)
    assert len(good.cases) >= 30 and {language_of(case.question) for case in good.cases} == {"zh", "en"}
    assert all(len(case.claims) >= 2 for case in good.cases)
    assert not bad.cases and bad.drops["one_question"] >= 30
