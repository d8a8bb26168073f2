"""Folding: what becomes equal, and where each folded character came from."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.text.fold import fold, folded


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("２４个月", "24个月"),
        ("GTE－３０００Ｐｒｏ", "gte-3000pro"),
        ("“质保”", '"质保"'),
        ("「质保」", "＂质保＂"),
        ("it’s", "IT'S"),
        ("3–7 天", "3-7天"),
        ("质 保\u3000期\n限", "质保期限"),
        ("eﬃcient", "EFFICIENT"),
        ("50㎡", "50 m2"),
        ("Straße", "STRASSE"),
        ("保修。", "保修."),
        ("……", "⋯⋯"),
        ("caf\u00e9", "cafe\u0301"),
        ("ガ", "ｶﾞ"),
        ("co\u00adop\u200be\ufffera\ufe0ftion", "cooperation"),
        ("⻓江 ⼀", "长江一"),
    ],
)
def test_equal_when_folded(one: str, other: str) -> None:
    assert folded(one) == folded(other)


@pytest.mark.parametrize(("one", "other"), [("甲、乙", "甲，乙"), ("甲。", "甲、"), ("café", "cafe"), ("3条", "8条")])
def test_different_when_folded(one: str, other: str) -> None:
    assert folded(one) != folded(other)


def test_offsets_of_dropped_and_expanded_characters() -> None:
    text = "a ﬁ㎡\n b"
    found = fold(text)
    assert found.text == "afim2b"
    assert found.starts == (0, 2, 2, 3, 3, 6)
    assert found.ends == (1, 3, 3, 4, 4, 7)
    assert text[slice(*found.original(1, 4))] == "ﬁ㎡"


def test_half_of_an_expansion_is_the_whole_character() -> None:
    assert fold("xﬁy").original(2, 3) == (1, 2)


def test_a_letter_keeps_its_accent() -> None:
    found = fold("cafe\u0301 x")
    assert found.text == "caf\u00e9x"
    assert found.original(3, 4) == (3, 5)
    assert found.original(4, 5) == (6, 7)


@pytest.mark.parametrize(("start", "end"), [(0, 0), (2, 1), (-1, 1), (0, 4)])
def test_no_such_range(start: int, end: int) -> None:
    with pytest.raises(ValueError, match="no such range"):
        fold("abc").original(start, end)


@given(st.text())
def test_offsets_are_ordered_and_lie_in_the_text(text: str) -> None:
    found = fold(text)
    assert len(found.starts) == len(found.ends) == len(found.text)
    assert list(found.starts) == sorted(found.starts)
    assert all(0 <= start < end <= len(text) for start, end in zip(found.starts, found.ends, strict=True))


@given(st.text(), st.data())
def test_a_range_folds_to_what_it_was_found_by(text: str, data: st.DataObject) -> None:
    found = fold(text)
    if not found.text:
        return
    start = data.draw(st.integers(0, len(found.text) - 1))
    end = data.draw(st.integers(start + 1, len(found.text)))
    low, high = found.original(start, end)
    assert found.text[start:end] in folded(text[low:high])


@given(st.text())
def test_fold_and_folded_agree(text: str) -> None:
    assert fold(text).text == folded(text)


@given(st.text(alphabet=st.characters(max_codepoint=0x24F, exclude_categories=["Cc"])))
def test_composed_and_decomposed_forms_are_equal(text: str) -> None:
    composed = unicodedata.normalize("NFC", text)
    assert folded(composed) == folded(unicodedata.normalize("NFD", composed))


@given(st.text(alphabet="质保aB1 \n\t\u3000“”—．"))
def test_no_white_space_is_left(text: str) -> None:
    assert not any(ch.isspace() for ch in folded(text))
