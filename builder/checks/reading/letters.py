"""The letters of a text, for looking before reading: folded once, whoever asks, and kept for a while.

The checks of one case, and what is derived for it, look at the same lines of the same passages again and again.
"""

import re
from collections.abc import Mapping
from functools import cache, lru_cache

from rapidfuzz import fuzz

from builder.text.fold import folded
from builder.text.simplified import simplified

_KEPT = 1 << 14
"""Texts that are kept: the lines of some two thousand passages."""
_MARK = re.compile("[\u0300-\u036f\u3099\u309a\uff9e\uff9f]")
"""An accent of its own: folded together with the letter before it."""


class _Table(dict[int, str]):
    """Characters and what they fold to, filled as they are met."""

    def __missing__(self, code: int) -> str:
        found = self[code] = folded(chr(code))
        return found


@cache
def _table() -> _Table:
    return _Table((code, folded(chr(code))) for code in range(128))


def flat(text: str) -> str:
    """`text` folded, as text.fold.folded does it, in less time."""
    return folded(text) if not text.isascii() and _MARK.search(text) else text.translate(_table())


letters = lru_cache(maxsize=_KEPT)(flat)
"""`text` folded, remembered: for lines, which are looked at again."""
plain = lru_cache(maxsize=_KEPT)(simplified)
"""`text` in simplified characters, remembered."""


@lru_cache(maxsize=_KEPT)
def spoken(text: str) -> str:
    """The letters of a text as `glance` compares them: the stems of words write y for i."""
    return letters(text).replace("i", "y")


def sought(terms: Mapping[str, float]) -> tuple[tuple[str, float], ...]:
    """Terms as `glance` looks for them."""
    return tuple((term.replace("i", "y"), weight) for term, weight in terms.items())


def glance(wanted: tuple[tuple[str, float], ...], held: str, least: float) -> bool:
    """True where the weight of what stands in `held` (see `spoken`) is at least `least`: a quick look at letters."""
    share = 0.0
    if share >= least:
        return True
    for term, weight in wanted:
        if term in held:
            share += weight
            if share >= least:
                return True
    return False


def alike(one: str, other: str, least: int) -> bool:
    """True where text.similarity.similarity of two texts is at least `least`, which is above 0."""
    left, right = letters(one), letters(other)
    return bool(left and right) and fuzz.ratio(left, right, score_cutoff=least) >= least
