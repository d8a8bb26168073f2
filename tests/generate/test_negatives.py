"""Hard negatives: each reason by a passage that looks right, and never one that carries the answer."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from builder.generate.negatives import propose
from builder.model.case import Case
from builder.model.chunk import Chunk
from tests.checks.world import case, chunk, context

HOME = chunk(
    "备件保修 6 个月，自更换之日起计算。",
    "policy-2026.pdf",
    family="policy",
    version_label="2026",
    valid_from=date(2026, 1, 1),
    authority="official",
    region="cn",
)
ONE = case("更换的备件保修多长时间？", "六个月。", (HOME, HOME.text))
OTHER_VALUE = "备件保修 3 个月，自更换之日起计算。"
FAR = (chunk("食堂午餐时间为 11:30 至 13:00。", "canteen.md"), chunk("会议室须提前预订。", "office.md"))


def _reasons(one: Case, tmp_path: Path, home: Chunk, *more: Chunk) -> list[tuple[str, str, str]]:
    found = propose(one, context((home, *FAR, *more), tmp_path))
    return [(row.reason.value, row.evidence.doc_id, row.evidence.quote) for row in found]


@pytest.mark.parametrize(
    ("reason", "meta"),
    [
        ("wrong_version", {"family": "policy", "version_label": "2024", "region": "cn"}),
        ("wrong_time", {"valid_to": date(2025, 12, 31), "region": "cn"}),
        ("wrong_region", {"region": "hk", "authority": "official"}),
        ("wrong_tenant", {"tenant": "acme", "region": "cn"}),
        ("low_authority", {"authority": "reference", "region": "cn"}),
    ],
)
def test_the_metadata_tells_why(reason: str, meta: dict[str, Any], tmp_path: Path) -> None:
    other = chunk(f"说明。{OTHER_VALUE}请保留凭证。", "other.pdf", **meta)
    assert _reasons(ONE, tmp_path, HOME, other) == [(reason, "other.pdf", OTHER_VALUE)]
    right = chunk(f"说明。{HOME.text}请保留凭证。", "other.pdf", **meta)
    assert _reasons(ONE, tmp_path / "right", HOME, right) == [], "it carries the answer"


@pytest.mark.parametrize(
    ("reason", "home", "question", "answer", "wrong", "right"),
    [
        (
            "wrong_entity",
            "KT-72 空调的上门费为每次 100 元。",
            "KT-72 空调的上门费是多少？",
            "每次 100 元。",
            "KT-35 空调的上门费为每次 80 元。",
            "上门收费表：KT-72 空调的上门费为每次 100 元。",
        ),
        (
            "missing_exception",
            "生鲜商品不适用无理由退货，但是签收后腐坏变质的除外。",
            "签收后腐坏变质的生鲜商品可以退货吗？",
            "可以，腐坏变质属于例外。",
            "生鲜商品一律不适用无理由退货。",
            "生鲜商品腐坏变质属于例外，可以退货。",
        ),
        (
            "opposite",
            "展示样机可以享受全国联保服务。",
            "展示样机能享受全国联保服务吗？",
            "能。",
            "展示样机不可以享受全国联保服务。",
            "展示样机享受全国联保服务。",
        ),
        (
            "opposite",
            "Contractors may use the company gym after work.",
            "May contractors use the company gym?",
            "They may, after work.",
            "Contractors may not use the company gym.",
            "After work contractors may use the company gym.",
        ),
        (
            "wrong_entity",
            "The notice period of grade G5 is 60 days.",
            "What is the notice period of grade G5?",
            "60 days.",
            "The notice period of grade G3 is 30 days.",
            "For grade G5 the notice period is 60 days.",
        ),
    ],
)
def test_the_wording_tells_why(
    reason: str, home: str, question: str, answer: str, wrong: str, right: str, tmp_path: Path
) -> None:
    where = chunk(home, "home.md")
    one = case(question, answer, (where, home))
    assert _reasons(one, tmp_path, where, chunk(wrong, "home.md", 1)) == [(reason, "home.md", wrong)]
    assert _reasons(one, tmp_path / "right", where, chunk(right, "home.md", 1)) == []


def test_a_heading_that_promises_the_answer(tmp_path: Path) -> None:
    home = chunk("入职满一年的，每年 5 天。", "leave.md", section=("年休假天数",))
    one = case("年休假天数是多少？", "5 天。", (home, home.text))
    titled = chunk("年休假天数由人力资源部核定，员工可以在系统里查询。", "leave.md", 1, section=("年休假天数",))
    assert _reasons(one, tmp_path, home, titled) == [("title_only", "leave.md", titled.text)]


def test_at_most_three_each_passage_once_and_the_same_again(tmp_path: Path) -> None:
    more = [
        chunk(OTHER_VALUE, "a.pdf", family="policy", version_label="2024", region="cn"),
        chunk("备件保修 9 个月，自更换之日起计算。", "b.pdf", family="policy", version_label="2023", region="cn"),
        chunk(OTHER_VALUE, "c.pdf", valid_to=date(2025, 1, 1), region="cn"),
        chunk(OTHER_VALUE, "d.pdf", region="hk", authority="official"),
        chunk(OTHER_VALUE, "e.pdf", tenant="acme", region="cn"),
    ]
    found = _reasons(ONE, tmp_path, HOME, *more)
    assert [reason for reason, _, _ in found] == ["wrong_version", "wrong_time", "wrong_region"]
    assert found == _reasons(ONE, tmp_path / "again", HOME, *more)


def test_nothing_without_corpus_evidence_or_answer(tmp_path: Path) -> None:
    seen = context((HOME, *FAR), tmp_path)
    assert propose(ONE, seen) == ()
    assert propose(case("备件保修多久？", "六个月。"), seen) == ()
    assert propose(ONE.replace(answerable=False, ground_truth=""), seen) == ()
