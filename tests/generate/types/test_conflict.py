"""Two versions or authorities: the right answer follows the day, and the other one's value must not be said."""

from datetime import date

import pytest

from builder.generate.material import Material
from builder.model.case import NegativeReason, QuestionType
from builder.model.claim import NumberCheck
from tests.generate.make import material
from tests.generate.types.by_unit import item, replied, units, version
from tests.generate.types.scripted import served

NAME = QuestionType.CONFLICT
OLD_ZH = version("备件保修 3 个月，自更换之日起计算。", "2024", "2024-03-01", "2025-12-31")
NEW_ZH = version("备件保修 6 个月，自更换之日起计算。", "2026", "2026-01-01")
OLD_EN = version("Travel claims must be filed within 20 days after the trip.", "v1", "2024-03-01")
NEW_EN = version("Travel claims must be filed within 30 days after the trip.", "v2", "2026-01-01")
ZH, EN = material([OLD_ZH, NEW_ZH]), material([OLD_EN, NEW_EN])
ASK_ZH, ASK_EN = "更换的备件保修多久？", "How long after a trip can travel claims be filed?"


@pytest.mark.parametrize(
    ("made", "question", "new", "old"),
    [(ZH, ASK_ZH, "6 个月。", "三个月。"), (EN, ASK_EN, "Within 30 days.", "Within 20 days.")],
    ids=["zh", "en"],
)
def test_one_question_two_days_two_answers(made: Material, question: str, new: str, old: str) -> None:
    (unit,) = units(NAME, made)
    found = replied(NAME, made, unit, item(question, new, 1), item(question, old, 2))
    assert found.drops == {}
    first, second = found.cases
    assert (first.as_of, second.as_of) == (date(2026, 1, 1), date(2025, 12, 31))
    assert (first.ground_truth, second.ground_truth) == (new, old)
    assert first.question == second.question == question
    assert first.family == second.family == first.case_id != second.case_id
    for case, other in ((first, second), (second, first)):
        (negative,) = case.hard_negatives
        assert negative.reason is NegativeReason.WRONG_VERSION
        assert negative.evidence.doc_id == other.evidence[0].doc_id != case.evidence[0].doc_id
        (claim,) = case.must_not_claims
        assert isinstance(claim.check, NumberCheck)
        assert claim.check.value in other.evidence[0].quote
        assert claim.check.value not in case.evidence[0].quote


@pytest.mark.parametrize(
    ("made", "items", "reason"),
    [
        (ZH, [item(ASK_ZH, "3 个月。", 1), item(ASK_ZH, "6 个月。", 2)], "wrong_version"),
        (ZH, [item(ASK_ZH, "6 个月。", 1), item(ASK_ZH, "6 个月。", 2)], "wrong_version"),
        (ZH, [item(ASK_ZH, "自更换之日起。", 1), item(ASK_ZH, "自更换之日起。", 2)], "no_rival_value"),
        (ZH, [item("2026 版里备件保修多久？", "6 个月。", 1), item(ASK_ZH, "3 个月。", 2)], "names_version"),
        (ZH, [item(ASK_ZH, "6 个月。", 1)], "half_pair"),
        (EN, [item(ASK_EN, "Within 20 days.", 1), item(ASK_EN, "Within 30 days.", 2)], "wrong_version"),
        (EN, [item(ASK_EN, "After the trip.", 1), item(ASK_EN, "After the trip.", 2)], "no_rival_value"),
        (EN, [item("How long under v2?", "Within 30 days.", 1), item(ASK_EN, "Within 20 days.", 2)], "names_version"),
    ],
)
def test_what_is_no_conflict_is_refused(made: Material, items: list[dict[str, object]], reason: str) -> None:
    (unit,) = units(NAME, made)
    found = replied(NAME, made, unit, *items)
    assert found.cases == ()
    assert reason in found.drops


@pytest.mark.parametrize(("side", "day"), [("1", "2025-06-01"), ("2", "2026-06-01"), ("1", "2019-01-01")])
def test_a_day_outside_the_window_is_refused(side: str, day: str) -> None:
    (unit,) = units(NAME, ZH)
    wrong = type(unit)(chunk_ids=unit.chunk_ids, asked=2, facts={**unit.facts, f"_as_of_{side}": day})
    found = replied(NAME, ZH, wrong, item(ASK_ZH, "6 个月。", 1), item(ASK_ZH, "3 个月。", 2))
    assert found.cases == ()
    assert found.drops["outside_window"] == 1


def test_equal_values_are_refused() -> None:
    (unit,) = units(NAME, ZH)
    equal = type(unit)(chunk_ids=unit.chunk_ids, asked=2, facts={**unit.facts, "point_2": unit.facts["point_1"]})
    found = replied(NAME, ZH, equal, item(ASK_ZH, "6 个月。", 1), item(ASK_ZH, "3 个月。", 2))
    assert found.cases == ()
    assert found.drops["equal_values"] == 2


@pytest.mark.parametrize(
    "other",
    [
        version("备件保修 6 个月，自更换之日起计算。", "2024", "2024-03-01", "2025-12-31"),
        version("出差每天补贴 30 元，凭票据报销，次月发放。", "2024", "2024-03-01"),
        version("GTE-3000 备件保修 3 个月，自更换之日起计算。", "2024", "2024-03-01"),
        version("备件保修 3 个月，自更换之日起计算。", "2024", None),
        version("备件保修 3 个月，自更换之日起计算。", "2024", "2024-03-01", tenant="beichen"),
    ],
    ids=["same value", "other matter", "other product", "no date", "other readers"],
)
def test_no_unit_where_nothing_conflicts(other: object) -> None:
    made = material([other, NEW_ZH])  # type: ignore[list-item]
    asked = [unit for unit in units(NAME, made) if unit.asked == 2]
    assert asked == []


def test_the_higher_authority_is_right_and_a_notice_is_right_in_its_time() -> None:
    text = "放假期间退款审核通过后，款项在 {} 个工作日内原路退回。"
    policy = version(text.format(7), "p", "2026-01-01", authority="official", family="a")
    faq = version(text.format(9), "f", "2026-01-01", authority="reference", family="b")
    notice = version(text.format(15), "n", "2026-02-10", "2026-02-28", authority="notice", family="c")
    made = material([policy, faq])
    (unit,) = units(NAME, made)
    assert unit.asked == 1
    (case,) = replied(NAME, made, unit, item("退款审核通过后多久到账？", "7 个工作日内。", 1)).cases
    assert case.as_of == date(2026, 1, 1)
    assert case.family == ""
    assert [n.reason for n in case.hard_negatives] == [NegativeReason.LOW_AUTHORITY]
    made = material([policy, notice])
    (unit,) = units(NAME, made)
    assert unit.asked == 2
    assert [unit.facts["_as_of_1"], unit.facts["_as_of_2"]] == ["2026-02-28", "2026-01-01"]
    pair = [item("退款审核通过后多久到账？", f"{days} 个工作日内。", n) for n, days in ((1, 15), (2, 7))]
    found = replied(NAME, made, unit, *pair)
    assert [case.as_of for case in found.cases] == [date(2026, 2, 28), date(2026, 1, 1)]
    assert {case.hard_negatives[0].reason for case in found.cases} <= {
        NegativeReason.WRONG_TIME,
        NegativeReason.LOW_AUTHORITY,
    }


def test_over_the_sample_documents(docs: Material) -> None:
    good, bad = served(NAME, docs, "good"), served(NAME, docs, "bad")
    assert len(good.cases) == good.asked >= 20
    assert bad.cases == []
    assert bad.drops == {"wrong_version": bad.asked}
    for case in good.cases:
        (home,) = {evidence.doc_id for evidence in case.evidence}
        data = next(chunk.metadata for chunk in docs.allowed if chunk.doc_id == home)
        assert case.as_of is not None
        assert data.valid_from is not None
        assert data.valid_from <= case.as_of <= (data.valid_to or date.max)
        assert case.family
        assert case.must_not_claims
