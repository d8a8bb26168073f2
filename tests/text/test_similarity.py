"""How alike two texts are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.text.fold import folded
from builder.text.similarity import similarity


@pytest.mark.parametrize(
    ("one", "other", "low", "high"),
    [
        ("整机保修多久？", "整机保修 多久?", 100, 100),
        ("How long is the warranty?", "HOW LONG IS THE WARRANTY ?", 100, 100),
        ("整机保修多久？", "整机的保修有多久？", 80, 99),
        ("整机保修多久？", "怎么申请退款", 0, 30),
        ("", "", 0, 0),
        ("", "甲", 0, 0),
    ],
)
def test_similarity(one: str, other: str, low: int, high: int) -> None:
    assert low <= similarity(one, other) <= high


def test_one_character_in_a_long_text_is_not_equal() -> None:
    assert similarity("质" * 5000, "质" * 4999 + "保") == 99


@given(st.text(), st.text())
def test_symmetric_and_100_only_for_equals(one: str, other: str) -> None:
    found = similarity(one, other)
    assert found == similarity(other, one)
    assert 0 <= found <= 100
    assert (found == 100) == (folded(one) == folded(other) != "")
