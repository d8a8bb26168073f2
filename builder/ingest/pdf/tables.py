"""Tables with ruled lines: `page_rules` finds the rules, `page_tables` the tables between them.

pdfplumber's TableFinder is fed with pdfium's rules; pdfplumber itself would parse the page once more, at many times
the cost. All coordinates are those of the page as shown, so that a rotated page is no special case.
"""

import ctypes
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pypdfium2.raw as raw

from builder.ingest.pdf.characters import Characters
from builder.ingest.pdf.frame import Box, Frame
from builder.ingest.pdf.objects import Matrix, PageObjects, apply, matrix_of

_SEGMENTS = 5_000
_EDGES = 4_000
_THIN = 0.5
_SHORT = 1.0
_SLOTS = 20_000
_LONG_CELL = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Ruled lines of a page, as boxes without width or without height."""

    horizontal: tuple[Box, ...]
    vertical: tuple[Box, ...]

    @property
    def enough(self) -> bool:
        """Enough for a table, and not so many that they are a drawing."""
        total = len(self.horizontal) + len(self.vertical)
        return len(self.horizontal) >= 2 and len(self.vertical) >= 2 and total <= _EDGES


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundCell:
    """A cell and the characters in it."""

    box: Box
    members: tuple[int, ...]
    """Indexes of its characters, ascending; a character lies in one cell of a page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundTable:
    """A table as rows of cells; a merged cell is repeated where it reaches, and is the same object."""

    box: Box
    rows: tuple[tuple[FoundCell, ...], ...]


def page_rules(objects: PageObjects, frame: Frame) -> Rules:
    """The horizontal and vertical lines that are drawn on a page, sides of rectangles among them."""
    horizontal: list[Box] = []
    vertical: list[Box] = []
    for handle, outer in objects.paths:
        for stroke in _strokes(handle, matrix_of(handle, outer), frame):
            x0, y0, x1, y1 = _clipped(stroke, frame.size)
            if y1 - y0 < _THIN and x1 - x0 >= _SHORT:
                horizontal.append((x0, y0, x1, y0))
            elif x1 - x0 < _THIN and y1 - y0 >= _SHORT:
                vertical.append((x0, y0, x0, y1))
    return Rules(horizontal=tuple(horizontal), vertical=tuple(vertical))


def page_tables(rules: Rules, characters: Characters) -> tuple[FoundTable, ...]:
    """The ruled tables of a page with at least two rows, two columns and two filled cells, top to bottom."""
    if not rules.enough:
        return ()
    grids = [grid for cells in _cell_groups(rules, characters.frame) if (grid := _grid(cells))]
    if not grids:
        return ()
    members = _members(characters, [cell for grid in grids for cell in dict.fromkeys(_flat(grid))])
    tables = [_table(grid, members) for grid in grids]
    return tuple(table for table in tables if _is_table(table))


def _is_table(table: FoundTable) -> bool:
    """Two filled cells, and none that holds a page of text: that is a frame around text, or a drawing."""
    filled = [len(cell.members) for cell in dict.fromkeys(_flat(table.rows)) if cell.members]
    return len(filled) >= 2 and not (max(filled) > _LONG_CELL and max(filled) * 2 > sum(filled))


def _strokes(handle: Any, matrix: Matrix, frame: Frame) -> Iterator[Box]:
    """The straight pieces of a path, as boxes on the page as shown."""
    total = raw.FPDFPath_CountSegments(handle)
    if not 2 <= total <= _SEGMENTS:
        return
    x, y = ctypes.c_float(), ctypes.c_float()
    first = last = (0.0, 0.0)
    for index in range(total):
        segment = raw.FPDFPath_GetPathSegment(handle, index)
        raw.FPDFPathSegment_GetPoint(segment, x, y)
        point = frame.point(*apply(matrix, x.value, y.value))
        kind = raw.FPDFPathSegment_GetType(segment)
        if kind == raw.FPDF_SEGMENT_MOVETO:
            first = point
        elif kind == raw.FPDF_SEGMENT_LINETO:
            yield _between(last, point)
        if raw.FPDFPathSegment_GetClose(segment):
            yield _between(point, first)
        last = point


def _clipped(box: Box, size: tuple[float, float]) -> Box:
    """The part of a straight piece that lies on the page; empty where none does."""
    x0, y0, x1, y1 = box
    if x1 < 0 or y1 < 0 or x0 > size[0] or y0 > size[1]:
        return 0.0, 0.0, 0.0, 0.0
    return max(x0, 0.0), max(y0, 0.0), min(x1, size[0]), min(y1, size[1])


def _between(one: tuple[float, float], other: tuple[float, float]) -> Box:
    return min(one[0], other[0]), min(one[1], other[1]), max(one[0], other[0]), max(one[1], other[1])


class _Ruled:
    """As much of a pdfplumber page as its TableFinder asks for."""

    def __init__(self, rules: Rules, frame: Frame) -> None:
        self.bbox = (0.0, 0.0, *frame.size)
        self.chars: list[dict[str, Any]] = []
        self.edges = [_edge(box, "h") for box in rules.horizontal] + [_edge(box, "v") for box in rules.vertical]


def _edge(box: Box, orientation: str) -> dict[str, Any]:
    x0, top, x1, bottom = box
    return {
        "x0": x0,
        "x1": x1,
        "top": top,
        "bottom": bottom,
        "width": x1 - x0,
        "height": bottom - top,
        "orientation": orientation,
        "object_type": "line",
    }


def _cell_groups(rules: Rules, frame: Frame) -> list[list[Box]]:
    """The cells of each table, from pdfplumber."""
    from pdfplumber.table import TableFinder, TableSettings

    page: Any = _Ruled(rules, frame)
    return [list(table.cells) for table in TableFinder(page, TableSettings.resolve({})).tables]


def _grid(cells: Sequence[Box]) -> tuple[tuple[Box, ...], ...]:
    """Rows of cell boxes; a merged cell stands in each place that it reaches. Empty where this is no table."""
    xs = sorted({x for cell in cells for x in (cell[0], cell[2])})
    ys = sorted({y for cell in cells for y in (cell[1], cell[3])})
    if len(xs) < 3 or len(ys) < 3 or len(xs) * len(ys) > _SLOTS:
        return ()
    column, row = {x: i for i, x in enumerate(xs)}, {y: i for i, y in enumerate(ys)}
    grid = [[(xs[i], ys[j], xs[i + 1], ys[j + 1]) for i in range(len(xs) - 1)] for j in range(len(ys) - 1)]
    for cell in cells:
        for j in range(row[cell[1]], row[cell[3]]):
            for i in range(column[cell[0]], column[cell[2]]):
                grid[j][i] = cell
    return tuple(tuple(line) for line in grid)


def _flat(rows: Sequence[Sequence[Any]]) -> Iterator[Any]:
    return (cell for row in rows for cell in row)


def _members(characters: Characters, cells: Sequence[Box]) -> dict[Box, list[int]]:
    """The characters in each cell, by their middle; each in the first cell that holds it."""
    ordered = sorted(cells, key=lambda cell: cell[1])
    tops = [cell[1] for cell in ordered]
    tallest = max(cell[3] - cell[1] for cell in cells)
    found: dict[Box, list[int]] = {cell: [] for cell in cells}
    for index, box in enumerate(characters.boxes()):
        if box is None:
            continue
        x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        for cell in ordered[
            bisect_right(tops, y - tallest) - 1 if y > tops[0] + tallest else 0 : bisect_right(tops, y)
        ]:
            if cell[0] <= x < cell[2] and y < cell[3]:
                found[cell].append(index)
                break
    return found


def _table(grid: Sequence[Sequence[Box]], members: dict[Box, list[int]]) -> FoundTable:
    cells = {box: FoundCell(box=box, members=tuple(members.pop(box, ()))) for box in dict.fromkeys(_flat(grid))}
    left, top = grid[0][0][0], grid[0][0][1]
    right, bottom = grid[-1][-1][2], grid[-1][-1][3]
    return FoundTable(box=(left, top, right, bottom), rows=tuple(tuple(cells[box] for box in row) for row in grid))
