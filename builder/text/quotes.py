"""Find a quote in a text: exactly, else folded, else nearly.

No match may cut a number: "4 个月" does not stand in "24 个月". A near match may differ in wording only: its numbers,
its codes and the count of its negations are those of the quote.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from rapidfuzz import fuzz

from builder.text.fold import Folded, fold, folded
from builder.text.negation import negations
from builder.text.numbers import quantities
from builder.text.numerals import DIGITS, MULTIPLIERS

_NEAR = 90
"""Least score of a near match."""
_CODE = re.compile(r"[a-z0-9]*[0-9][a-z0-9]*")
_NUMERALS = frozenset(DIGITS + MULTIPLIERS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """Where a quote stands."""

    start: int
    """Offset of the first character."""
    end: int
    """Offset behind the last character."""
    how: Literal["exact", "folded", "fuzzy"]
    """How it was found."""
    score: int
    """0-100; below 100 only where the match is fuzzy."""


def find_quote(quote: str, text: str) -> Match | None:
    """The first place of `quote` in `text`; None where there is none, or where the quote folds to under 2 characters.

    White space around the quote does not count. A fuzzy match is the best one, of at least 90; where it changes a
    number, a code or the count of negations there is none.
    """
    wanted = quote.strip()
    short = folded(wanted)
    if len(short) < 2:
        return None
    for start, end in _places(wanted, text):
        if not _cuts_number(text, start, end):
            return Match(start=start, end=end, how="exact", score=100)
    page = fold(text)
    for start, end in _folded_places(short, page):
        if not _cuts_number(text, start, end):
            return Match(start=start, end=end, how="folded", score=100)
    return _near(wanted, short, text, page)


def occurrences(quote: str, text: str) -> tuple[tuple[int, int], ...]:
    """All places of `quote` in `text`, folded, none overlapping another; empty where the quote folds to nothing."""
    found = _folded_places(folded(quote), fold(text))
    return tuple((start, end) for start, end in found if not _cuts_number(text, start, end))


def _places(wanted: str, text: str) -> Iterator[tuple[int, int]]:
    start = text.find(wanted) if wanted else -1
    while start >= 0:
        yield start, start + len(wanted)
        start = text.find(wanted, start + len(wanted))


def _folded_places(wanted: str, page: Folded) -> Iterator[tuple[int, int]]:
    return (page.original(start, end) for start, end in _places(wanted, page.text))


def _cuts_number(text: str, start: int, end: int) -> bool:
    """True where a number runs across a border of `start:end`."""
    return _within_number(text, start) or _within_number(text, end)


def _within_number(text: str, at: int) -> bool:
    before, after = text[max(0, at - 2) : at], text[at : at + 2]
    if not before or not after:
        return False
    if _counts(before[-1]) and _counts(after[0]):
        return True
    # A decimal point or a thousands comma on either side of the border.
    left = before[-1] in ".,．" and _arabic(before[:-1]) and _arabic(after[0])
    return left or (_arabic(before[-1]) and after[0] in ".,．" and _arabic(after[1:]))


def _counts(ch: str) -> bool:
    return _arabic(ch) or ch in _NUMERALS


def _arabic(ch: str) -> bool:
    return ch.isdecimal()


def _near(wanted: str, short: str, text: str, page: Folded) -> Match | None:
    place = _nearest(short, page.text)
    if place is None:
        return None
    start, end = page.original(*place)
    if _cuts_number(text, start, end) or not _same_facts(wanted, text[start:end]):
        return None
    score = int(fuzz.ratio(short, page.text[slice(*place)]))
    return Match(start=start, end=end, how="fuzzy", score=score)


def _nearest(short: str, page: str) -> tuple[int, int] | None:
    """The best place of `short` in `page`, both folded, if it is good enough."""
    if len(short) >= len(page):
        return (0, len(page)) if page and fuzz.ratio(short, page) >= _NEAR else None
    found = fuzz.partial_ratio_alignment(short, page, score_cutoff=_NEAR)
    return None if found is None else _adjusted(short, page, found.dest_start, found.dest_end)


def _adjusted(short: str, page: str, start: int, end: int) -> tuple[int, int]:
    """The window moved to where the wording ends: partial_ratio takes one of the quote's own length."""
    slack = min(2 + len(short) // 10, 20)
    ends = range(max(start + 1, end - slack), min(len(page), end + slack) + 1)
    end = max(ends, key=lambda at: fuzz.ratio(short, page[start:at]))
    starts = range(max(0, start - slack), min(end - 1, start + slack) + 1)
    return max(starts, key=lambda at: fuzz.ratio(short, page[at:end])), end


def _same_facts(quote: str, found: str) -> bool:
    return negations(quote) == negations(found) and _figures(quote) == _figures(found)


def _figures(text: str) -> Counter[tuple[str, str]]:
    """All quantities, and the codes beside them: E05 is not E06."""
    numbers = quantities(text)
    figures = Counter((str(number.value), number.unit) for number in numbers)
    at = 0
    for number in numbers:
        figures.update(("", code) for code in _CODE.findall(folded(text[at : number.start])))
        at = max(at, number.end)
    figures.update(("", code) for code in _CODE.findall(folded(text[at:])))
    return figures
