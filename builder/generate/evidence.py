"""Evidence of an item: verbatim slices of the chunks that it names, and never of another."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from builder.generate.items import Item
from builder.generate.writer import NumberedPassage
from builder.model.case import Evidence
from builder.model.chunk import Chunk
from builder.model.parts import spans
from builder.text.passages import slice_parts
from builder.text.quotes import find_quote

How = Literal["sentences", "exact", "folded", "fuzzy", "whole", "none"]
_WORSE: tuple[How, ...] = ("sentences", "exact", "folded", "fuzzy", "whole", "none")
_APART = 3
"""Numbered sentences that lie at most so far apart become one quote, with what stands between them."""

Range = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounding:
    """Where an answer stands."""

    groups: tuple[tuple[Evidence, ...], ...]
    """One group a place, all needed."""
    how: How
    """How it was found; the worst where there are several places."""


def ground(item: Item, passages: Mapping[int, NumberedPassage], chunks: Mapping[int, Chunk]) -> Grounding:
    """The evidence of `item` in the chunks that it names; none where it names none.

    Sentence numbers give the quote by construction. Else a quote is looked for in the named chunk only. Where neither
    leads anywhere, the whole chunk is the quote, and check `quote` warns.
    """
    places: list[Evidence] = []
    hows: list[How] = [] if item.numbers else ["none"]
    for place, number in enumerate(item.numbers):
        row = item.sentences[place] if place < len(item.sentences) else ()
        ranges, how = _ranges(row, _quotes_for(item, place), passages[number], chunks[number])
        places += [evidence_at(chunks[number], start, end) for start, end in ranges]
        hows.append(how)
    return Grounding(groups=tuple((evidence,) for evidence in dict.fromkeys(places)), how=max(hows, key=_WORSE.index))


def evidence_at(chunk: Chunk, start: int, end: int) -> Evidence:
    """Characters `start:end` of a chunk as evidence; the whole chunk where none of them comes from a page."""
    parts = slice_parts(chunk.parts, start, end)
    if not spans(parts):
        start, end, parts = 0, len(chunk.text), chunk.parts
    return Evidence(doc_id=chunk.doc_id, reading_id=chunk.reading_id, quote=chunk.text[start:end], parts=parts)


def _quotes_for(item: Item, place: int) -> tuple[str, ...]:
    """The quotes that may belong to the passage at `place`: one each where there are as many, else all of them."""
    several = len(item.numbers) > 1
    return (item.quotes[place],) if several and len(item.quotes) == len(item.numbers) else item.quotes


def _ranges(
    row: Sequence[int], quotes: Iterable[str], passage: NumberedPassage, chunk: Chunk
) -> tuple[list[Range], How]:
    if row and all(1 <= number <= len(passage.sentences) for number in row):
        return _joined(row, passage.sentences), "sentences"
    found: list[tuple[Range, How]] = []
    for quote in quotes:
        match = find_quote(quote, chunk.text)
        if match is not None:
            found.append(((match.start, match.end), match.how))
    if not found:
        return [(0, len(chunk.text))], "whole"
    return [place for place, _ in found], max((how for _, how in found), key=_WORSE.index)


def _joined(row: Sequence[int], sentences: Sequence[Range]) -> list[Range]:
    """The smallest ranges that hold the numbered sentences, near ones joined."""
    clusters: list[list[int]] = []
    for number in sorted(set(row)):
        if clusters and number - clusters[-1][-1] <= _APART:
            clusters[-1].append(number)
        else:
            clusters.append([number])
    return [(sentences[cluster[0] - 1][0], sentences[cluster[-1] - 1][1]) for cluster in clusters]
