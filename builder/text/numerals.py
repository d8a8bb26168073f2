"""Numbers in words: Chinese numerals (二十四, 两百, 壹仟, 三点五) and English ones (twenty-four)."""

import re
from decimal import Decimal

_DIGITS = (
    dict(zip("零一二三四五六七八九", range(10), strict=True))
    | dict(zip("〇壹贰叁肆伍陆柒捌玖", range(10), strict=True))
    | {"○": 0, "两": 2, "貳": 2, "參": 3, "陸": 6}
)
_TENS = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
_MYRIADS = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
DIGITS = "".join(_DIGITS)
"""Characters that stand for a digit."""
MULTIPLIERS = "".join(_TENS) + "".join(_MYRIADS)
"""Characters that multiply what stands before them."""

_ONES = (
    "zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|"
    "eighteen|nineteen"
)
_TIES = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_ANY_WORD = f"{_ONES}|{_TIES}"
_ENGLISH = {word: value for value, word in enumerate(_ONES.split("|"))} | {
    word: value * 10 for value, word in enumerate(_TIES.split("|"), start=2)
}
ENGLISH_START = rf"(?:{_ANY_WORD})"
"""A regex of the English words that a number may begin with, to be used without regard to case."""
ENGLISH = (
    rf"{ENGLISH_START}(?:[ -](?:{_ANY_WORD}|(?:hundred|thousand)(?: and(?= (?:{_ANY_WORD})(?![A-Za-z])))?)"
    r"(?![A-Za-z])){0,8}(?![A-Za-z])"
)
"""A regex of English number words in a row, likewise."""


def chinese_number(text: str) -> Decimal | None:
    """The value of Chinese numerals, 点 as the decimal point; None where they form no number (三五, 十万千)."""
    whole, _, part = text.partition("点")
    value = _whole(whole)
    if value is None:
        return None
    if not part:
        return Decimal(value)
    if any(ch not in _DIGITS for ch in part):
        return None
    return Decimal(f"{value}." + "".join(str(_DIGITS[ch]) for ch in part))


def english_number(text: str) -> Decimal | None:
    """The value of English number words; None where they form no number (two three)."""
    total = group = 0
    for word in re.split(r"[ -]", text.lower().replace(" and ", " ")):
        if word == "hundred" and 0 < group < 10:
            group *= 100
        elif word == "thousand" and group and not total:
            total, group = group * 1000, 0
        elif word in _ENGLISH and _fits(_ENGLISH[word], group % 100):
            group += _ENGLISH[word]
        else:
            return None
    return Decimal(total + group)


def _fits(value: int, before: int) -> bool:
    """True where `value` may follow the tens and ones said `before` it: twenty-four, not twenty twelve."""
    return before == 0 or (before % 10 == 0 and before >= 20 and 0 < value < 10)


def _whole(text: str) -> int | None:
    if text and all(ch in _DIGITS for ch in text):
        # 二〇二六 is read digit by digit; 三五 alone is "three to five".
        return int("".join(str(_DIGITS[ch]) for ch in text)) if len(text) != 2 or text[0] in "〇零○" else None
    for ch in ("亿", "億", "万", "萬"):
        head, found, tail = text.rpartition(ch)
        if found:
            return _sum(_whole(head), _MYRIADS[ch], tail)
    return _thousands(text)


def _sum(head: int | None, size: int, tail: str) -> int | None:
    rest = _whole(tail.lstrip("零〇○")) if tail else 0
    if head is None or rest is None or rest >= size:
        return None
    # 一万二 is 12,000: a lone digit counts in the next lower size.
    return head * size + (rest * size // 10 if len(tail) == 1 and tail in _DIGITS else rest)


def _thousands(text: str) -> int | None:
    total = 0
    digit: int | None = None
    last = 10**4
    for ch in text:
        if ch in _DIGITS:
            if digit:
                return None
            digit = _DIGITS[ch]
            continue
        size = _TENS.get(ch)
        if size is None or size >= last or digit == 0:
            return None
        if digit is None and size != 10:
            return None
        total, digit, last = total + (1 if digit is None else digit) * size, None, size
    if digit is None:
        return total if text else None
    # 三百五 is 350, 三百零五 is 305.
    lone = last in (100, 1000) and text[-2] not in "零〇○"
    return total + digit * (last // 10 if lone else 1)
