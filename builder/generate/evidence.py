"""Evidence of an item: verbatim slices of the chunks that it names, and never of another.

A model that names the wrong sentence is corrected where another sentence of the same chunk holds the facts of its
answer. One that names the wrong passage is not: where the named passage does not bear the answer out, there is no
evidence, and `found` says which passage does.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from builder.checks.reading.support import best_sentence, holds, lacks, sentence_with, unrelated
from builder.generate.items import Item
from builder.generate.writer import NumberedPassage
from builder.model.case import Evidence
from builder.model.chunk import Chunk
from builder.model.parts import spans
from builder.text.passages import slice_parts
from builder.text.quotes import find_quote

How = Literal["sentences", "exact", "folded", "repaired", "fuzzy", "whole", "elsewhere", "misattributed", "none"]
_WORSE: tuple[How, ...] = (
    "sentences", "exact", "folded", "repaired", "fuzzy", "whole", "elsewhere", "misattributed", "none"
)  # fmt: skip
_APART = 3
"""Numbered sentences that lie at most so far apart become one quote, with what stands between them."""

Range = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """What was found in one named passage."""

    ranges: Sequence[Range]
    """Where; empty where the passage does not bear the answer out."""
    how: How
    """How it was found."""
    note: str = ""
    """repaired: old and new sentence numbers, `2>3`; misattributed: the number of the right passage."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounding:
    """Where an answer stands."""

    groups: tuple[tuple[Evidence, ...], ...]
    """One group a place, all needed."""
    how: How
    """How it was found; the worst where there are several places."""
    note: str = ""
    """See Place.note."""

    @property
    def found(self) -> str:
        """How and note in one word, as the checks read it: `repaired:2>3`, `misattributed:4`."""
        return f"{self.how}:{self.note}" if self.note else self.how


def ground(item: Item, passages: Mapping[int, NumberedPassage], chunks: Mapping[int, Chunk]) -> Grounding:
    """The evidence of `item` in the chunks that it names; none where it names none.

    Sentence numbers give the quote by construction. Else a quote is looked for in the named chunk only. Where it gives
    neither, the whole chunk is the quote, and check `quote` warns. Where the quote stands in another passage that was
    sent (misattributed) or nowhere (elsewhere), the sentence of the named chunk that bears the answer out is the
    evidence; where there is none, there is no evidence.
    """
    evidence: list[Evidence] = []
    found: list[Place] = [] if item.numbers else [Place(ranges=(), how="none")]
    for at, number in enumerate(item.numbers):
        place = _place(item, at, passages, chunks)
        evidence += [evidence_at(chunks[number], start, end) for start, end in place.ranges]
        found.append(place)
    worst = max(found, key=lambda place: _WORSE.index(place.how))
    return Grounding(groups=tuple((one,) for one in dict.fromkeys(evidence)), how=worst.how, note=worst.note)


def evidence_at(chunk: Chunk, start: int, end: int) -> Evidence:
    """Characters `start:end` of a chunk as evidence; the whole chunk where none of them comes from a page."""
    parts = slice_parts(chunk.parts, start, end)
    if not spans(parts):
        start, end, parts = 0, len(chunk.text), chunk.parts
    return Evidence(doc_id=chunk.doc_id, reading_id=chunk.reading_id, quote=chunk.text[start:end], parts=parts)


def _place(item: Item, at: int, passages: Mapping[int, NumberedPassage], chunks: Mapping[int, Chunk]) -> Place:
    number = item.numbers[at]
    row = item.sentences[at] if at < len(item.sentences) else ()
    passage, chunk = passages[number], chunks[number]
    if row and all(1 <= sentence <= len(passage.sentences) for sentence in row):
        return _corrected(item, sorted(set(row)), number, passages, chunks, "sentences")
    quotes = _quotes_for(item, at)
    if not quotes:
        other = _right_passage(item, number, passages, chunks) if unrelated_to(item, chunk, passage) else None
        return _empty("misattributed", other) if other else Place(ranges=[(0, len(chunk.text))], how="whole")
    ranges, how = _quoted(quotes, chunk)
    if not ranges:
        return _misquoted(item, quotes, number, passages, chunks)
    return _checked(item, ranges, how, number, passages, chunks)


def _quotes_for(item: Item, place: int) -> tuple[str, ...]:
    """The quotes that may belong to the passage at `place`: one each where there are as many, else all of them."""
    several = len(item.numbers) > 1
    return (item.quotes[place],) if several and len(item.quotes) == len(item.numbers) else item.quotes


def _quoted(quotes: Iterable[str], chunk: Chunk) -> tuple[list[Range], How]:
    matches = [match for quote in quotes if (match := find_quote(quote, chunk.text))]
    hows: list[How] = [match.how for match in matches]
    return [(match.start, match.end) for match in matches], max(hows, key=_WORSE.index, default="none")


def _misquoted(
    item: Item,
    quotes: Sequence[str],
    number: int,
    passages: Mapping[int, NumberedPassage],
    chunks: Mapping[int, Chunk],
) -> Place:
    """What to make of quotes that do not stand in the named chunk."""
    other = next((n for n, chunk in chunks.items() if n != number and _quoted(quotes, chunk)[0]), None)
    passage, chunk = passages[number], chunks[number]
    best = best_sentence(item.question, item.answer, chunk.text, _around(chunk))
    ranges = [passage.sentences[best - 1]] if best and item.answerable else []
    how: How = "misattributed" if other else "elsewhere"
    return Place(ranges=ranges, how=how, note=str(other) if other else "")


def _checked(
    item: Item,
    ranges: list[Range],
    how: How,
    number: int,
    passages: Mapping[int, NumberedPassage],
    chunks: Mapping[int, Chunk],
) -> Place:
    """Quotes that were found, corrected where another sentence of the chunk holds the facts of the answer."""
    spans_ = passages[number].sentences
    touched = [at for at, (low, high) in enumerate(spans_, 1) if any(s < high and low < e for s, e in ranges)]
    place = _corrected(item, touched, number, passages, chunks, how) if touched else None
    return place if place and place.how == "repaired" and how != "fuzzy" else Place(ranges=ranges, how=how)


def _corrected(
    item: Item,
    row: Sequence[int],
    number: int,
    passages: Mapping[int, NumberedPassage],
    chunks: Mapping[int, Chunk],
    how: How,
) -> Place:
    """The numbered sentences where they bear the answer out; else the right ones, if there are any."""
    passage, chunk = passages[number], chunks[number]
    held = "\n".join(chunk.text[slice(*passage.sentences[at - 1])] for at in row)
    around = _around(chunk)
    named = Place(ranges=_joined(row, passage.sentences), how=how)
    if not item.answerable or len(item.numbers) > 1:
        return named
    gone = lacks(item.question, item.answer, held, around)
    if not gone and not unrelated(item.question, item.answer, held):
        return named
    if gone:
        right = sentence_with(gone, item.question, item.answer, chunk.text, passage.sentences, row)
        if right is not None:
            alone = holds(item.question, item.answer, chunk.text[slice(*passage.sentences[right - 1])], around)
            new = [right] if alone else sorted({*row, right})
            return Place(ranges=_joined(new, passage.sentences), how="repaired", note=f"{_listed(row)}>{_listed(new)}")
    if unrelated_to(item, chunk, passage):
        other = _right_passage(item, number, passages, chunks)
        if other:
            return _empty("misattributed", other)
    return named


def unrelated_to(item: Item, chunk: Chunk, passage: NumberedPassage) -> bool:
    """True where no sentence of the chunk bears the answer out."""
    return item.answerable and best_sentence(item.question, item.answer, chunk.text, _around(chunk)) is None


def _right_passage(
    item: Item, number: int, passages: Mapping[int, NumberedPassage], chunks: Mapping[int, Chunk]
) -> int | None:
    """The number of the first other passage with a sentence that bears the answer out."""
    for other, chunk in chunks.items():
        if other != number and best_sentence(item.question, item.answer, chunk.text, _around(chunk)) is not None:
            return other
    return None


def _empty(how: How, number: int) -> Place:
    return Place(ranges=(), how=how, note=str(number))


def _around(chunk: Chunk) -> str:
    """What a reader of the chunk knows from its headings."""
    return "\n".join((chunk.metadata.title or "", *chunk.section))


def _listed(numbers: Iterable[int]) -> str:
    return ",".join(map(str, numbers))


def _joined(row: Sequence[int], sentences: Sequence[Range]) -> list[Range]:
    """The smallest ranges that hold the numbered sentences, near ones joined."""
    clusters: list[list[int]] = []
    for number in sorted(set(row)):
        if clusters and number - clusters[-1][-1] <= _APART:
            clusters[-1].append(number)
        else:
            clusters.append([number])
    return [(sentences[cluster[0] - 1][0], sentences[cluster[-1] - 1][1]) for cluster in clusters]
