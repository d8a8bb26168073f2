"""Which language a text is in."""

import pytest

from builder.text.language import is_cjk, language_of


@pytest.mark.parametrize("ch", "质〇々豈𠀀ーかｱ한")
def test_letters(ch: str) -> None:
    assert is_cjk(ch)


@pytest.mark.parametrize("ch", ["a", "1", "。", "，", "（", " ", "\u3000", "é", "", "①"])
def test_no_letters(ch: str) -> None:
    assert not is_cjk(ch)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("整机保修24个月", "zh"),
        ("GTE-3000Pro 整机", "en"),
        ("Pro整机保", "zh"),
        ("The warranty (质保) is 24 months", "en"),
        ("甲乙丙abcdefg", "zh"),
        ("甲乙丙abcdefgh", "en"),
        ("", "en"),
        ("123。", "en"),
    ],
)
def test_language(text: str, language: str) -> None:
    assert language_of(text) == language
