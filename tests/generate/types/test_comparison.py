"""Comparisons: two values of one unit, each from a sentence or row of its own."""

import pytest

from builder.generate.material import Material
from builder.generate.types import type_module
from builder.model.case import QuestionType
from builder.model.chunk import ChunkKind
from builder.text.language import language_of
from tests.generate.make import chunk, material
from tests.generate.types.scripted import Said, answered, chunk_with, chunks_for, said, served

TYPE = QuestionType.COMPARISON
GOOD = [
    said(
        "备件和有偿维修的保修期相比，哪个更长？",
        "备件更长：备件保修 6 个月，有偿维修 3 个月。",
        "备件保修 6 个月，自更换",
        "有偿维修保修 3 个月，自维修",
    ),
    said(
        "BX-460 和 BX-220 的整机保修期相差多少？",
        "BX-460 为 36 个月，BX-220 为 12 个月。",
        "型号：BX-460；整机保修（月）：36",
        "型号：BX-220；整机保修（月）：12；核心部件保修（月）：压缩机 60",
    ),
    said(
        "GTE-3000Pro 和 BX-460 的整机保修期，哪个更长？",  # the row of the one holds the value of the other, too
        "BX-460 更长，36 个月；GTE-3000Pro 为 24 个月。",
        "型号：GTE-3000Pro；整机保修（月）：24；核心部件保修（月）：加热组件 36",
        "型号：BX-460；整机保修（月）：36",
    ),
    said(
        "在北辰生活和在云岚买的 BX-460，整机保修期哪个更长？",
        "在北辰生活买的更长，48 个月；在云岚买的为 36 个月。",
        "型号：BX-460；整机保修（月）：48",
        "型号：BX-460；整机保修（月）：36",
    ),
    said(
        "Which grade has the longer notice, G1 to G4 or G7 and G8?",
        "G7 and G8: 90 days, against 30 days for G1 to G4.",
        "Grade: G1 to G4; Notice",
        "Grade: G7 and G8; Notice",
    ),
    said(
        "Is an employee granted more sick leave than marriage leave?",
        "Yes, 12 days of sick leave, but only 3 days of marriage leave.",
        "Employees are entitled to 12 days of sick leave",
        "Marriage leave is 3 days",
    ),
]
BAD = [
    ("no_comparison", said("备件保修多久？", "备件保修 6 个月，维修 3 个月。", *GOOD[0].evidence)),
    ("no_comparison", said("How long is the notice?", "30 days or 90 days.", *GOOD[4].evidence)),
    ("value_missing", said("备件和有偿维修的保修期相比，哪个更长？", "备件更长，6 个月。", *GOOD[0].evidence)),
    ("value_missing", said("备件和有偿维修的保修期，哪个更长？", "6 个月比 9 个月短。", *GOOD[0].evidence)),
    ("value_missing", said("Which grade has the longer notice, G1 or G7?", "G7, with 90 days.", *GOOD[4].evidence)),
    (
        "already_compared",
        said("市区和城郊的高温水温相差多少度，哪个更多？", "45 ℃ 与 95 ℃。", "项目 Item：热水温度 Hot water"),
    ),
    (
        "already_compared",
        said(
            "Which is longer, maternity leave or paternity leave?",
            "Maternity leave: 158 days against 15 days.",
            "Maternity leave is 158 days and paternity leave is 15 days",
        ),
    ),
    (
        "one_chunk_enough",
        said(
            "退货的拆机费每台和报销每单最高，哪个更多？",
            "报销更多：120 元，拆机费 80 元。",
            "无理由退货由您承担返程运费",
            "因质量问题退货的，运费和拆机费均由公司承担",
        ),
    ),
]


@pytest.mark.parametrize("one", GOOD, ids=lambda one: one.question)
def test_taken_with_one_group_a_value(one: Said, docs: Material) -> None:
    found = answered(TYPE, docs, chunks_for(docs, [one]), [one])
    (case,) = found.cases
    assert not found.drops and len(case.evidence_groups) == 2
    assert all(text in group[0].quote for text, group in zip(one.evidence, case.evidence_groups, strict=True))


@pytest.mark.parametrize(("reason", "one"), BAD, ids=lambda one: getattr(one, "question", ""))
def test_refused(reason: str, one: Said, docs: Material) -> None:
    found = answered(TYPE, docs, chunks_for(docs, [one]), [one])
    assert not found.cases and found.drops == {reason: 1}


def test_rows_of_one_table_are_the_clue() -> None:
    values = {"BX-460": 36, "BX-220": 12, "WM-8": 24, "GY-9": 24}
    text = "\n".join(f"型号：{name}；保修（月）：{months}" for name, months in values.items())
    units = list(type_module(TYPE).units(material([chunk(text, kind=ChunkKind.TABLE)])))
    assert [dict(unit.facts) for unit in units] == [{"clue": "BX-460 / BX-220"}], "equal values are not compared"


def test_passages_below_like_headings_are_joined(docs: Material) -> None:
    pairs = [unit.chunk_ids for unit in type_module(TYPE).units(docs) if len(unit.chunk_ids) > 1]
    left = chunk_with(docs, "十五天无理由退货").chunk_id
    right = chunk_with(docs, "七天无理由退货", "售后政策-2026").chunk_id
    assert (left, right) in pairs
    by_id = {one.chunk_id: one for one in docs.allowed}
    for a, b in ([by_id[name] for name in ids] for ids in pairs):
        assert a.language == b.language
        assert a.doc_id == b.doc_id or a.metadata.family != b.metadata.family, "two versions are no comparison"


def test_on_data_docs_through_the_server(docs: Material) -> None:
    good, bad = served(TYPE, docs, "good"), served(TYPE, docs, "bad")
    assert len(good.cases) >= 20 and {language_of(case.question) for case in good.cases} == {"zh", "en"}
    assert all(len(case.evidence_groups) == 2 for case in good.cases)
    assert not bad.cases and bad.drops["value_missing"] >= 20
