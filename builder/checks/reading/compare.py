"""Whether facts of two texts are the same.

The answer may say less exactly what its source says (a day without the year, 3000Pro for GTE-3000Pro), and in other
units where the conversion is exact; it may not say more.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from functools import lru_cache

from builder.checks.reading.fact import BASE, Fact, code_key, codes, facts
from builder.checks.reading.implied import date_parts, implied, periods
from builder.text.numbers import quantities
from builder.text.units import is_measure

__all__ = ["Fact", "code_key", "codes", "facts", "held", "measures", "missing", "same", "stands"]

_TIMES = frozenset({"month", "second", "workday"})
_COUNTERS = frozenset("件份人次个名位台套项种类家张只条本页篇笔单级层楼栋号岁倍遍趟支根块片颗份瓶箱盒袋包杯")
"""Units that count: three copies are three 本."""
_BARE = frozenset({"", "个"})
"""No unit: 3 至 7 个."""
_VAGUE = frozenset("种类项点方条步成")
"""Counters by which an answer sums up what it lists: 有以下三种情况."""
_DAY_OF = re.compile(r"[日号]|(?:st|nd|rd|th)$")


@lru_cache(maxsize=1 << 10)
def held(text: str) -> tuple[Fact, ...]:
    """All facts that `text` bears out: those it states, and what 每年, half, G1 to G6 or 八折 say without a number."""
    return (*facts(text), *implied(text))


def missing(answer: str, *sources: str) -> tuple[Fact, ...]:
    """The facts of `answer` that stand in none of the sources."""
    lacking = [fact for fact in facts(answer) if not stands(fact, sources) and not _idle(fact, sources)]
    return (*lacking, *_other_period(answer, sources))


def _other_period(answer: str, sources: Sequence[str]) -> Iterator[Fact]:
    """40 yuan a week, where the sources speak of another period: a day."""
    known = [fact for source in sources for fact in periods(source)]
    for fact in periods(answer):
        if known and not stands(fact, sources):
            yield fact


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
    return wanted.value == found.value and (wanted.unit == found.unit or {wanted.unit, found.unit} <= _COUNTERS)


def measures(fact: Fact) -> str:
    """What a fact can be mistaken with: how long, how much, or the letters that a code begins with."""
    if fact.kind == "code":
        return "code:" + re.sub(r"\d.*", "", fact.code)
    if fact.kind != "number":
        return fact.kind
    return "duration" if fact.unit in _TIMES else fact.unit if is_measure(fact.unit) else ""


def _size(fact: Fact) -> Decimal:
    """How many of its unit one of the unit in which it is written is."""
    size = _written_size(fact.written)
    if size is not None:
        return size
    return fact.value if fact.unit and fact.value else Decimal(1)  # 每年 says one year


@lru_cache(maxsize=1 << 12)
def _written_size(written: str) -> Decimal | None:
    """The same for the words of a fact; none where they have no number."""
    for quantity in quantities(written):
        return Decimal(BASE[quantity.unit][1]) if quantity.unit in BASE else Decimal(1)
    return None


def _idle(fact: Fact, sources: Sequence[str]) -> bool:
    """True for a small count of what the answer lists itself, and for 再试一次 where the sources count nothing so."""
    if fact.kind != "number":
        return False
    if fact.unit in _VAGUE or (not fact.unit and fact.written.isalpha()):
        return fact.value <= (9 if fact.unit else 3)
    if fact.value != 1 or fact.unit not in _COUNTERS:
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
    return all(part is None or part == other for part, other in zip(date_parts(wanted), date_parts(found), strict=True))
