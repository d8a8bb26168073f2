"""What a text says exactly without a number of its own: 每年, half, 八折, around the clock, G1 to G6."""

import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import pairwise

from builder.checks.reading.fact import BASE, Fact, facts

_EACH = re.compile(
    r"(?:每个?|整|当|单|同|次|本|全|[按逐/])\s?(?P<zh>年度?|季度|月|周|星期|天|日|晚|夜|小时|分钟|台|次|单|件)|"
    r"(?<![A-Za-z])(?:an?|per|each|every|one|the next|following|calendar)[\s-]+(?:calendar\s+|full\s+|working\s+)?"
    r"(?P<en>year|annum|quarter|month|week|day|night|hour|minute|time)(?![A-Za-z])|"
    r"/\s?(?P<by>year|yr|quarter|month|week|day|night|hour)(?![A-Za-z])|"
    r"(?<![A-Za-z])(?P<ly>yearly|annual|annually|quarterly|monthly|weekly|daily|nightly|hourly|once)(?![A-Za-z])",
    re.IGNORECASE,
)
_PERIOD = re.compile(
    r"每(?:个)?(年|季度|月|周|星期|天|日|晚|夜|小时)|"
    r"(?<![A-Za-z])(?:an?|per|each|every)\s(year|annum|quarter|month|week|day|hour|night)(?![A-Za-z])|"
    r"(?<=[元\d])\s?/\s?(年|季度|月|周|天|日|晚|夜|小时|(?:year|quarter|month|week|day|night|hour)(?![A-Za-z]))",
    re.I,
)
_EVERY = {
    "年": "year", "年度": "year", "季度": "quarter", "月": "month", "周": "week", "星期": "week",
    "天": "day", "日": "day", "晚": "night", "夜": "night", "annum": "year", "yr": "year", "nightly": "night",
    "小时": "hour", "分钟": "minute", "台": "台", "次": "次", "单": "单", "件": "件", "time": "次",
    "yearly": "year", "annual": "year", "annually": "year", "quarterly": "quarter", "monthly": "month",
    "weekly": "week", "daily": "day", "hourly": "hour", "once": "次",
}  # fmt: skip
_SHARES = (
    (re.compile(r"一半|减半|折半|半价|对半|(?<![A-Za-z])half(?!\s+(?:an?\s+)?(?:day|hour|year|month))", re.I), "50"),
    (re.compile(r"全额|全部|全款|(?<![A-Za-z])(?:full|fully|in full|whole)(?![A-Za-z])", re.I), "100"),
)
_OFF = re.compile(r"(?:打\s?)?([一二三四五六七八九\d](?:\.\d|[一二三四五六七八九\d])?)\s?折")
_WHOLE_DAY = re.compile(r"全天|昼夜|around the clock|day and night", re.I)
_CODES_TO = re.compile(
    r"(?<![A-Za-z0-9])([A-Z]{1,3})(\d{1,3})\s?(?:-|–|~|～|至|到|to|through)\s?([A-Z]{1,3})?(\d{1,3})(?!\d)"
)


def implied(text: str) -> Iterator[Fact]:
    """The facts that `text` bears out beside those that it states."""
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


def periods(text: str) -> Iterator[Fact]:
    """The periods of 每月 and a month."""
    for match in _PERIOD.finditer(text):
        yield _period(match)


def _period(match: re.Match[str]) -> Fact:
    said = next(filter(None, match.groups())).lower()
    unit = _EVERY.get(said, said)
    base, size = BASE.get(unit, (unit, "1"))
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
            known, month, day = date_parts(fact.value)
            year = known or year
            if year and not known and day:
                yield Fact(kind="date", value=Decimal(year * 10000 + (month or 0) * 100 + day), written=fact.written)


def _between_weekdays(text: str) -> Iterator[Fact]:
    """Monday to Friday names Wednesday too."""
    days = [fact for fact in facts(text) if fact.kind == "weekday"]
    for first, last in pairwise(days):
        if re.fullmatch(r"\s?(?:至|到|-|–|~|to|through)\s?", text[first.end : last.start]):
            yield from (Fact(kind="weekday", value=Decimal(n)) for n in range(int(first.value), int(last.value) + 1))


def date_parts(date: Decimal) -> tuple[int | None, int | None, int | None]:
    """Year, month, day; none where it is not said."""
    value = int(date)
    if value >= 19000000:
        return value // 10000, value // 100 % 100, value % 100
    if value >= 190000:
        return value // 100, value % 100, None
    if value >= 1900:
        return value, None, None
    return (None, value // 100, value % 100) if value > 100 else (None, value, None)
