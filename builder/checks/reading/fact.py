"""Facts of a text: numbers with units, dates, times, weekdays, codes, as it states them.

Quantities (text.numbers) are brought to one unit where the conversion is exact: two years are 24 months, a week is
seven days; 30 days are no month, and working days are no days.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Literal

from builder.text.numbers import quantities
from builder.text.numerals import DIGITS, ENGLISH, ENGLISH_START, MULTIPLIERS, english_number
from builder.text.simplified import simplified_forms
from builder.text.units import unit_at

BASE: dict[str, tuple[str, str]] = {
    "year": ("month", "12"),
    "quarter": ("month", "3"),
    "week": ("second", "604800"),
    "day": ("second", "86400"),
    "hour": ("second", "3600"),
    "minute": ("second", "60"),
    "ms": ("second", "0.001"),
    "g": ("kg", "0.001"),
    "mg": ("kg", "0.000001"),
    "t": ("kg", "1000"),
    "mm": ("m", "0.001"),
    "cm": ("m", "0.01"),
    "km": ("m", "1000"),
    "mL": ("L", "0.001"),
    "kW": ("W", "1000"),
    "kPa": ("MPa", "0.001"),
    "Pa": ("MPa", "0.000001"),
    "mA": ("A", "0.001"),
    "mAh": ("Ah", "0.001"),
    "kHz": ("Hz", "1000"),
    "MHz": ("Hz", "1000000"),
    "GHz": ("Hz", "1000000000"),
    "mm2": ("m2", "0.000001"),
    "cm2": ("m2", "0.0001"),
}
"""Units, the unit they are measured in, and how many of it one is: exact conversions only."""
_PLACES = frozenset({"article", "chapter", "section", "paragraph", "item"})
CHINESE = DIGITS + MULTIPLIERS + "".join(o for o, new in simplified_forms().items() if new in DIGITS + MULTIPLIERS)
"""Characters of Chinese numerals, traditional forms included: to look for them takes less than to convert a text."""
_MAY_COUNT = re.compile(f"[0-9０-９半{CHINESE}]")
"""Every quantity has one of these, or an English number in words: most clauses have none."""
_MAY_BE_CODE = re.compile(r"[\d@]|://")
"""Every code has one of these: most sentences have none."""
_NAMES = re.compile(r"[周星礼JFMASONDWT](?:期|拜|[一二三四五六日天]|[a-z]{2})")
"""What a weekday or month begins with."""
_CODE = re.compile(
    r"(?<![A-Za-z0-9_.+-])[A-Za-z0-9_.+-]{1,64}@[A-Za-z0-9_.-]+[A-Za-z0-9]|https?://[!-~]+"
    r"|(?<![\w-])\+?\d{2,4}(?:-\d{3,4}){1,3}(?![\w-])"
    r"|(?<![A-Za-z0-9])(?=[A-Za-z0-9/_.-]*\d)[A-Za-z]{1,12}(?:[-_/.]?[A-Za-z0-9]+)*(?![A-Za-z0-9])"
    r"|(?<![A-Za-z0-9])\d+[A-Z][A-Za-z]+(?![A-Za-z0-9])"
)
_NO_CODE = re.compile(
    r"(?:[A-Za-z]+[²³]|[kcm]?m[23]|CO2|H2O|(?:USD|RMB|CNY|EUR|GBP|HKD|JPY|Art|No|Nr)\.?\d[\d.]*)", re.I
)
_LABEL = re.compile(r"[（(]([^()（）\s]{1,8})[)）][^；;：:\n]{0,8}[：:][^；;\n]*$")
_BEGINS = re.compile(rf"(?s)[efnostzEFNOSTZ](?<![A-Za-z].)(?<=(?=(?i:{ENGLISH_START})).)")
"""Where an English number may begin: a class of letters stands first, because a search jumps to those."""
_WORDS = re.compile(rf"(?i:{ENGLISH})")
_WORDS_APART = re.compile(rf"(?<!-)(?i:{ENGLISH})")
_TWICE = re.compile(r"(?<![A-Za-z])(twice|thrice)(?![A-Za-z])", re.I)
_AFTERNOON = re.compile(r"(?:下午|傍晚|晚上|夜里|夜间|晚)\s?(?:[^，。；,;\s]{1,8}\s?(?:到|至|-|–|~|～)\s?)?$")
_MORNING = re.compile(r"(?:凌晨|早上|上午|早|清晨)\s?$")
_WEEKDAYS = "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday"
_WEEKDAY = re.compile(rf"(?:周|星期|礼拜)([一二三四五六日天])|(?<![A-Za-z])({_WEEKDAYS})s?(?![A-Za-z])")
_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_MONTH = re.compile(
    rf"(?<![A-Za-z])(?:(?<=in )|(?<=by )|(?<=of )|(?<=to )|(?<=and )|(?<=until )|(?<=from )|"
    rf"(?<=each ))({_MONTHS})(?![A-Za-z]|\s+\d)"
)
_NEXT = re.compile(r"第\s?二\s?[天日年周]")
"""The next day: no count."""

Kind = Literal["number", "date", "time", "weekday", "place", "code"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One thing that is said exactly."""

    kind: Kind
    """What it is."""
    value: Decimal = Decimal(0)
    """The value, in `unit`."""
    unit: str = ""
    """The unit that all of its kind are brought to; empty for a bare number."""
    code: str = ""
    """A code, folded."""
    written: str = ""
    """As it stands."""
    start: int = 0
    """Where it stands."""
    end: int = 0
    """Offset behind it."""

    @property
    def is_number(self) -> bool:
        """It counts or measures something, or names a day."""
        return self.kind in ("number", "date", "time")


@lru_cache(maxsize=1 << 12)
def facts(text: str) -> tuple[Fact, ...]:
    """All facts that `text` states, in order."""
    found = [*_measured(text), *_named(text), *(_of_code(text, match) for match in _codes(text))]
    return tuple(sorted(found, key=lambda fact: fact.start))


def codes(text: str) -> tuple[str, ...]:
    """Codes, numbers of parts, addresses, in order."""
    return tuple(match.group() for match in _codes(text))


def code_key(code: str) -> str:
    """A code for comparing: GTE-3000 Pro, gte3000pro."""
    return re.sub(r"[-_/.\s]", "", code).casefold()


def _measured(text: str) -> Iterator[Fact]:
    if not _MAY_COUNT.search(text) and not _BEGINS.search(text):
        return
    for quantity in quantities(text):
        written = text[quantity.start : quantity.end]
        if _NEXT.search(text[max(0, quantity.start - 2) : quantity.end]):
            continue
        at = {"written": written.strip(), "start": quantity.start, "end": quantity.end}
        if quantity.unit == "date":
            yield Fact(kind="date", value=quantity.value, **at)  # type: ignore[arg-type]
        elif quantity.unit == "time" or (quantity.unit in ("点", "时") and quantity.value <= 24):
            value = quantity.value if quantity.unit == "time" else quantity.value * 100
            yield Fact(kind="time", value=_by_day(text, quantity.start, value), **at)  # type: ignore[arg-type]
        elif quantity.unit in _PLACES:
            yield Fact(kind="place", value=quantity.value, unit=quantity.unit, **at)  # type: ignore[arg-type]
        else:
            unit = quantity.unit or _label(text, quantity.start)
            base, size = BASE.get(unit, ("%", "10") if unit == "折" else (unit, "1"))
            yield Fact(kind="number", value=quantity.value * Decimal(size), unit=base, **at)  # type: ignore[arg-type]


def _label(text: str, at: int) -> str:
    """The unit that the label of a cell names: 整机保修（月）：24."""
    match = _LABEL.search(text[max(0, at - 60) : at])
    if match is None:
        return ""
    unit = unit_at(f"1{match[1]}", 1) or unit_at(f"1个{match[1]}", 1)
    return unit[0] if unit else ""


def _by_day(text: str, at: int, value: Decimal) -> Decimal:
    """A time of day on the clock of 24 hours: 晚上 9 点 is 2100."""
    before = text[max(0, at - 14) : at]
    return value + 1200 if value < 1200 and _AFTERNOON.search(before) and not _MORNING.search(before) else value


def number_words(text: str, apart: bool = False) -> Iterator[re.Match[str]]:
    """English numbers in words, one behind the other; `apart`: those alone that stand behind no hyphen."""
    at, words = 0, _WORDS_APART if apart else _WORDS
    while begins := _BEGINS.search(text, at):
        match = words.match(text, begins.start())
        if match:
            yield match
        at = match.end() if match else begins.start() + 1


def _named(text: str) -> Iterator[Fact]:
    """Weekdays, English months that stand alone, English numbers in words."""
    if _NAMES.search(text):
        yield from _days_and_months(text)
    for match in number_words(text, apart=True):
        value = english_number(match.group())
        if value is not None and value > 1 and not quantities(text[match.start() : match.end() + 24].split(",")[0]):
            yield Fact(kind="number", value=value, written=match.group(), start=match.start(), end=match.end())
    for match in _TWICE.finditer(text):
        times = Decimal(2 if match[1].lower() == "twice" else 3)
        yield Fact(kind="number", value=times, unit="次", written=match.group(), start=match.start(), end=match.end())


def _days_and_months(text: str) -> Iterator[Fact]:
    for match in _WEEKDAY.finditer(text):
        day = "一二三四五六日".index(match[1].replace("天", "日")) if match[1] else _WEEKDAYS.split("|").index(match[2])
        yield Fact(kind="weekday", value=Decimal(day), written=match.group(), start=match.start(), end=match.end())
    for match in _MONTH.finditer(text):
        month = _MONTHS.split("|").index(match[1]) + 1
        yield Fact(kind="date", value=Decimal(month), written=match.group(), start=match.start(), end=match.end())


def _codes(text: str) -> Iterator[re.Match[str]]:
    if not _MAY_BE_CODE.search(text):
        return iter(())
    return (match for match in _CODE.finditer(text) if not _NO_CODE.fullmatch(match.group()))


def _of_code(text: str, match: re.Match[str]) -> Fact:
    return Fact(kind="code", code=code_key(match.group()), written=match.group(), start=match.start(), end=match.end())
