"""Sentences of two documents that say the same of another value: units for the type `conflict`."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from rapidfuzz import fuzz

from builder.generate.terms import terms
from builder.model.chunk import Chunk, ChunkKind
from builder.text.fold import folded
from builder.text.numbers import quantities
from builder.text.sentences import sentences

_RARE = 40
"""A word that more sentences hold is no sign that two of them speak of one thing."""
_LIKE = 70
"""Least likeness of two sentences, their numbers taken out, 0-100: what versions change beside a number stays above."""
_MOST = 3
"""Values of one sentence that the other does not have; where more differ, it is another rule."""
_CODE = re.compile(r"[A-Za-z]+[-_]?[0-9][A-Za-z0-9-]*")
_NAMES = frozenset(("date", "article", "chapter", "section", "paragraph", "item", "版"))
"""Units of numbers that name a day or a place in a text: they differ between versions and say nothing."""

Value = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Point:
    """One sentence with a value."""

    chunk: Chunk
    text: str
    values: frozenset[Value]
    """Value and unit of its numbers."""
    codes: frozenset[str]
    masked: str
    """The folded text without its numbers."""


def values_of(text: str) -> frozenset[Value]:
    """The numbers of a text that say something, by value and unit; no dates, years, articles and editions."""
    return frozenset(
        (format(one.value, "f"), one.unit)
        for one in quantities(text)
        if one.unit not in _NAMES and not (one.unit == "" and 1900 <= one.value < 2100)
    )


def rivals(chunks: Iterable[Chunk]) -> Iterator[tuple[Point, Point]]:
    """Pairs of sentences of different documents that differ in the value alone, in reading order of the first one.

    Tables are left out: which cell a question is about cannot be told from a whole row.
    """
    points = [point for chunk in chunks if chunk.kind is not ChunkKind.TABLE for point in _points(chunk)]
    words = [frozenset(terms(point.text)) for point in points]
    for left, candidates in enumerate(_candidates(words)):
        for right in sorted(candidates):
            if _are_rivals(points[left], points[right]):
                yield points[left], points[right]


def _points(chunk: Chunk) -> tuple[Point, ...]:
    found = []
    for start, end in sentences(chunk.text):
        text = chunk.text[start:end]
        if values := values_of(text):
            codes = frozenset(code.casefold() for code in _CODE.findall(text))
            found.append(Point(chunk, text, values, codes, _masked(text)))
    return tuple(found)


def _masked(text: str) -> str:
    """The folded text without its numbers and codes."""
    rest = list(text)
    for one in quantities(text):
        rest[one.start : one.end] = " " * (one.end - one.start)
    return folded(_CODE.sub(" ", "".join(rest)))


def _candidates(words: list[frozenset[str]]) -> Iterator[set[int]]:
    """For each sentence the later ones that share at least two rare words with it."""
    where: Mapping[str, list[int]] = defaultdict(list)
    for place, row in enumerate(words):
        for word in row:
            where[word].append(place)
    for place, row in enumerate(words):
        shared = Counter(other for word in row if len(where[word]) <= _RARE for other in where[word] if other > place)
        yield {other for other, count in shared.items() if count >= 2}


def _are_rivals(a: Point, b: Point) -> bool:
    if a.chunk.doc_id == b.chunk.doc_id or a.chunk.language != b.chunk.language or a.codes != b.codes:
        return False
    only_a, only_b = a.values - b.values, b.values - a.values
    if not only_a or not only_b or max(len(only_a), len(only_b)) > _MOST:
        return False
    same_units = {unit for _, unit in only_a} & {unit for _, unit in only_b}
    return bool(same_units) and fuzz.ratio(a.masked, b.masked) >= _LIKE
