"""Dates, times of day and clause numbers, each with one value for its Chinese and its English form.

A date is the number its digits form: 2026年1月1日, 2026-01-01 and January 1, 2026 are 20260101; without a day 202601;
without a year month and day, 101; a month alone 1. 06/07/2026 is read month first where it can be. A time is hours
and minutes, 830. Clause 3.2 is 3.2; where a part has two digits or there are more than two parts, parts behind the
first take three digits each: 3.10 is 3.010, 3.2.1 is 3.002001, so that 3.1 and 3.10 differ.
"""

import re
from collections.abc import Callable
from decimal import Decimal

from builder.text.numerals import DIGITS, MULTIPLIERS, chinese_number

Read = tuple[Decimal, str] | None
"""Value and unit; None where the match is no date after all."""

_N = f"[{DIGITS}{MULTIPLIERS}]"
_YEAR = rf"(?P<y>(?:19|20)[0-9]{{2}}|(?:一九|二[〇零○])[{DIGITS}]{{2}})"
_M = "(?P<m>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])"
_D = "(?P<d>[12][0-9]|3[01]|0?[1-9]|[二三]?十[一二三四五六七八九]?|[一二三四五六七八九])"
# Chinese numerals are not cut: the 八月 of 十八月 is no month.
_UNCUT = rf"(?!(?<={_N}){_N})"
_BEFORE = rf"(?<![0-9A-Za-z_])(?<![0-9][-/.]){_UNCUT}"
_CLOCK = rf"(?<![0-9A-Za-z_:.]){_UNCUT}"
_BEHIND = r"(?![0-9A-Za-z]|[-/.][0-9])"
_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_MONTH = rf"(?P<name>{_MONTHS}|{'|'.join(name[:3] for name in _MONTHS.split('|'))}|Sept)(?![A-Za-z])\.?"
_TH = "(?:st|nd|rd|th)?(?![0-9A-Za-z])"
_HOUR = "(?P<h>[01]?[0-9]|2[0-4]|十[一二三四五六七八九]?|二十[一二三四]?|[一二两三四五六七八九])"
_MINUTE = "(?P<min>[0-5]?[0-9]|[零〇二三四五]?十?[一二三四五六七八九]?)"
_HALF_DAY = r"(?:\s?(?P<half>[ap])\.?m(?![A-Za-z])\.?)"
_LEVELS = {"章": "chapter", "款": "paragraph", "项": "item", "chapter": "chapter", "paragraph": "paragraph"}


def _date(match: re.Match[str]) -> Read:
    fields = match.groupdict()
    month = _month(fields["name"]) if fields.get("name") else _whole(fields.get("m"))
    parts = [(_whole(fields.get("y")), 1), (month, 100), (_whole(fields.get("d")), 100)]
    value = 0
    for part, size in parts:
        value = value * size + part if part is not None else value
    return Decimal(value), "date"


def _time(match: re.Match[str]) -> Read:
    fields = match.groupdict()
    hour = _whole(fields["h"]) or 0
    minute = _whole(fields.get("min")) or 0
    if fields.get("thirty"):
        minute = 30
    if fields.get("half"):
        hour = hour % 12 + (12 if fields["half"].lower() == "p" else 0)
    return Decimal(hour * 100 + minute), "time"


def _clause(match: re.Match[str]) -> Read:
    written = re.sub(r"\s", "", match["no"])
    value = _parts(written.split(".")) if written[0] in "0123456789" else chinese_number(written)
    level = match["level"].lower().rstrip("s")
    return None if value is None else (value, _LEVELS.get(level, "article"))


def _parts(parts: list[str]) -> Decimal:
    if len(parts) == 1 or (len(parts) == 2 and len(parts[1]) == 1):
        return Decimal(".".join(parts))
    return Decimal(f"{parts[0]}." + "".join(part.zfill(3) for part in parts[1:]))


def _month(name: str) -> int:
    return [month[:3] for month in _MONTHS.split("|")].index(name[:3]) + 1


def _whole(text: str | None) -> int | None:
    if not text:
        return None
    value = Decimal(text) if text[0] in "0123456789" else chinese_number(text)
    return None if value is None else int(value)


WORDS = f"{_MONTH.replace('?P<name>', '?:')}|(?i:articles?|sections?|clauses?|chapters?|paragraphs?)\\s{{0,3}}[0-9]"
"""A regex of the English words that a date or clause may begin with."""

RULES: tuple[tuple[str, Callable[[re.Match[str]], Read]], ...] = (
    (rf"{_BEFORE}{_YEAR}\s?年(?:\s?{_M}\s?月(?:\s?{_D}\s?[日号])?)?(?!级|代)", _date),
    (rf"{_BEFORE}{_YEAR}(?P<by>[-/.]){_M}(?P=by){_D}{_BEHIND}", _date),
    (rf"{_BEFORE}{_M}/{_D}/{_YEAR}{_BEHIND}", _date),
    (rf"{_BEFORE}{_D}/{_M}/{_YEAR}{_BEHIND}", _date),
    (rf"{_BEFORE}{_YEAR}[-/](?P<m>0[1-9]|1[0-2]){_BEHIND}", _date),
    (rf"{_BEFORE}{_M}\s?月\s?{_D}\s?[日号]", _date),
    (rf"{_BEFORE}{_M}\s?月(?!以[上下内]|之?内)", _date),
    (rf"(?<![A-Za-z]){_MONTH}\s+(?P<d>[12][0-9]|3[01]|0?[1-9]){_TH}(?:,?\s+{_YEAR}{_BEHIND})?", _date),
    (rf"(?<![A-Za-z]){_MONTH}\s+{_YEAR}{_BEHIND}", _date),
    (rf"{_BEFORE}(?P<d>[12][0-9]|3[01]|0?[1-9])(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}(?:,?\s+{_YEAR}{_BEHIND})?", _date),
    (rf"{_CLOCK}(?P<h>[01]?[0-9]|2[0-4]):(?P<min>[0-5][0-9])(?::[0-5][0-9])?(?![0-9:]){_HALF_DAY}?", _time),
    (rf"{_CLOCK}(?P<h>1[0-2]|0?[1-9]){_HALF_DAY}", _time),
    (rf"{_CLOCK}{_HOUR}\s?[点时]\s?{_MINUTE}分(?!钟)", _time),
    (rf"{_CLOCK}{_HOUR}\s?点(?:[整钟]|(?P<thirty>半))", _time),
    (rf"第\s?(?P<no>[0-9]+(?:\.[0-9]+)*|{_N}+)\s?(?P<level>[条款项章节])", _clause),
    (
        r"(?<![A-Za-z])(?P<level>(?i:articles?|sections?|clauses?|chapters?|paragraphs?)|§)\s{0,3}"
        r"(?P<no>[0-9]+(?:\.[0-9]+)*)(?![0-9A-Za-z])",
        _clause,
    ),
)
"""Patterns and what they read, to be tried in order."""
