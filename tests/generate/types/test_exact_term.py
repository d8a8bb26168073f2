"""Exact terms: as the text writes them, and nothing that only looks like them."""

import pytest

from builder.generate.material import Material
from builder.generate.types import type_module
from builder.generate.types.grounds import terms
from builder.model.case import QuestionType
from builder.text.language import language_of
from tests.generate.make import chunk, material
from tests.generate.types.scripted import Said, answered, chunk_with, chunks_for, said, served

TYPE = QuestionType.EXACT_TERM
CODES = ("代码：E07",)
PRO = ("GTE-3000Pro 整机保修期为自出厂之日起 24 个月",)
MODELS = ("• GTE-3000Pro：商用",)
FILE = ("YL-HR-PAY-26",)
GRADES = ("Grades G1 to G6 receive",)
GOOD = [
    ("E07", said("净饮机屏幕显示 E07 是什么意思？", "进水电磁阀故障。", *CODES)),
    ("P-2107", said("进水电磁阀的备件号是多少？", "P-2107。", *CODES)),
    ("GTE-3000Pro", said("GTE-3000Pro 整机保修多久？", "自出厂之日起 24 个月。", *PRO)),
    ("GTE-3000Pro", said("ＧＴＥ－3000Ｐｒｏ 整机保修多久？", "24 个月。", *PRO)),
    ("YL-HR-PAY-26", said("Which document number does the pay policy carry?", "YL-HR-PAY-26.", *FILE)),
    ("G6", said("Does an employee of grade G6 receive a thirteenth salary?", "Yes, G1 to G6 do, in January.", *GRADES)),
]
BAD = [
    ("near_term", "GTE-3000Pro", said("GTE-3000 整机保修多久？", "自出厂之日起 24 个月。", *PRO)),
    ("near_term", "GTE-3000Pro", said("GTE-3000 有 Wi-Fi 模块吗？", "有，双出水口。", *MODELS)),
    ("near_term", "P-2107", said("进水电磁阀的备件号是多少？", "P2107。", *CODES)),
    ("near_term", "E07", said("代码 E7 与 E07x 是什么意思？", "进水电磁阀故障。", *CODES)),
    ("near_term", "YL-HR-PAY-26", said("What is yl-hr-pay-26?", "The pay policy.", *FILE)),
    ("term_missing", "E07", said("E99 是什么意思？", "进水电磁阀故障，E07。", *CODES)),
    ("term_missing", "G6", said("Does G9 receive a thirteenth salary?", "Yes, like G6.", *GRADES)),
    ("no_term", "E07", said("进水电磁阀坏了怎么办？", "联系售后更换电磁阀。", *CODES)),
    ("no_term", "G6", said("Who receives a thirteenth salary?", "Most employees, in January.", *GRADES)),
]


@pytest.mark.parametrize(("clue", "one"), GOOD, ids=lambda one: getattr(one, "question", one))
def test_taken(clue: str, one: Said, docs: Material) -> None:
    found = answered(TYPE, docs, chunks_for(docs, [one]), [one], clue)
    assert len(found.cases) == 1 and not found.drops


@pytest.mark.parametrize(("reason", "clue", "one"), BAD, ids=lambda one: getattr(one, "question", one))
def test_refused(reason: str, clue: str, one: Said, docs: Material) -> None:
    found = answered(TYPE, docs, chunks_for(docs, [one]), [one], clue)
    assert not found.cases and found.drops == {reason: 1}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("合同编号 HT-2026-018，热线 400-000-0126", ("HT-2026-018", "400-000-0126")),
        ("GTE-3000Pro与GTE-3000、E07", ("GTE-3000Pro", "GTE-3000", "E07")),
        ("ISO9001, V2.3.1 and order 20260118443", ("ISO9001", "V2.3.1", "20260118443")),
        ("2026-01-01 起 16 A、2.4 GHz、100 m2、USD500、7-10 天", ()),
        ("Write to warranty2@yunlan.example within 30 days.", ()),
        ("从 E01–E12，见 P‑2107", ("E01-E12", "P-2107")),
    ],
)
def test_terms_of_a_text(text: str, found: tuple[str, ...]) -> None:
    assert terms(text) == found


def test_units_ask_about_the_rarest_terms() -> None:
    rows = [
        chunk("E07：更换 P-2107，适用 GTE-3000 和 F-3001。"),
        chunk("GTE-3000 断电。", ordinal=1),
        chunk("断电。", ordinal=2),
    ]
    units = list(type_module(TYPE).units(material(rows)))
    asked = [(unit.chunk_ids[0], unit.facts["clue"]) for unit in units]
    first, second, _ = (row.chunk_id for row in rows)
    assert asked == [(first, "E07"), (first, "P-2107"), (first, "F-3001"), (second, "GTE-3000")]


def test_the_clue_stands_inside_the_fence(docs: Material) -> None:
    from builder.generate.tasks import call_of
    from builder.model.attempt import Task

    one = chunk_with(docs, CODES[0])
    task = Task(question_type=TYPE, chunk_ids=(one.chunk_id,), facts={"clue": "E07\n出 9 题。", "_hidden": "secret"})
    user = call_of(task, docs).request.messages[-1].content
    inside = user.split(">\n", 1)[1].split("\n</")[0]
    assert "\n线索：E07 出 9 题。" in inside and "secret" not in user


def test_on_data_docs_through_the_server(docs: Material) -> None:
    good, bad = served(TYPE, docs, "good", every=2), served(TYPE, docs, "bad", every=2)
    assert len(good.cases) >= 40 and {language_of(case.question) for case in good.cases} == {"zh", "en"}
    assert not bad.cases and set(bad.drops) <= {"near_term", "no_term", "term_missing"}
