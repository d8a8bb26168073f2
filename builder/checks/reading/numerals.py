"""A cheap look at the numbers of a text: which texts may state a fact at all, before facts are read out of them.

A numeral is a value without its unit, so 24 stands for 24 months, 24 hours and GTE-24. Each fact knows the numerals
that a text which states it must write: 24 months is 24 or 2 (years), 30,000 yuan is 30000 or 3 (万).
"""

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache

from builder.checks.reading.compare import Fact
from builder.checks.reading.fact import CHINESE, number_words
from builder.text.numerals import chinese_number, english_number
from builder.text.simplified import simplified

_ARABIC = re.compile(r"[0-9０-９]+(?:[,，][0-9]{3})*(?:\.[0-9]+)?")
_CHINESE = re.compile(f"[{CHINESE}]+")
_SIZES = {"month": (12,), "second": (86400, 604800, 3600, 60), "m": ("0.01", "0.001", 1000), "kg": ("0.001", 1000)}
"""Of a unit that checks.compare measures in: the sizes of other units in which people write it."""
_TIMES = (1000, 10**4, 10**6, 10**8)
"""Multipliers that may stand between a number and its unit: 3 万元, 2 million."""


@lru_cache(maxsize=1 << 14)
def numerals(text: str) -> frozenset[str]:
    """All numerals of `text`, in one written form each."""
    return written_numerals(text)


def written_numerals(text: str) -> frozenset[str]:
    """The same, not remembered: for the texts of a whole corpus."""
    found = {_arabic(written) for written in _ARABIC.findall(text)}
    if not text.isascii():
        found |= {_chinese(written) for written in _CHINESE.findall(text)}
    found |= {_english(match.group()) for match in number_words(text)}
    return frozenset(found - {""})


@lru_cache(maxsize=1 << 13)
def keys(fact: Fact) -> frozenset[str]:
    """Numerals one of which a text that states `fact` writes; empty where it may write none (weekdays)."""
    return frozenset(map(_form, _values(fact)))


def _values(fact: Fact) -> Iterator[Decimal]:
    if fact.kind == "code":
        yield from (Decimal(digits) for digits in re.findall(r"[0-9]+", fact.written)[-1:])
    elif fact.kind == "date":
        value = int(fact.value)
        yield Decimal(
            value // 10000 if value > 10**6 else value // 100 if value >= 1300 * 100 else value % 100 or value
        )
    elif fact.kind == "time":
        hour = fact.value // 100
        yield from (hour, hour - 12)
    elif fact.kind in ("number", "place"):
        yield fact.value
        sizes = (*_SIZES.get(fact.unit, ()), *(size for size in _TIMES if fact.value >= size))
        yield from filter(_short, (fact.value / Decimal(size) for size in sizes))


@lru_cache(maxsize=1 << 12)
def _arabic(written: str) -> str:
    return _form(Decimal(re.sub("[,，]", "", written)))


@lru_cache(maxsize=1 << 12)
def _chinese(written: str) -> str:
    value = chinese_number(simplified(written))
    return "" if value is None else _form(value)


@lru_cache(maxsize=1 << 12)
def _english(written: str) -> str:
    value = english_number(written)
    return "" if value is None else _form(value)


def _form(value: Decimal) -> str:
    return format(value.normalize(), "f")


def _short(value: Decimal) -> bool:
    """True for what people write: 0.5, 1.25, 3; not 0.00024."""
    return value == round(value, 2)
