"""The words of a question that carry its meaning, and how many of them a text holds."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from builder.generate.types import grounds
from builder.text.fold import folded

# Words with which one asks, beside those of plain grammar that `grounds.words` leaves out; both languages alike.
_ASKING_ZH = "请问 知道 告诉 想问 多大 几点 几号 几天 几年 几个 几次 为什么 怎么样 一下 一共"
_ASKING_EN = "much many long please tell know often soon want get"
_ASKING = frozenset(_ASKING_ZH.split()) | frozenset(_ASKING_EN.split())


@lru_cache(maxsize=4096)
def terms(text: str) -> tuple[str, ...]:
    """Codes and words that carry the meaning of `text`, each once; no numbers."""
    codes = (folded(code) for code in grounds.terms(text))
    return tuple(sorted({*codes, *(grounds.words(text) - _ASKING)}))


def held(wanted: Sequence[str], text: str) -> tuple[str, ...]:
    """Which of the `wanted` terms stand in `text`: Chinese ones and codes anywhere, English ones as whole words."""
    whole, words = folded(text), grounds.words(text)
    return tuple(term for term in wanted if (term in words if term.isascii() and term.isalpha() else term in whole))


def share(wanted: Sequence[str], text: str) -> int:
    """Per cent of the `wanted` terms that stand in `text`; 0 where none is wanted."""
    return 100 * len(held(wanted, text)) // len(wanted) if wanted else 0


def best_place(wanted: Sequence[str], text: str, places: Iterable[tuple[int, int]]) -> tuple[int, int]:
    """The place that holds most of the `wanted` terms, the first of them; the whole text where there is no place."""
    return max(places, key=lambda place: len(held(wanted, text[slice(*place)])), default=(0, len(text)))
