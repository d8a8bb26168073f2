"""The terminal: nothing harmful, cells counted, lines wrapped."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from builder.text.screen import cells, clip, inert, wrap

HARMFUL = (
    [code for code in range(0x20) if code not in (0x09, 0x0A)]
    + list(range(0x7F, 0xA0))
    + [0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
    + [0x00AD, 0x200B, 0x200C, 0x200D, 0x2028, 0x2029, 0x2060, 0xFEFF, 0xD800, 0xDFFF, 0xFFFE, 0xE0041]
)


@pytest.mark.parametrize("code", HARMFUL)
def test_made_visible(code: int) -> None:
    shown = inert(f"a{chr(code)}b")
    assert shown.isascii()
    assert shown.isprintable()
    assert shown[1] == "\\"
    assert shown.endswith(f"{code:02x}b")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2J", r"\x1b[2J"),
        ("\x1b]52;c;aGk=\x07", r"\x1b]52;c;aGk=\x07"),
        ("\x1b]8;;http://a\x1b\\b", r"\x1b]8;;http://a\x1b" + "\\b"),
        ("\x9b31m", r"\x9b31m"),
        ("价\u202e格", r"价\u202e格"),
        ("[red]甲[/red]\n\t乙 é 😀", "[red]甲[/red]\n\t乙 é 😀"),
    ],
)
def test_sequences(text: str, shown: str) -> None:
    assert inert(text) == shown


@given(st.text(alphabet=st.characters(codec=None)))
def test_inert_text_is_printable_and_stays_as_it_is(text: str) -> None:
    shown = inert(text)
    assert inert(shown) == shown
    shown.encode("utf-8")
    assert not any((ch < " " and ch not in "\n\t") or "\x7f" <= ch <= "\x9f" for ch in shown)


@pytest.mark.parametrize(
    ("text", "width"),
    [("", 0), ("abc", 3), ("质保", 4), ("“质保”…—", 8), ("ｆｕｌｌ", 8), ("e\u0301", 1), ("①│", 2), ("a\u200bb", 2)],
)
def test_cells(text: str, width: int) -> None:
    assert cells(text) == width


HAN = st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF)


@given(st.text(alphabet=HAN | st.sampled_from("aé1，。、！（）“”Ａ　ｱ각")))
def test_cells_are_those_that_rich_counts(text: str) -> None:
    assert cells(text) == cell_len(text)


@given(st.text(), st.integers(0, 20))
def test_clip_is_the_longest_beginning_that_fits(text: str, width: int) -> None:
    kept = clip(text, width)
    assert text.startswith(kept)
    assert cells(kept) <= width
    assert kept == text or cells(text[: len(kept) + 1]) > width


def lines(text: str, width: int) -> list[str]:
    return [text[start:end] for start, end in wrap(text, width)]


def test_chinese_fills_the_line() -> None:
    assert lines("第3章 质保与退换。整机质保期为24个月。", 20) == ["第3章 质保与退换。整", "机质保期为24个月。"]


@pytest.mark.parametrize(
    ("text", "width", "expected"),
    [
        ("甲乙丙丁，戊", 8, ["甲乙丙", "丁，戊"]),
        ("甲乙丙（丁戊）", 8, ["甲乙丙", "（丁戊）"]),
        ("甲乙丙“丁戊", 7, ["甲乙丙", "“丁戊"]),
        ("保修 warranty terms", 10, ["保修", "warranty", "terms"]),
        ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
        ("foo , bar", 5, ["foo ,", "bar"]),
        ("foo bar ,", 7, ["foo", "bar ,"]),
        ("一\n\n二", 4, ["一", "", "二"]),
        ("", 4, [""]),
        ("！！！！", 4, ["！！", "！！"]),
        ("ab e\u0301e\u0301", 2, ["ab", "e\u0301e\u0301"]),
        ("价格￥500", 6, ["价格", "￥500"]),
    ],
)
def test_wrapped(text: str, width: int, expected: list[str]) -> None:
    assert lines(text, width) == expected


def test_too_narrow() -> None:
    with pytest.raises(ValueError, match="too narrow"):
        wrap("甲", 1)


TEXTS = st.text(alphabet="质保修ab c，。（）“”！\n…e\u0301", max_size=80) | st.text()


@given(TEXTS, st.integers(2, 30))
def test_lines_fit_and_lose_nothing_but_white_space(text: str, width: int) -> None:
    at = 0
    for start, end in wrap(text, width):
        assert at <= start <= end
        assert text[at:start].strip() == ""
        assert "\n" not in text[start:end]
        assert cells(text[start:end]) <= width
        at = end
    assert text[at:].strip() == ""


@given(
    st.lists(st.sampled_from(["质", "保。", "（修）", "“质”，", "ab", "￥5", "c；"]), max_size=30), st.integers(8, 30)
)
def test_punctuation_keeps_its_side(pieces: list[str], width: int) -> None:
    found = lines("".join(pieces), width)
    for line, following in pairwise(found):
        assert following[0] not in "。）”，；"
        assert line[-1] not in "（“￥"


@given(st.lists(st.text(alphabet="abcdefg", min_size=1, max_size=8), min_size=1, max_size=20), st.integers(8, 30))
def test_words_stay_whole(words: list[str], width: int) -> None:
    assert " ".join(lines(" ".join(words), width)).split() == words
