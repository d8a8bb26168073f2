"""Facts of a text that a program can compare: numbers with units, dates, times, percentages, codes.

Quantities (text.numbers) are brought to one unit where the conversion is exact: two years are 24 months, a week is
seven days; 30 days are no month, and working days are no days.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Literal

from builder.text.numbers import quantities
from builder.text.numerals import ENGLISH, english_number
from builder.text.units import is_measure, unit_at

_BASE: dict[str, tuple[str, str]] = {
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
_TIMES = frozenset({"month", "second", "workday"})
_COUNTS = frozenset({"件", "份", "人", "次"})
"""Measures that are counters all the same: three copies are three 本."""
_BARE = frozenset({"", "个"})
"""No unit: 3 至 7 个."""
_VAGUE = frozenset("种类项点方条步成")
"""Counters by which an answer sums up what it lists: 有以下三种情况."""
_PLACES = frozenset({"article", "chapter", "section", "paragraph", "item"})

_CODE = re.compile(
    r"[\w.+-]+@[\w.-]+\w|https?://[!-~]+"
    r"|(?<![\w-])\+?\d{2,4}(?:-\d{3,4}){1,3}(?![\w-])"
    r"|(?<![A-Za-z0-9])(?=[A-Za-z0-9/_.-]*\d)[A-Za-z]{1,12}(?:[-_/.]?[A-Za-z0-9]+)*(?![A-Za-z0-9])"
    r"|(?<![A-Za-z0-9])\d+[A-Z][A-Za-z]+(?![A-Za-z0-9])"
)
_NO_CODE = re.compile(
    r"(?:[A-Za-z]+[²³]|[kcm]?m[23]|CO2|H2O|(?:USD|RMB|CNY|EUR|GBP|HKD|JPY|Art|No|Nr)\.?\d[\d.]*)", re.I
)
_CODES_TO = re.compile(
    r"(?<![A-Za-z0-9])([A-Z]{1,3})(\d{1,3})\s?(?:-|–|~|～|至|到|to|through)\s?([A-Z]{1,3})?(\d{1,3})(?!\d)"
)
_LABEL = re.compile(r"[（(]([^()（）\s]{1,8})[)）][^；;：:\n]{0,8}[：:][^；;\n]*$")
_EACH = re.compile(
    r"(?:每|整|当|单|同|次|本|全)\s?(?P<zh>年度?|季度|月|周|天|日|小时|分钟|台|次|单|件)|"
    r"(?<![A-Za-z])(?:an?|per|each|every|one|the next|following|calendar)\s+(?:calendar\s+|full\s+|working\s+)?"
    r"(?P<en>year|quarter|month|week|day|hour|minute|time)(?![A-Za-z])|"
    r"(?<![A-Za-z])(?P<ly>yearly|annual|annually|quarterly|monthly|weekly|daily|hourly|once)(?![A-Za-z])",
    re.IGNORECASE,
)
_PERIOD = re.compile(
    r"每(?:个)?(年|季度|月|周|天|日|小时)|(?<![A-Za-z])(?:an?|per|each|every)\s(year|quarter|month|week|day|hour|night)(?![A-Za-z])",
    re.I,
)
_EVERY = {
    "年": "year", "年度": "year", "季度": "quarter", "月": "month", "周": "week", "天": "day", "日": "day",
    "小时": "hour", "分钟": "minute", "台": "台", "次": "次", "单": "单", "件": "件", "time": "次",
    "yearly": "year", "annual": "year", "annually": "year", "quarterly": "quarter", "monthly": "month",
    "weekly": "week", "daily": "day", "hourly": "hour", "once": "次",
}  # fmt: skip
_SHARES = (
    (re.compile(r"一半|减半|折半|半价|对半|(?<![A-Za-z])half(?!\s+(?:an?\s+)?(?:day|hour|year|month))", re.I), "50"),
    (re.compile(r"全额|全部|全款|(?<![A-Za-z])(?:full|fully|in full|whole)(?![A-Za-z])", re.I), "100"),
)
_OFF = re.compile(r"(?:打\s?)?([一二三四五六七八九\d](?:\.\d|[一二三四五六七八九\d])?)\s?折")
_WORDS = re.compile(rf"(?<![A-Za-z-])(?i:{ENGLISH})")
_TWICE = re.compile(r"(?<![A-Za-z])(twice|thrice)(?![A-Za-z])", re.I)
_WHOLE_DAY = re.compile(r"全天|昼夜|around the clock|day and night", re.I)
_AFTERNOON = re.compile(r"(?:下午|傍晚|晚上|夜里|夜间|晚)\s?(?:[^，。；,;\s]{1,8}\s?(?:到|至|-|–|~|～)\s?)?$")
_MORNING = re.compile(r"(?:凌晨|早上|上午|早|清晨)\s?$")
_WEEKDAYS = "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday"
_WEEKDAY = re.compile(rf"(?:周|星期|礼拜)([一二三四五六日天])|(?<![A-Za-z])({_WEEKDAYS})s?(?![A-Za-z])")
_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_MONTH = re.compile(
    rf"(?<![A-Za-z])(?:(?<=in )|(?<=by )|(?<=of )|(?<=to )|(?<=and )|(?<=until )|(?<=from )|(?<=each ))({_MONTHS})(?![A-Za-z]|\s+\d)"
)
_NEXT = re.compile(r"第\s?二\s?[天日年周]")
"""The next day: no count."""
_DAY_OF = re.compile(r"[日号]|(?:st|nd|rd|th)$")

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


@lru_cache(maxsize=1 << 13)
def facts(text: str) -> tuple[Fact, ...]:
    """All facts that `text` states, in order."""
    found = [*_measured(text), *_named(text), *(_of_code(text, match) for match in _codes(text))]
    return tuple(sorted(found, key=lambda fact: fact.start))


@lru_cache(maxsize=1 << 13)
def held(text: str) -> tuple[Fact, ...]:
    """All facts that `text` bears out: those it states, and what 每年, half, G1 to G6 or 八折 say without a number."""
    return (*facts(text), *_said_otherwise(text))


def codes(text: str) -> tuple[str, ...]:
    """Codes, numbers of parts, addresses, in order."""
    return tuple(match.group() for match in _codes(text))


def code_key(code: str) -> str:
    """A code for comparing: GTE-3000 Pro, gte3000pro."""
    return re.sub(r"[-_/.\s]", "", code).casefold()


def missing(answer: str, *sources: str) -> tuple[Fact, ...]:
    """The facts of `answer` that stand in none of the sources."""
    lacking = [fact for fact in facts(answer) if not stands(fact, sources) and not _idle(fact, sources)]
    return (*lacking, *_other_period(answer, sources))


def _other_period(answer: str, sources: Sequence[str]) -> Iterator[Fact]:
    """40 yuan a week, where the sources speak of another period: a day."""
    known = [fact for source in sources for fact in _each(source)]
    for fact in _each(answer):
        if known and not stands(fact, sources):
            yield fact


def _each(text: str) -> Iterator[Fact]:
    """The periods of 每月 and a month."""
    for match in _PERIOD.finditer(text):
        yield _period(match)


def stands(fact: Fact, sources: Iterable[str]) -> bool:
    """True where one of the sources holds the fact."""
    return any(same(fact, other) for source in sources for other in held(source))


def same(wanted: Fact, found: Fact) -> bool:
    """True where `found` says what `wanted` says, or more exactly so."""
    if wanted.kind == "code" or found.kind == "code":
        return wanted.kind == found.kind and (wanted.code == found.code or _short_for(wanted.code, found.code))
    if wanted.kind == "date":
        return found.kind == "date" and _fits(wanted.value, found.value)
    if wanted.kind == "number" and found.kind == "date":
        return _may_be_day(wanted) and _day(found.value) == wanted.value / _size(wanted)
    if wanted.kind != found.kind:
        return False
    if wanted.unit in _BARE or found.unit in _BARE:
        return wanted.value / _size(wanted) == found.value / _size(found)
    return wanted.value == found.value and (wanted.unit == found.unit or {wanted.unit, found.unit} <= _counters())


@lru_cache(maxsize=1)
def _counters() -> frozenset[str]:
    return _COUNTS | frozenset("个名位台套项种类家张只条本页篇笔单级层楼栋号岁倍遍趟支根块片颗份瓶箱盒袋包杯")


def _size(fact: Fact) -> Decimal:
    """How many of its unit one of the unit in which it is written is."""
    for quantity in quantities(fact.written):
        return Decimal(_BASE[quantity.unit][1]) if quantity.unit in _BASE else Decimal(1)
    return fact.value if fact.unit and fact.value else Decimal(1)  # 每年 says one year


def _measured(text: str) -> Iterator[Fact]:
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
            base, size = _BASE.get(unit, ("%", "10") if unit == "折" else (unit, "1"))
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


def _named(text: str) -> Iterator[Fact]:
    """Weekdays, and English months that stand alone."""
    for match in _WEEKDAY.finditer(text):
        day = "一二三四五六日".index(match[1].replace("天", "日")) if match[1] else _WEEKDAYS.split("|").index(match[2])
        yield Fact(kind="weekday", value=Decimal(day), written=match.group(), start=match.start(), end=match.end())
    for match in _MONTH.finditer(text):
        month = _MONTHS.split("|").index(match[1]) + 1
        yield Fact(kind="date", value=Decimal(month), written=match.group(), start=match.start(), end=match.end())
    for match in _WORDS.finditer(text):
        value = english_number(match.group())
        if value is not None and value > 1 and not quantities(text[match.start() : match.end() + 24].split(",")[0]):
            yield Fact(kind="number", value=value, written=match.group(), start=match.start(), end=match.end())
    for match in _TWICE.finditer(text):
        times = Decimal(2 if match[1].lower() == "twice" else 3)
        yield Fact(kind="number", value=times, unit="次", written=match.group(), start=match.start(), end=match.end())


def _codes(text: str) -> Iterator[re.Match[str]]:
    return (match for match in _CODE.finditer(text) if not _NO_CODE.fullmatch(match.group()))


def _of_code(text: str, match: re.Match[str]) -> Fact:
    return Fact(kind="code", code=code_key(match.group()), written=match.group(), start=match.start(), end=match.end())


def _said_otherwise(text: str) -> Iterator[Fact]:
    for match in _EACH.finditer(text):
        yield _period(match)
    for pattern, value in _SHARES:
        if pattern.search(text):
            yield Fact(kind="number", value=Decimal(value), unit="%")
    for match in _OFF.finditer(text):
        digits = "".join(str("零一二三四五六七八九".find(ch)) if ch in "一二三四五六七八九" else ch for ch in match[1])
        yield Fact(kind="number", value=Decimal(digits) * (1 if len(digits) == 2 else 10), unit="%")
    if _WHOLE_DAY.search(text):
        yield Fact(kind="number", value=Decimal(86400), unit="second")
    if re.search(r"工作日|(?i:working day|weekday|business day)", text):
        yield from (Fact(kind="weekday", value=Decimal(day)) for day in range(5))
    yield from _between_codes(text)
    yield from _between_weekdays(text)
    yield from _of_that_year(text)


def _period(match: re.Match[str]) -> Fact:
    said = next(filter(None, match.groups())).lower()
    unit = _EVERY.get(said, said)
    base, size = _BASE.get(unit, (unit, "1"))
    return Fact(
        kind="number", value=Decimal(size), unit=base, written=match.group(), start=match.start(), end=match.end()
    )


def _between_codes(text: str) -> Iterator[Fact]:
    """G1 to G6 names G3 too."""
    for match in _CODES_TO.finditer(text):
        first, last = int(match[2]), int(match[4])
        if (match[3] or match[1]) == match[1] and first < last <= first + 50:
            yield from (Fact(kind="code", code=f"{match[1]}{n}".casefold()) for n in range(first, last + 1))


def _of_that_year(text: str) -> Iterator[Fact]:
    """2026 年 2 月 15 日至 2 月 23 日: the second day is one of 2026 too."""
    year = None
    for fact in facts(text):
        if fact.kind == "date":
            known, month, day = _parts(fact.value)
            year = known or year
            if year and not known and day:
                yield Fact(kind="date", value=Decimal(year * 10000 + (month or 0) * 100 + day), written=fact.written)


def _between_weekdays(text: str) -> Iterator[Fact]:
    """Monday to Friday names Wednesday too."""
    days = [fact for fact in _named(text) if fact.kind == "weekday"]
    for first, last in zip(days, days[1:], strict=False):
        if re.fullmatch(r"\s?(?:至|到|-|–|~|to|through)\s?", text[first.end : last.start]):
            yield from (Fact(kind="weekday", value=Decimal(n)) for n in range(int(first.value), int(last.value) + 1))


def _idle(fact: Fact, sources: Sequence[str]) -> bool:
    """True for a small count of what the answer lists itself, and for 再试一次 where the sources count nothing so."""
    if fact.kind != "number":
        return False
    if fact.unit in _VAGUE or not fact.unit and fact.written.isalpha():
        return fact.value <= (9 if fact.unit else 3)
    if fact.value != 1 or fact.unit not in _counters():
        return False
    return not any(other.unit == fact.unit for source in sources for other in facts(source))


def _short_for(wanted: str, found: str) -> bool:
    """3000Pro for GTE-3000Pro."""
    return len(wanted) >= 4 and found.endswith(wanted)


def _may_be_day(fact: Fact) -> bool:
    """True for the 23 日 of 2 月 15 日至 23 日, and for a bare number."""
    return not fact.unit or (fact.unit == "second" and _DAY_OF.search(fact.written) is not None)


def _day(date: Decimal) -> Decimal:
    return date % 100 if date > 19000000 or 100 < date < 1300 else Decimal(0)


def _fits(wanted: Decimal, found: Decimal) -> bool:
    """True where the parts that the wanted date has are those of the found one."""
    return all(part is None or part == other for part, other in zip(_parts(wanted), _parts(found), strict=True))


def _parts(date: Decimal) -> Sequence[int | None]:
    """Year, month, day; none where it is not said."""
    value = int(date)
    if value >= 19000000:
        return value // 10000, value // 100 % 100, value % 100
    if value >= 190000:
        return value // 100, value % 100, None
    if value >= 1900:
        return value, None, None
    return (None, value // 100, value % 100) if value > 100 else (None, value, None)


def measures(fact: Fact) -> str:
    """What a fact can be mistaken with: how long, how much, or the letters that a code begins with."""
    if fact.kind == "code":
        return "code:" + re.sub(r"\d.*", "", fact.code)
    if fact.kind != "number":
        return fact.kind
    return "duration" if fact.unit in _TIMES else fact.unit if is_measure(fact.unit) else ""
