"""Fixed size: what many systems cut with. Built in so that it can be compared with the structure chunker.

Headings, list items and table headers mean nothing to it; the text is cut at the ends of sentences and table rows, or
hard at any character.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from builder.ingest.chunk.flow import PageTable, flow
from builder.ingest.chunk.paragraphs import Paragraph, paragraphs
from builder.ingest.chunk.passage import Passage
from builder.model.document import Page
from builder.model.parts import Glue, Part, Parts, Span
from builder.settings import ChunkSettings
from builder.text.passages import slice_parts
from builder.text.sentences import sentences

_NEWLINE = Glue(glue="\n")
_BAR = Glue(glue=" | ")
Range = tuple[int, int]


def fixed(pages: Sequence[Page], settings: ChunkSettings) -> tuple[Passage, ...]:
    """Windows of at most `target` characters over the body of a document, in reading order.

    A sentence or row longer than that is a passage of its own up to `maximum`, and is cut beyond. `overlap` goes up to
    half a window.
    """
    lines = list(_lines(pages))
    parts: list[Part] = []
    for line, _ in lines:
        parts += [*line, _NEWLINE]
    text = "\n".join(text for _, text in lines) + "\n"
    overlap = min(settings.overlap, settings.target // 2)
    if settings.border == "hard":
        found = _windows(len(text), settings.target, overlap)
    else:
        limit = max(settings.target, settings.maximum)
        found = _grouped(list(_pieces([text for _, text in lines], limit)), settings.target, overlap)
    cutter = _Cutter(parts)
    return tuple(Passage(parts=cutter.cut(*inner)) for start, end in found if (inner := _trimmed(text, start, end)))


class _Cutter:
    """Cuts ranges of the text out of its parts without a look at all of them."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self._parts = parts
        self._starts = list(accumulate(map(_length, parts), initial=0))

    def cut(self, start: int, end: int) -> Parts:
        """The parts of characters `start:end`."""
        first = bisect_right(self._starts, start) - 1
        last = bisect_right(self._starts, end - 1)
        base = self._starts[first]
        return slice_parts(tuple(self._parts[first:last]), start - base, end - base)


def _lines(pages: Sequence[Page]) -> Iterator[tuple[Parts, str]]:
    """Paragraphs and table rows with their texts; each cell once."""
    found, _ = paragraphs(flow(pages))
    for item in found:
        if isinstance(item, Paragraph):
            yield item.parts, item.text
        else:
            yield from _rows(item)


def _rows(item: PageTable) -> Iterator[tuple[Parts, str]]:
    seen: set[Span] = set()
    for row in item.table.rows:
        spans = [Span(page=item.page, start=cell.start, end=cell.end) for cell in row if cell.start < cell.end]
        fresh = [span for span in dict.fromkeys(spans) if span not in seen]
        seen |= set(fresh)
        if fresh:
            parts: list[Part] = [fresh[0]]
            for span in fresh[1:]:
                parts += [_BAR, span]
            yield tuple(parts), _BAR.glue.join(item.text[span.start : span.end] for span in fresh)


def _pieces(lines: Sequence[str], limit: int) -> Iterator[Range]:
    """Sentences of all lines, as ranges of the joined text; none longer than `limit`."""
    base = 0
    for line in lines:
        for start, end in sentences(line):
            for at in range(start, end, limit):
                yield base + at, base + min(at + limit, end)
        base += len(line) + 1


def _grouped(pieces: Sequence[Range], target: int, overlap: int) -> Iterator[Range]:
    first = 0
    while first < len(pieces):
        start = pieces[first][0]
        last = first
        while last + 1 < len(pieces) and pieces[last + 1][1] - start <= target:
            last += 1
        yield start, pieces[last][1]
        after = last + 1
        if after < len(pieces):
            while after - 1 > first and pieces[last][1] - pieces[after - 1][0] <= overlap:
                after -= 1
        first = after


def _windows(length: int, target: int, overlap: int) -> Iterator[Range]:
    for start in range(0, length, target - overlap):
        yield start, min(start + target, length)
        if start + target >= length:
            return


def _trimmed(text: str, start: int, end: int) -> Range | None:
    """The range without white space at its ends; none where it is nothing else."""
    inner = text[start:end]
    if not inner.strip():
        return None
    return start + len(inner) - len(inner.lstrip()), start + len(inner.rstrip())


def _length(part: Part) -> int:
    return len(part.glue) if isinstance(part, Glue) else part.end - part.start
