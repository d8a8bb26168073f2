"""The lines and tables of a document in reading order, boilerplate left out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from builder.ingest.lines import text_lines
from builder.model.document import Line, Page, PageOrigin, Table

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
    """No white space stands before it: the line end cut a word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageTable:
    """A table and the page that it stands on."""

    page: int
    text: str
    """Canonical text of the page."""
    table: Table
    size: float
    """Height of the letters in its first cell, points."""


Item = TextLine | PageTable


def flow(pages: Sequence[Page]) -> list[Item]:
    """All lines and tables of the pages that have text."""
    return [item for page in pages if page.text.strip() for item in _page_items(page)]


def lines_of(page: Page) -> tuple[Line, ...]:
    """The page's lines; where none are noted, those of its text."""
    return page.lines or text_lines(page.text)


def _page_items(page: Page) -> Iterator[Item]:
    extents = [_extent(table) for table in page.tables]
    done: set[int] = set()
    last = 0
    columns = _columns(page)
    for line in lines_of(page):
        number = next((i for i, (start, end) in enumerate(extents) if start <= line.start < end), None)
        if number is None:
            for start, end in _body(page, line):
                yield _text_line(page, line, start, end, last, columns)
                last = end
        elif number not in done:
            done.add(number)
            yield PageTable(page=page.number, text=page.text, table=page.tables[number], size=line.size)
        last = max(last, line.end)


def _extent(table: Table) -> tuple[int, int]:
    cells = [cell for row in table.rows for cell in row if cell.start < cell.end]
    return (min(c.start for c in cells), max(c.end for c in cells)) if cells else (0, 0)


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


def _column_edge(line: Line, lines: Sequence[Line]) -> float:
    """How far lines reach that begin where this one does; for a line that begins alone, those above or below it."""
    peers = [o.box[2] for o in lines if abs(o.box[0] - line.box[0]) <= 3 * max(line.size, 10.0)]
    if len(peers) < 2:
        peers = [o.box[2] for o in lines if o.box[0] < line.box[2] and o.box[2] > line.box[0]]
    return max(peers, default=line.box[2])


def _columns(page: Page) -> dict[int, float]:
    """The right edge of each line's column, by the line's start."""
    lines = lines_of(page)
    if page.height:
        return {line.start: _column_edge(line, lines) for line in lines}
    edges: dict[int, float] = {}
    group: list[Line] = []
    for line in lines:
        if group and page.text[group[-1].end : line.start].count("\n") > 1:
            group = []
        group.append(line)
        widest = float(max(member.end - member.start for member in group))
        edges |= {member.start: widest for member in group}
    return edges
