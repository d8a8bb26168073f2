"""Passages that look right and are not, marked by keys."""

import pytest

from builder.model.case import HardNegative, NegativeReason, ReviewState
from builder.review.negatives import REASON_KEYS
from builder.words import words
from tests.review.desk import DictDesk, desk, generated, passage
from tests.review.test_groups import SIBLING, G, room
from tests.review.walk import walk


@pytest.mark.parametrize(("key", "reason"), list(zip(REASON_KEYS, NegativeReason, strict=True)))
def test_a_found_passage_is_marked_with_its_reason(key: str, reason: NegativeReason) -> None:
    made = desk()
    seen = walk(made, "/", "h", key, lines=("付费维修",))
    (row,) = made.cases[G].hard_negatives
    assert (row.reason, row.evidence.doc_id) == (reason, "policy.pdf")
    word = words("zh")(f"review.negative.{reason}")
    assert f"已标为易混片段（{word}）" in seen.last and f"易混：{word}" in seen.last


def test_of_several_passages_one_is_chosen() -> None:
    made = desk()
    seen = walk(made, "/", "h", "2", "7", lines=("进水 保",))
    assert "哪一段看似相关" in seen.screens[2] and "为什么不对" in seen.screens[3]
    assert [row.reason for row in made.cases[G].hard_negatives] == [NegativeReason.OPPOSITE]


def test_the_place_on_the_screen_stays() -> None:
    seen = walk(desk(), "/", "h", "1", lines=("付费维修",))
    assert "检索“付费维修”" in seen.last


def test_a_passage_that_holds_evidence_is_never_marked() -> None:
    made = desk()
    assert "含有引文" in walk(made, "/", "h", "1", lines=("进水 保",)).last
    assert made.cases == desk().cases


def test_a_sibling_can_be_marked_and_then_is_not_evidence() -> None:
    made = room()
    walk(made, "h", "1")
    assert made.cases[G].hard_negatives == (HardNegative(evidence=SIBLING, reason=NegativeReason.WRONG_VERSION),)


def test_the_mark_comes_off_again() -> None:
    made = desk()
    seen = walk(made, "/", "h", "0", "h", lines=("付费维修",))
    assert made.cases[G].hard_negatives == () and "已取消易混标记" in seen.last
    walk(made, "u")
    assert [row.reason for row in made.cases[G].hard_negatives] == [NegativeReason.OTHER]


@pytest.mark.parametrize("keys", [("/", "h", "esc"), ("/", "h", "a")])
def test_cancelled(keys: tuple[str, ...]) -> None:
    made = desk()
    assert "已取消" in walk(made, *keys, lines=("付费维修",)).last
    assert "已取消" in walk(made, "/", "h", "x", lines=("进水",)).last
    assert made.cases == desk().cases


def test_nothing_to_mark() -> None:
    assert "这里没有可标的片段" in walk(desk(), "h").last
    made = desk()
    assert "只有 3 个候选" in walk(made, "/", "h", "8", lines=("进水",)).last


def test_an_approval_stands() -> None:
    made = DictDesk({G: generated()}, siblings=(passage(SIBLING),))
    seen = walk(made, "a", "p", "h", "1")
    assert made.cases[G].review_state is ReviewState.APPROVED
    assert seen.summary.approved == 1
