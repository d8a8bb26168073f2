"""One number with its multiplier and unit: 3 万元, twenty-four (24) months, -18 ℃."""

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache

from builder.text.numerals import DIGITS, ENGLISH, MULTIPLIERS, chinese_number, english_number
from builder.text.units import TIME_UNITS, is_measure, unit_at

_MONEY = {"¥": "CNY", "$": "USD", "US$": "USD", "€": "EUR", "£": "GBP", "HK$": "HKD", "人民币": "CNY", "RMB": "CNY"} | {
    code: code for code in ("CNY", "USD", "EUR", "GBP", "HKD", "JPY")
}
MONEY_UNITS = frozenset(_MONEY.values())
"""Canonical currencies."""
TIMES = {"百": 100, "千": 1000, "万": 10**4, "十万": 10**5, "百万": 10**6, "千万": 10**7, "亿": 10**8} | {
    "thousand": 10**3,
    "million": 10**6,
    "billion": 10**9,
}
"""Words that multiply a number in digits."""
_BELOW_ZERO = frozenset({None, "℃", "℉", "°", "%", "pp", "dB", "V", "CNY", "USD", "EUR"})
MONEY_SIGNS = "|".join(map(re.escape, sorted(_MONEY, key=len, reverse=True)))
"""A regex of what may stand before an amount of money."""

# 三千克 is 3 kg: 千 may belong to the unit.
NUMERAL = rf"(?:千(?![克米瓦帕赫])|[{DIGITS}{MULTIPLIERS.replace('千', '')}])"
"""A regex of one Chinese numeral."""
_NUMBER = (
    rf"(?:(?P<money>(?<![A-Za-z])(?:{MONEY_SIGNS}))\s?)?(?P<sign>零下\s?|(?<![^\s(:,、~\u4e00-\u9fff])-)?"
    r"(?:(?P<arabic>(?(money)|(?<![0-9A-Za-z_])(?<![0-9]\.))(?:[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])|[0-9]+)(?:\.[0-9]+)?)"
    rf"(?:(?:st|nd|rd|th)(?![A-Za-z]))?|(?P<chinese>{NUMERAL}(?:\n?{NUMERAL}){{0,15}}(?:点[{DIGITS}]{{1,9}})?)"
    rf"|(?P<english>(?<![A-Za-z])(?i:{ENGLISH})))"
)
_TIMES_PATTERN = r"\s?(?P<times>百万|十万|千万|百|千(?![克米瓦帕赫])|万|亿|(?i:thousand|million|billion)(?![A-Za-z]))"


@dataclass(frozen=True, slots=True, kw_only=True)
class Amount:
    """A number as read; unit None where there is none."""

    value: Decimal
    unit: str | None
    start: int
    end: int
    form: str
    """arabic, chinese or english."""
    written: str
    """Its characters, without multiplier and unit."""
    times: Decimal = Decimal(1)


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """The regex, compiled when first used."""
    return re.compile(pattern)


def amount_at(text: str, at: int) -> Amount | None:
    """The number at `at` with its multiplier and unit."""
    match = compiled(_NUMBER).match(text, at)
    if match is None:
        return None
    form = match.lastgroup or ""
    written = match[form]
    value = _value(form, written)
    if value is None:
        return None
    times = compiled(_TIMES_PATTERN).match(text, match.end()) if form == "arabic" else None
    size = Decimal(TIMES[times["times"].lower()]) if times else Decimal(1)
    number = Amount(
        value=value * size if times else value,
        unit=_MONEY.get(match["money"] or ""),
        start=at,
        end=times.end() if times else match.end(),
        form=form,
        written=written,
        times=size,
    )
    number = _with_unit(text, number)
    return replace(number, value=-number.value) if match["sign"] and _may_be_negative(match, number) else number


def _may_be_negative(match: re.Match[str], number: Amount) -> bool:
    before = match.string[max(0, match.start("sign") - 1) : match.start("sign")]
    # 冷冻-18℃ is below zero; in 保修-24 the - is a dash.
    return number.unit in _BELOW_ZERO and (not before or not before.isalpha() or number.unit in ("℃", "℉"))


def _value(form: str, written: str) -> Decimal | None:
    if form == "arabic":
        return Decimal(written.replace(",", ""))
    return chinese_number(written.replace("\n", "")) if form == "chinese" else english_number(written)


def _with_unit(text: str, number: Amount) -> Amount:
    """`number` with the unit that follows it, also behind its repetition: twenty-four (24) months."""
    at = _behind_repetition(text, number)
    half = text.startswith("个半", at)
    found = unit_at(text, at + 2 if half else at) or unit_at(text, at + (text[at : at + 1] in ("多", "余", "来")))
    if found is None or _idle(text, number, found[0]):
        return number
    unit, end = found
    if number.unit:
        return replace(number, end=end) if unit in MONEY_UNITS else number
    more = half and unit in TIME_UNITS
    if unit in TIME_UNITS and text.startswith("半", end) and not text.startswith("半价", end):
        more, end = True, end + 1
    return replace(number, unit=unit, end=end, value=number.value + (Decimal("0.5") if more else 0))


def _behind_repetition(text: str, number: Amount) -> int:
    match = compiled(r"\s?\(\s?([^()\n]{1,40})\s?\)").match(text, number.end)
    inner = match and compiled(_NUMBER).fullmatch(match[1].strip())
    if match and inner and inner.lastgroup:
        return match.end() if _value(inner.lastgroup, inner[inner.lastgroup]) == number.value else number.end
    return number.end


def _idle(text: str, number: Amount, unit: str) -> bool:
    """True for 一个, 同一天, 十分, 零件: a word, no count."""
    if number.form != "chinese":
        return False
    before = text[max(0, number.start - 1) : number.start]
    a = number.written == "一" and (not is_measure(unit) or unit == "°" or before in tuple("同统唯单某任逐专"))
    return a or (number.written, unit) in (("十", "分"), ("零", "件"), ("零", "点"))
