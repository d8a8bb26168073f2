"""Quantities: numbers with their units, so that 二十四个月 = 24 个月 = 24 months.

A digit run that belongs to a code (GTE-3000Pro, E05, ISO9001, 1.2.3, 400-810-6688) is no quantity, nor is the mark
of a list item. 一 before a bare counter (一个, 一种) only means "a". A number without a unit has the unit "".
Dates, times and clause numbers: see `dates`. Units have one English name, counters their character: see `units`.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache

from builder.text import dates
from builder.text.amounts import MONEY_SIGNS, MONEY_UNITS, NUMERAL, TIMES, Amount, amount_at, compiled
from builder.text.negation import has_negation
from builder.text.numerals import DIGITS, ENGLISH_START, MULTIPLIERS, chinese_number
from builder.text.simplified import simplified
from builder.text.units import TIME_UNITS, unit_at

__all__ = ["Quantity", "has_negation", "quantities"]

# One character for one, so that offsets stay.
_NARROW = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F) if chr(code) not in "！，；？"} | {
    0x3000: " ",
    0x2212: "-",
    0xFFE5: "¥",
    0xFFE1: "£",
}
_FRACTION = (
    rf"(?P<of>{NUMERAL}{{1,8}})分之"
    rf"(?:(?P<arabic>[0-9]+(?:\.[0-9]+)?)|(?P<part>{NUMERAL}{{1,16}}(?:点[{DIGITS}]{{1,9}})?))"
)
_SKIPPED = "|".join(
    (
        r"https?://[!-~]+|www\.[!-~]+|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]+",
        r"\[[0-9]{1,3}\]|\([0-9]{1,2}\)",
        r"(?m:^)[0-9]{1,3}[.、)](?![0-9])",
        r"\+?[0-9]+(?:-[0-9]+){2,}|0[0-9]{2,3}-[0-9]{7,8}(?![0-9])",
        r"[0-9]+(?:\.[0-9]+){2,}",
    )
)
# A code that begins with a letter: E05, GTE-3000Pro, ISO9001; not USD500.
_CODE_HEAD = rf"(?<![A-Za-z0-9])(?!(?:{MONEY_SIGNS})[0-9])[A-Za-z]{{1,30}}(?:[-_/][A-Za-z]{{1,30}}){{0,3}}[-_]?[0-9]"
_CODE = _CODE_HEAD + r"[A-Za-z0-9]*(?:[-_/.][A-Za-z0-9]+)*"
_TRIGGER = (
    rf"[0-9§¥$€£第半(\[{DIGITS}{MULTIPLIERS}]|零下|[+-](?=[0-9])|人民币|(?<![A-Za-z])(?:{MONEY_SIGNS}|https?:|www\.|"
    rf"{_CODE_HEAD}|[A-Za-z0-9._%+-]{{1,64}}@|{dates.WORDS}|(?i:{ENGLISH_START}))"
)
_TO = r"\s{0,3}(?P<by>至|到|或|~|-|–|—|(?<=\s)(?:to|and|or)(?=\s))\s{0,3}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """One number with its unit; two are the same thing where value and unit are equal."""

    value: Decimal
    """The value."""
    unit: str
    """Canonical unit; a counter stands for itself; empty for a bare number."""
    start: int
    """Offset of the first character."""
    end: int
    """Offset behind the last character, the unit included."""


Found = tuple[list[Quantity], int]


def quantities(text: str) -> tuple[Quantity, ...]:
    """All quantities of `text` in order. A range (3至7天) gives two, both with the unit."""
    plain = simplified(text).translate(_NARROW)
    trigger = compiled(_TRIGGER)
    found: list[Quantity] = []
    at = 0
    while match := trigger.search(plain, at):
        new, end = _read(plain, match.start())
        found += new
        at = max(end, match.start() + 1)
    return tuple(found)


@cache
def _date_rules() -> list[tuple[re.Pattern[str], Callable[[re.Match[str]], dates.Read]]]:
    return [(re.compile(pattern), read) for pattern, read in dates.RULES]


def _read(text: str, at: int) -> Found:
    """What stands at `at`, and where to go on."""
    for pattern, read in _date_rules():
        match = pattern.match(text, at)
        known = match and read(match)
        if match and known:
            return [Quantity(value=_plain(known[0]), unit=known[1], start=at, end=match.end())], match.end()
    skipped = compiled(_SKIPPED).match(text, at) or compiled(_CODE).match(text, at)
    if skipped:
        return [], skipped.end()
    return _fraction(text, at) or _half(text, at) or _numbers(text, at)


def _fraction(text: str, at: int) -> Found | None:
    """百分之十, 千分之五 as per cent; 三分之二 as a bare value."""
    match = compiled(_FRACTION).match(text, at)
    if match is None:
        return None
    of = TIMES.get(match["of"])
    whole = Decimal(of) if of else chinese_number(match["of"])
    written = "一百" if match["part"] == "百" else match["part"]
    part = Decimal(match["arabic"]) if match["arabic"] else chinese_number(written)
    if not whole or part is None:
        return None
    value, unit = (part * 100 / whole, "%") if of else (part / whole, "")
    return [Quantity(value=_plain(value), unit=unit, start=at, end=match.end())], match.end()


def _half(text: str, at: int) -> Found | None:
    """半年, 半个月, 半小时; not 上半年, 半年度."""
    if not compiled(r"(?<![上下前后大小多过一])半(?!年[度报])").match(text, at):
        return None
    unit = unit_at(text, at + 1)
    if unit is None or unit[0] not in TIME_UNITS:
        return None
    return [Quantity(value=Decimal("0.5"), unit=unit[0], start=at, end=unit[1])], unit[1]


def _numbers(text: str, at: int) -> Found:
    """A number, or a range of two."""
    first = amount_at(text, at)
    if first is None:
        return _pair(text, at) or ([], at + 1)
    joint = _joint(text, first)
    second = amount_at(text, joint.end()) if joint else None
    if joint is None or second is None:
        return _single(text, first)
    if second.unit is None and first.unit is None:
        # 3-7 without a unit may be anything; "3 and 7" are two numbers.
        return ([], second.end) if joint["by"] in ("-", "–", "—") else _single(text, first)
    if first.unit is None and first.times == 1 < second.times and first.value < second.value / second.times:
        first = replace(first, value=first.value * second.times)
    pair = (replace(first, unit=first.unit or second.unit), replace(second, unit=second.unit or first.unit))
    return [_quantity(number) for number in pair], second.end


def _joint(text: str, first: Amount) -> re.Match[str] | None:
    """What makes a range of `first` and the next number, if anything does."""
    if first.unit and first.unit not in MONEY_UNITS:
        return None
    match = compiled(_TO).match(text, first.end)
    between = text[max(0, first.start - 9) : first.start].lower().endswith("between ")
    return match if match and (match["by"] != "and" or between) else None


def _single(text: str, number: Amount) -> Found:
    if number.unit is None:
        code = compiled(r"(?:[A-Za-z_]|-[A-Za-z])[A-Za-z0-9]*(?:[-_/.][A-Za-z0-9]+)*").match(text, number.end)
        if code:
            return [], code.end()
        if not _counts_bare(text, number):
            return [], number.end
    return [_quantity(number)], number.end


def _quantity(number: Amount) -> Quantity:
    unit = number.unit or ""
    if unit == "year" and number.form == "arabic" and 1900 <= number.value < 2100:
        unit = "date"  # 2020-2021年
    return Quantity(value=_plain(number.value), unit=unit, start=number.start, end=number.end)


def _plain(value: Decimal) -> Decimal:
    """`value` in one written form: no zeros behind the point, no exponent."""
    written = format(value, "f")
    return Decimal(written.rstrip("0").rstrip(".")) if "." in written else value


def _counts_bare(text: str, number: Amount) -> bool:
    """True where a number without a unit is a number at all: no id, no word, no mark of a heading."""
    if number.form == "arabic":
        whole = number.written.isdigit()
        named = whole and (len(number.written) > 6 or (number.written[0] == "0" and len(number.written) > 1))
        return not named and not (not whole and _heads_line(text, number))
    return number.form == "chinese" and len(number.written) > 1


def _heads_line(text: str, number: Amount) -> bool:
    """True for the 3.2 of a line "3.2 Scope"."""
    before = text[text.rfind("\n", 0, number.start) + 1 : number.start]
    return not before.strip(" \t#") and text[number.end : number.end + 2].strip()[:1].isalpha()


def _pair(text: str, at: int) -> Found | None:
    """三五天: three to five."""
    match = compiled(rf"([{DIGITS}])([{DIGITS}])(?!{NUMERAL})").match(text, at)
    unit = match and unit_at(text, match.end())
    if not match or not unit:
        return None
    values = (chinese_number(match[1]) or Decimal(0), chinese_number(match[2]) or Decimal(0))
    return [Quantity(value=value, unit=unit[0], start=at, end=unit[1]) for value in values], unit[1]
