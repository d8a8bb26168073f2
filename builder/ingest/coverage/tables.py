"""Table rows between page and chunk: whole, and with the header cells above them?"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from builder.ingest.coverage.masks import PageMasks
from builder.model.chunk import Chunk
from builder.model.coverage import Place, TableRows
from builder.model.document import Page, Table, TableCell
from builder.model.parts import spans

_Range = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Head:
    """A header cell: where it stands, and its text without white space."""

    page: int
    place: _Range
    text: str


@dataclass(slots=True)
class _Tally:
    rows: int = 0
    kept: int = 0
    headless: list[Place] = field(default_factory=list)
    broken: list[Place] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Before:
    """The last table of a page, with the names of its columns."""

    page: Page
    table: Table
    heads: Sequence[Sequence[_Head]]


def seen_rows(pages: Sequence[Page], masks: Mapping[int, PageMasks]) -> TableRows:
    """The rows of all tables that the reader found."""
    tally = _Tally()
    before: _Before | None = None
    texts = {page.number: page.text for page in pages}
    for page in pages:
        for number, table in enumerate(page.tables, 1):
            heads: Sequence[Sequence[_Head]] = _heads(page, table)
            if before and not table.header_rows and number == 1 and _goes_on(before, page, table):
                heads = before.heads
            _count(tally, page, table, heads, masks, texts, number)
            before = _Before(page=page, table=table, heads=heads)
    return TableRows(rows=tally.rows, kept=tally.kept, headless=tuple(tally.headless), broken=tuple(tally.broken))


def _count(
    tally: _Tally,
    page: Page,
    table: Table,
    heads: Sequence[Sequence[_Head]],
    masks: Mapping[int, PageMasks],
    texts: Mapping[int, str],
    table_number: int,
) -> None:
    for number, row in enumerate(table.rows[table.header_rows :], table.header_rows + 1):
        cells = _filled(page, row)
        if not cells:
            continue
        tally.rows += 1
        needed = {head for column, place in cells for head in _column(heads, column) if head.place != place}
        holders = masks[page.number].holders(place for _, place in cells)
        if not holders:
            tally.broken.append(Place(page=page.number, table=table_number, row=number))
        elif any(_carries(chunk, needed, masks, texts) for chunk in holders):
            tally.kept += 1
        else:
            tally.headless.append(Place(page=page.number, table=table_number, row=number))


def _heads(page: Page, table: Table) -> list[list[_Head]]:
    """The header cells above each column; one that reaches over all columns names none.

    Questions and answers need no name of their column.
    """
    rows = [row for row in table.rows[: table.header_rows] if len(row) == 1 or any(a != b for a, b in pairwise(row))]
    width = max(len(row) for row in table.rows)
    columns: list[list[_Head]] = [[] for _ in range(width)]
    for row in rows:
        for column, cell in enumerate(row):
            text = "".join(page.text[cell.start : cell.end].split())
            if text and column not in (table.faq or ()):
                columns[column].append(_Head(page=page.number, place=(cell.start, cell.end), text=text))
    return columns


def _column(heads: Sequence[Sequence[_Head]], column: int) -> Sequence[_Head]:
    return heads[column] if column < len(heads) else ()


def _filled(page: Page, row: Iterable[TableCell]) -> list[tuple[int, _Range]]:
    """Cells with text and their columns; a cell merged over columns comes once, in its first."""
    found: dict[_Range, int] = {}
    for column, cell in enumerate(row):
        if page.text[cell.start : cell.end].strip():
            found.setdefault((cell.start, cell.end), column)
    return [(column, place) for place, column in found.items()]


def _carries(chunk: Chunk, heads: Iterable[_Head], masks: Mapping[int, PageMasks], texts: Mapping[int, str]) -> bool:
    """The chunk holds each header cell, or one of the same text: where a page repeats the header, one is enough."""
    own: set[str] | None = None
    for head in heads:
        if chunk in masks[head.page].holders([head.place]):
            continue
        if own is None:
            own = {"".join(texts[span.page][span.start : span.end].split()) for span in spans(chunk.parts)}
        if head.text not in own:
            return False
    return True


def _goes_on(before: _Before, page: Page, table: Table) -> bool:
    """`table` goes on where the table of the page before ended: as many columns, no text between."""
    if page.number != before.page.number + 1 or len(table.rows[0]) != len(before.table.rows[0]):
        return False
    end = max(cell.end for row in before.table.rows for cell in row)
    filled = [cell.start for row in table.rows for cell in row if cell.start < cell.end]
    return not _body(before.page, end, len(before.page.text)) and not _body(page, 0, min(filled, default=0))


def _body(page: Page, start: int, end: int) -> str:
    """Text between two offsets that is not boilerplate."""
    kept = list(page.text[start:end])
    for low, high in page.boilerplate:
        for at in range(max(low, start), min(high, end)):
            kept[at - start] = " "
    return "".join(kept).strip()
