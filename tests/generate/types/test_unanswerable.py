"""Questions without an answer: kept only where no passage of the whole corpus seems to hold one."""

import pytest

from builder.generate.material import Material
from builder.generate.types import Unit
from builder.generate.types.asked_kind import asked_kind, holds_kind
from builder.generate.types.unanswerable import best_passages
from builder.model.case import NegativeReason, QuestionType, Status
from builder.model.document import DocumentMetadata
from tests.generate.make import chunk, material
from tests.generate.types.by_unit import item, replied, units
from tests.generate.types.scripted import served

NAME = QuestionType.UNANSWERABLE
ZH = material(
    [
        chunk("净饮机整机保修 24 个月，上门费每次 60 元。", doc_id="a.md"),
        chunk("烘干机上门费每次 80 元。", doc_id="b.md", section=("烘干机",)),
        chunk("洗碗机\n详见附件。", doc_id="c.md", section=("洗碗机",)),
    ]
)
EN = material(
    [
        chunk("Laptops lost at work are reported within 2 hours.", doc_id="a.md"),
        chunk("Business class flights need consent of the manager.", doc_id="b.md"),
        chunk("Gifts from suppliers\nSee the annex.", doc_id="c.md", section=("Gifts from suppliers",)),
    ]
)


def asked(made: Material, domain: str = "in_domain") -> Unit:
    return next(unit for unit in units(NAME, made) if unit.facts["_domain"] == domain)


def none(question: str) -> dict[str, object]:
    return item(question, "", answerable=False)


@pytest.mark.parametrize(
    ("made", "question"),
    [(ZH, "净饮机的滤芯多久更换一次？"), (ZH, "烘干机可以分期付款吗？"), (EN, "How long is a lost badge blocked?")],
)
def test_what_nobody_answers_is_taken(made: Material, question: str) -> None:
    (case,) = replied(NAME, made, asked(made), none(question)).cases
    assert (case.answerable, case.ground_truth, case.evidence, case.claims) == (False, "", (), ())
    assert case.acceptable_status == (Status.REFUSE,)
    assert case.tags == ("in_domain",)
    assert case.hard_negatives
    assert all(check.outcome != "fail" for check in case.checks)


@pytest.mark.parametrize(
    ("made", "question"),
    [
        (ZH, "净饮机整机保修多久？"),
        (ZH, "烘干机上门费多少钱？"),
        (ZH, "烘干机上门费每次 80 元，对吗？"),
        (EN, "How soon are lost laptops reported?"),
        (EN, "Do business class flights need consent of the manager?"),
    ],
)
def test_what_a_passage_answers_is_refused(made: Material, question: str) -> None:
    assert replied(NAME, made, asked(made), none(question)).drops == {"answer_found": 1}


def test_the_answer_may_stand_in_any_document() -> None:
    """The unit shows one passage; the answer stands in one that was not shown, and that may not even be sent."""
    held_back = chunk("烘干机的滤网每 30 天清洗一次。", doc_id="d.md", metadata=DocumentMetadata(tenant="north"))
    made = material([*ZH.allowed, held_back])
    unit = asked(made)
    question = "烘干机的滤网多久清洗一次？"
    assert replied(NAME, ZH, unit, none(question)).cases
    assert replied(NAME, made, unit, none(question)).drops == {"answer_found": 1}


@pytest.mark.parametrize(
    ("made", "one", "domain", "reason"),
    [
        (ZH, item("净饮机的滤芯多久更换一次？", "24 个月"), "in_domain", "answered"),
        (EN, item("How long is a lost badge blocked?", "2 hours"), "in_domain", "answered"),
        (ZH, none("火星有多高？"), "in_domain", "not_in_domain"),
        (EN, none("How tall is Olympus Mons?"), "in_domain", "not_in_domain"),
        (ZH, none("烘干机上门费几点收？"), "out_of_domain", "in_domain"),
        (EN, none("When do business class lounges open?"), "out_of_domain", "in_domain"),
        (ZH, none("多少？"), "in_domain", "no_terms"),
    ],
)
def test_what_is_refused_otherwise(made: Material, one: dict[str, object], domain: str, reason: str) -> None:
    assert replied(NAME, made, asked(made, domain), one).drops == {reason: 1}


@pytest.mark.parametrize(("made", "question"), [(ZH, "火星上的奥林帕斯山有多高？"), (EN, "How tall is Olympus Mons?")])
def test_out_of_domain_is_taken(made: Material, question: str) -> None:
    (case,) = replied(NAME, made, asked(made, "out_of_domain"), none(question)).cases
    assert case.tags == ("out_of_domain",)


@pytest.mark.parametrize(
    ("made", "question", "reasons"),
    [
        (ZH, "洗碗机的预约安装怎么收费？", [NegativeReason.TITLE_ONLY]),
        (EN, "Which suppliers from Norway are banned?", [NegativeReason.TITLE_ONLY]),
        (ZH, "净饮机的滤芯多久更换一次？", [NegativeReason.OTHER]),
        (EN, "How long is a lost badge blocked?", [NegativeReason.OTHER]),
    ],
)
def test_like_passages_become_hard_negatives(made: Material, question: str, reasons: list[NegativeReason]) -> None:
    (case,) = replied(NAME, made, asked(made), none(question)).cases
    assert [negative.reason for negative in case.hard_negatives] == reasons


def test_best_passages_are_those_that_the_reader_may_read() -> None:
    secret = chunk("净饮机滤芯由北辰生活更换。", doc_id="s.md", metadata=DocumentMetadata(tenant="beichen"))
    made = material([*ZH.allowed, secret])
    (case,) = replied(NAME, made, asked(made), none("净饮机的滤网多久更换一次？")).cases
    found = [one.doc_id for one in best_passages(case, made)]
    assert found
    assert "s.md" not in found
    inside = case.replace(user_context=case.user_context.replace(tenant="beichen"))
    assert "s.md" in [one.doc_id for one in best_passages(inside, made)]
    assert len(best_passages(inside, made, limit=1)) == 1
    assert all(negative.evidence.doc_id != "s.md" for negative in case.hard_negatives)


@pytest.mark.parametrize(
    ("question", "kind", "holds", "lacks"),
    [
        ("保修多久？", "duration", "保修 24 个月。", "每次 60 元。"),
        ("上门费多少钱？", "money", "每次 60 元。", "保修 24 个月。"),
        ("人工客服几点上班？", "moment", "每日 8:30 至 21:00。", "每次 60 元。"),
        ("每箱多少支？", "number", "每箱 40 支。", "整箱发货。"),
        ("How many working days does a repair take?", "duration", "10 working days.", "25 USD."),
        ("How much is the handling fee?", "money", "25 USD.", "10 working days."),
        ("When are salaries paid?", "moment", "On 1 April.", "25 USD."),
    ],
)
def test_the_kind_of_fact(question: str, kind: str, holds: str, lacks: str) -> None:
    assert asked_kind(question) == kind
    assert holds_kind(holds, asked_kind(question))
    assert not holds_kind(lacks, asked_kind(question))


def test_over_the_sample_documents(docs: Material) -> None:
    good, bad = served(NAME, docs, "good", every=4), served(NAME, docs, "bad", every=4)
    assert len(good.cases) >= good.asked * 9 // 10
    assert {tag for case in good.cases for tag in case.tags} == {"in_domain", "out_of_domain"}
    assert len(bad.cases) <= bad.asked // 20, "questions made of a sentence of the passage"
