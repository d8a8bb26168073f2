"""Check `siblings`: what carries the same answer, what contradicts it, and what only looks like it."""

from datetime import date
from pathlib import Path

import pytest

from builder.checks import siblings as check
from builder.checks.siblings import siblings
from builder.model.access import UserContext
from builder.model.case import Case, CheckOutcome
from builder.model.chunk import Chunk
from builder.words import LANGUAGES, words
from tests.checks.world import case, chunk, context

HOME = chunk(
    "第九条 备件保修 6 个月，自更换之日起计算。有偿维修保修 3 个月。", "policy.pdf", valid_from=date(2026, 1, 1)
)
OVERTIME = chunk("3.4 Overtime must not exceed 36 hours a month. It needs the approval of the manager.", "handbook.pdf")
ZH = case("换过的备件保修多长时间？", "六个月，从更换那天算起。", (HOME, "备件保修 6 个月，自更换之日起计算。"))
EN = case(
    "What is the monthly limit for overtime?", "36 hours.", (OVERTIME, "Overtime must not exceed 36 hours a month.")
)
ELSEWHERE = (
    chunk("会议室可以提前 6 个月预订，请联系行政部。", "office.md"),
    chunk("The canteen is open for 36 hours a week.", "canteen.md"),
    chunk("延长保修最多购买两次。", "policy.pdf", 1),
)


def _found(one: Case, tmp_path: Path, *more: Chunk) -> list[tuple[str, bool, str, str]]:
    found = siblings(one, context((HOME, OVERTIME, *ELSEWHERE, *more), tmp_path))
    return [(row.how, row.agrees, row.chunk.doc_id, row.evidence.quote) for row in found]


def test_the_same_number_elsewhere_is_no_sibling(tmp_path: Path) -> None:
    assert _found(ZH, tmp_path) == []
    assert _found(EN, tmp_path / "en") == []


@pytest.mark.parametrize(
    ("one", "text", "quote"),
    [
        (ZH, "常见问题。备件更换后保修六个月。请保留凭证。", "备件更换后保修六个月。"),
        (ZH, "備件保修 6 個月，自更換之日起計算。", "備件保修 6 個月，自更換之日起計算。"),
        (
            ZH,
            "问：换过的零件还保修吗？\n答：备件保修半年，不，是 6 个月，自更换之日起计算。",
            "答：备件保修半年，不，是 6 个月，自更换之日起计算。",
        ),
        (
            EN,
            "Read first. The monthly limit for overtime is thirty-six hours.",
            "The monthly limit for overtime is thirty-six hours.",
        ),
    ],
)
def test_a_line_with_the_same_facts_about_the_same_thing_is_one(
    one: Case, text: str, quote: str, tmp_path: Path
) -> None:
    found = _found(one, tmp_path, chunk(text, "faq.md"))
    assert [(agrees, where, held) for _, agrees, where, held in found] == [(True, "faq.md", quote)]


def test_the_same_text_in_another_document_is_found_by_its_quote(tmp_path: Path) -> None:
    copy = chunk("附录。备件保修 6个月，自更换之日起计算。", "annex.md")
    assert _found(ZH, tmp_path, copy) == [("quote", True, "annex.md", "备件保修 6个月，自更换之日起计算。")]


@pytest.mark.parametrize(
    ("one", "text"),
    [
        (ZH, "备件保修 12 个月，自更换之日起计算。"),
        (EN, "Overtime must not exceed 48 hours a month."),
    ],
)
def test_like_wording_with_another_value_is_a_conflict(one: Case, text: str, tmp_path: Path) -> None:
    other = chunk(text, "old.md")
    assert _found(one, tmp_path, other) == [("conflict", False, "old.md", text)]
    verdict = check.check(one, context((HOME, OVERTIME, other), tmp_path / "check"))
    assert verdict is not None
    assert (verdict.outcome, verdict.detail) == (CheckOutcome.WARN, "sibling_conflict")


def test_another_version_is_no_conflict_and_is_not_proposed(tmp_path: Path) -> None:
    home = chunk(HOME.text, "policy-2026.pdf", family="policy", version_label="2026")
    old = chunk("备件保修 12 个月，自更换之日起计算。", "policy-2024.pdf", family="policy", version_label="2024")
    same = chunk("备件保修 6 个月，自更换之日起计算。", "policy-2022.pdf", valid_to=date(2025, 1, 1), family="policy")
    one = case(ZH.question, ZH.ground_truth, (home, "备件保修 6 个月，自更换之日起计算。"))
    found = siblings(one, context((home, old, same), tmp_path))
    assert {(row.how, row.agrees, row.proposed) for row in found} == {
        ("other_version", True, False),
        ("other_version", False, False),
    }
    verdict = check.check(one, context((home, old), tmp_path / "check"))
    assert verdict is not None
    assert (verdict.outcome, verdict.detail) == (CheckOutcome.PASS, "sibling_version")


def test_another_model_and_the_opposite_are_no_siblings(tmp_path: Path) -> None:
    home = chunk("KT-72 空调上门费每次 100 元。", "fees.md")
    one = case("KT-72 空调上门费多少钱？", "100 元。", (home, "KT-72 空调上门费每次 100 元。"))
    rows = (chunk("KT-35 空调上门费每次 100 元。", "fees.md", 1), chunk("KT-35 空调上门费每次 80 元。", "fees.md", 2))
    assert siblings(one, context((home, *rows), tmp_path)) == ()
    rule = chunk("商用产品不享受上门服务。", "rules.md")
    other = case("商用产品享受上门服务吗？", "不享受上门服务。", (rule, rule.text))
    assert siblings(other, context((rule, chunk("商用产品享受上门服务，全年无休。", "b.md")), tmp_path / "b")) == ()
    again = chunk("根据约定，商用产品不能享受上门服务。", "c.md")
    assert [row.agrees for row in siblings(other, context((rule, again), tmp_path / "c"))] == [True]


def test_what_the_user_may_not_read_is_no_sibling(tmp_path: Path) -> None:
    secret = chunk("备件保修 6 个月，自更换之日起计算。", "b2b.md", tenant="acme")
    assert _found(ZH, tmp_path, secret) == []
    inside = ZH.replace(user_context=UserContext(tenant="acme"))
    assert [row[2] for row in _found(inside, tmp_path / "in", secret)] == ["b2b.md"]


def test_each_group_has_its_own_siblings(tmp_path: Path) -> None:
    one = case(
        "备件保修和有偿维修保修各多久？",
        "备件 6 个月，有偿维修 3 个月。",
        (HOME, "备件保修 6 个月，自更换之日起计算。"),
        (HOME, "有偿维修保修 3 个月。"),
    )
    extra = chunk("有偿维修的保修为 3 个月。", "faq.md")
    found = siblings(one, context((HOME, extra), tmp_path))
    assert [(row.group, row.evidence.quote) for row in found] == [(1, "有偿维修的保修为 3 个月。")]


def test_nothing_is_said_without_a_corpus_and_every_detail_has_its_words(tmp_path: Path) -> None:
    seen = context((HOME, OVERTIME), tmp_path)
    verdict = check.check(ZH, seen)
    assert verdict is not None and (verdict.outcome, verdict.detail) == (CheckOutcome.PASS, "")
    found = check.check(ZH, context((HOME, chunk("备件更换后保修六个月。", "faq.md")), tmp_path / "more"))
    assert found is not None and found.detail == "sibling_found" and found.values["documents"] == "faq.md"
    for language in LANGUAGES:
        assert "faq.md" in words(language)("check.sibling_found", **found.values)
    from builder.checks import CheckContext

    assert check.check(ZH, CheckContext(chunks=seen.chunks)) is None
