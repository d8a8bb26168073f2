"""Tables between ruled lines.

pdfplumber's TableFinder is fed with pdfium's rules; pdfplumber itself would parse the page once more, at many times
the cost. All coordinates are those of the page as shown, so that a rotated page is no special case.
"""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

from builder.ingest.pdf.characters import Characters
from builder.ingest.pdf.frame import Box, Frame
from builder.ingest.pdf.tables.found import FoundCell, FoundTable, flat
from builder.ingest.pdf.tables.rules import Rules
from builder.ingest.pdf.tables.sides import with_sides

_SLOTS = 20_000
_LONG_CELL = 1_000
_BAR = 5.0
Grid = tuple[tuple[Box, ...], ...]


def ruled_tables(rules: Rules, characters: Characters) -> list[FoundTable]:
    """The tables between rules with at least two rows, two columns and two filled cells, top to bottom."""
    if not rules.enough:
        return []
    grids = [grid for cells in _cell_groups(with_sides(rules), characters.frame) if (grid := _grid(cells))]
    if not grids:
        return []
    members = _members(characters, [cell for grid in grids for cell in dict.fromkeys(flat(grid))])
    tables = [_table(grid, members) for grid in grids]
    return [table for table in tables if _is_table(table)]


def _is_table(table: FoundTable) -> bool:
    """Two filled cells, and none that holds a page of text: that is a frame around text, or a drawing."""
    if len(table.rows) < 2 or len(table.rows[0]) < 2:
        return False
    filled = [len(cell.members) for cell in dict.fromkeys(flat(table.rows)) if cell.members]
    return len(filled) >= 2 and not (max(filled) > _LONG_CELL and max(filled) * 2 > sum(filled))


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


def _grid(cells: Sequence[Box]) -> Grid:
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


def _table(grid: Grid, members: dict[Box, list[int]]) -> FoundTable:
    cells = {box: FoundCell(box=box, members=tuple(members.pop(box, ()))) for box in dict.fromkeys(flat(grid))}
    left, top = grid[0][0][0], grid[0][0][1]
    right, bottom = grid[-1][-1][2], grid[-1][-1][3]
    rows = tuple(tuple(cells[box] for box in row) for row in grid)
    rows = tuple(row for row in rows if not _is_bar(row, 1))
    thick = {n for n, column in enumerate(zip(*rows, strict=True)) if _is_bar(column, 0)}
    rows = tuple(tuple(cell for n, cell in enumerate(row) if n not in thick) for row in rows)
    return FoundTable(box=(left, top, right, bottom), rows=rows)


def _is_bar(cells: Sequence[FoundCell], side: int) -> bool:
    """No row (or column, with `side` 0) but the thickness of a rule that is drawn as a filled rectangle.

    Cells that reach over it are those of a row or column beside it.
    """
    own = [cell for cell in cells if cell.box[side + 2] - cell.box[side] < _BAR]
    return bool(own) and not any(cell.members for cell in own)
