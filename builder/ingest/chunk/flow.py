"""The lines and tables of a document in reading order, boilerplate left out."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from builder.ingest.lines import text_lines
from builder.model.document import Line, Page, PageOrigin, Table

_SIZE_STEP = 1.08

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class TextLine:
    """A piece of a line that belongs to the body."""

    page: int
    start: int
    end: int
    text: str
    box: Box | None
    """None where the source has no layout."""
    size: float
    """Height of the letters in points; 0 where unknown."""
    edge: float
    """Right edge of the column in points; for sources without layout the length of the longest line around."""
    ocr: bool
    """Sizes and places are estimates."""
    gap: bool
    """An empty line stands before it."""
    tight: bool
    """It goes on with a word that a line end cut: no white space before it, or a hyphen that is left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageTable:
    """A table and the page that it stands on."""

    page: int
    text: str
    """Canonical text of the page."""
    table: Table
    size: float
    """Height of the letters in its first cell, points."""
    columns: tuple[float | None, ...] = ()
    """Where each column begins, points; None where no cell says so, nothing for sources without layout."""


Item = TextLine | PageTable


def flow(pages: Sequence[Page]) -> list[Item]:
    """All lines and tables of the pages that have text."""
    found = [item for page in pages if page.text.strip() for item in _page_items(page)]
    ends = {(page.number, start): end for page in pages for start, end in page.boilerplate if end == start + 1}
    texts = {page.number: page.text for page in pages} if ends else {}
    for index, (one, other) in enumerate(pairwise(found) if ends else (), 1):
        if isinstance(one, TextLine) and isinstance(other, TextLine) and (one.page, one.end) in ends:
            found[index] = replace(other, tight=texts[one.page][one.end] == "-")
    return found


def lines_of(page: Page) -> tuple[Line, ...]:
    """The page's lines; where none are noted, those of its text."""
    return page.lines or text_lines(page.text)


def _page_items(page: Page) -> Iterator[Item]:
    extents = [_extent(table) for table in page.tables]
    lines = [(line, _table_at(line, extents)) for line in lines_of(page)]
    columns = _columns(page, [line for line, number in lines if number is None])
    done: set[int] = set()
    last = 0
    for line, number in lines:
        if number is None:
            for start, end in _body(page, line):
                yield _text_line(page, line, start, end, last, columns)
                last = end
        elif number not in done:
            done.add(number)
            table = page.tables[number]
            yield PageTable(
                page=page.number, text=page.text, table=table, size=line.size, columns=_column_lefts(page, table)
            )
        last = max(last, line.end)


def _table_at(line: Line, extents: Sequence[tuple[int, int]]) -> int | None:
    return next((i for i, (start, end) in enumerate(extents) if start <= line.start < end), None)


def _extent(table: Table) -> tuple[int, int]:
    cells = [cell for row in table.rows for cell in row if cell.start < cell.end]
    return (min(c.start for c in cells), max(c.end for c in cells)) if cells else (0, 0)


def _column_lefts(page: Page, table: Table) -> tuple[float | None, ...]:
    if not page.height:
        return ()
    lefts = {line.start: line.box[0] for line in page.lines}
    found: list[float | None] = [None] * len(table.rows[0])
    for row in table.rows:
        for column, cell in enumerate(row):
            first = column == 0 or row[column - 1] != cell
            if first and found[column] is None and cell.start < cell.end:
                found[column] = lefts.get(cell.start)
    return tuple(found)


def _body(page: Page, line: Line) -> Iterator[tuple[int, int]]:
    """The pieces of a line that are not boilerplate, without white space around them."""
    at = line.start
    holes = sorted((s, e) for s, e in page.boilerplate if s < line.end and e > line.start)
    for start, end in [*holes, (line.end, line.end)]:
        piece = page.text[at : max(at, start)]
        if inner := piece.strip():
            first = at + piece.index(inner[0])
            yield first, first + len(inner)
        at = max(at, end)


def _text_line(page: Page, line: Line, start: int, end: int, last: int, columns: dict[int, float]) -> TextLine:
    between = page.text[last:start]
    return TextLine(
        page=page.number,
        start=start,
        end=end,
        text=page.text[start:end],
        box=line.box if page.height else None,
        size=line.size,
        edge=columns[line.start],
        ocr=page.origin in (PageOrigin.OCR, PageOrigin.HIDDEN),
        gap=between.count("\n") > 1 and not page.height,
        tight=last > 0 and start == last,
    )


@dataclass(frozen=True, slots=True)
class _Lines:
    """Lines of about one size, from the left to the right."""

    lefts: Sequence[float]
    rights: Sequence[float]

    def edge(self, line: Line) -> float:
        """How far lines reach that begin where `line` does; if it begins alone, those above or below it."""
        left, _, right, _ = line.box
        reach = 3 * max(line.size, 10.0)
        first = bisect_left(self.lefts, -reach, key=lambda other: other - left)
        behind = bisect_right(self.lefts, reach, key=lambda other: other - left)
        peers = self.rights[first:behind]
        if len(peers) < 2:
            across = self.rights[: bisect_left(self.lefts, right)]
            peers = [end for end in across if end > left]
        return max(peers, default=right)


def _edges(wanted: Sequence[Line], alike: Mapping[float, _Lines]) -> dict[int, float]:
    """The edge of each line. Lines of one size that begin at one place share it, unless they begin there alone."""
    begun = Counter((line.box[0], line.size) for line in wanted)
    known: dict[tuple[float, float], float] = {}
    found: dict[int, float] = {}
    for line in wanted:
        place = line.box[0], line.size
        if place not in known or begun[place] < 2:
            known[place] = alike[line.size].edge(line)
        found[line.start] = known[place]
    return found


def _alike(size: float, lines: Sequence[Line]) -> Sequence[Line]:
    """The lines of about that size: a title reaches over the columns below it."""
    least, most = size / _SIZE_STEP, size * _SIZE_STEP
    alike = [line for line in lines if least <= line.size <= most]
    return alike if len(alike) > 2 else lines


def _from_left(lines: Iterable[Line]) -> _Lines:
    sides = sorted((line.box[0], line.box[2]) for line in lines)
    return _Lines(lefts=[left for left, _ in sides], rights=[right for _, right in sides])


def _columns(page: Page, wanted: Sequence[Line]) -> dict[int, float]:
    """The right edge of each wanted line's column, by the line's start."""
    lines = lines_of(page)
    if page.height:
        running = {start for start, _ in page.boilerplate}
        body = [line for line in lines if line.start not in running]
        trusted = page.origin is PageOrigin.TEXT  # OCR measures sizes badly
        sizes = {line.size for line in wanted}
        return _edges(wanted, {size: _from_left(_alike(size, body) if trusted else body) for size in sizes})
    edges: dict[int, float] = {}
    group: list[Line] = []
    for line in lines:
        if group and page.text[group[-1].end : line.start].count("\n") > 1:
            edges |= _widest(group)
            group = []
        group.append(line)
    return edges | _widest(group)


def _widest(group: Sequence[Line]) -> dict[int, float]:
    """For sources without layout: lines without an empty one between them are as wide as the longest."""
    widest = float(max((line.end - line.start for line in group), default=0))
    return {line.start: widest for line in group}
