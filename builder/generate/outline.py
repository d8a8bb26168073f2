"""Outlines: neutral facts in place of sentences, so that questions cannot copy their wording.

Of a sentence there stay, in order: quantities with their units, codes, numbers and addresses as they are written, words
that set a condition or deny, and words that mean something. What joins them goes.
"""

import re
from collections.abc import Iterator
from functools import cache

from builder.text.fold import folded
from builder.text.language import is_cjk
from builder.text.numbers import quantities

JOINT = " / "
NOTHING = "…"
"""Stands for a sentence without a fact, so that the numbers of the others stay."""

# Codes, telephone numbers and addresses: GTE-3000Pro, E05, 400-810-6688, hr@example.com, https://example.com/a.
CODES = re.compile(
    r"https?://[!-~]+|[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+|(?<![A-Za-z0-9])(?:[A-Za-z]{1,12}[-_/]?)+[0-9][A-Za-z0-9]*"
    r"(?:[-_/.][A-Za-z0-9]+)*|(?<![0-9])[0-9]{3,4}(?:-[0-9]{3,8}){1,3}(?![0-9])"
)
# Single characters that set a condition, a limit or deny; other single characters mean little alone.
_MARKS = frozenset("不未无非没勿若如仅只须应可能禁免除前后内外起止满超低高至达每各均")
# Words that only join others. Conditions (如果, 除外, if, unless) and negations are not among them.
_ZH = (
    "的 了 是 在 和 与 及 或 以及 或者 并 并且 而 且 也 又 还 就 都 则 即 其 其中 该 此 本 这 那 这个 那个 之 所 以 "
    "于 由 被 把 将 对 对于 关于 按 按照 依照 根据 为 为了 作为 从 自 向 给 等 等等 进行 通过 有关 相关 上述 下列 "
    "因 因为 所以 由于 之日 之日起"
)
_EN = (
    "the a an of and or to in on at by for from with as is are was were be been being this that these those it its "
    "their they them he she his her your you we our us i me my which who whom whose what there here also then than so "
    "such will would shall has have had do does did into onto upon per about any"
)
_JOINING = frozenset(_ZH.split()) | frozenset(_EN.split())
_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*|[0-9][0-9.,:%]*|[^\W\d_A-Za-z]+")


def outlined(sentence: str) -> str:
    """The facts of one sentence on one line; a single word stands for itself."""
    return JOINT.join(terms(sentence)) or NOTHING


def terms(text: str) -> tuple[str, ...]:
    """What means something in `text`, in order; quantities and codes whole."""
    return tuple(_terms(text))


def _terms(text: str) -> Iterator[str]:
    at = 0
    for start, end in _whole(text):
        yield from _words(text[at:start])
        yield " ".join(text[start:end].split())
        at = end
    yield from _words(text[at:])


def _whole(text: str) -> list[tuple[int, int]]:
    """Spans that are never cut: codes, then quantities that touch none, in order."""
    spans = [found.span() for found in CODES.finditer(text)]
    for quantity in quantities(text):
        if all(quantity.end <= start or end <= quantity.start for start, end in spans):
            spans.append((quantity.start, quantity.end))
    return sorted(spans)


def _words(text: str) -> Iterator[str]:
    for found in _WORD.finditer(text):
        yield from filter(_means, _cut(found.group()) if is_cjk(found.group()[0]) else (found.group(),))


@cache
def _cut(text: str) -> tuple[str, ...]:
    import rjieba

    return tuple(rjieba.cut(text))


def _means(word: str) -> bool:
    if len(word) == 1 and is_cjk(word):
        return word in _MARKS
    return word.casefold() not in _JOINING and folded(word)[:1].isalnum()
