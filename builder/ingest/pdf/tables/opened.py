"""Rows of a ruled table whose vertical rules end below the header: the text says where the columns go on."""

from collections.abc import Mapping, Sequence

from builder.ingest.pdf.frame import Box
from builder.ingest.pdf.tables.found import FoundCell, FoundTable
from builder.ingest.pdf.tables.pieces import Piece, text_lines

_ROWS = 3
_PIECES = 3


def is_closed(table: FoundTable) -> bool:
    """Several rows have cells that reach over columns and hold text, or one has a cell over three."""
    reached = [[_reaches(row, n) for n in range(len(row) - 1)] for row in table.rows]
    return sum(map(any, reached)) >= _ROWS or any(sum(row) >= _PIECES - 1 for row in reached)


def opened(table: FoundTable, letters: Mapping[int, Box]) -> FoundTable:
    """The table with such cells cut at its own columns.

    Only where in three rows at least the text of such a cell stands in pieces apart, each within columns; in one row
    already where a cell has three pieces, one in each of its columns.
    """
    xs = sorted({x for row in table.rows for cell in row for x in (cell.box[0], cell.box[2])})
    if len(xs) != len(table.rows[0]) + 1:
        return table
    rows = [_open_row(row, xs, letters) for row in table.rows]
    changed = [(new, old) for new, old in zip(rows, table.rows, strict=True) if new is not old]
    if len(changed) < _ROWS:
        rows = [new if _is_full(new, old) else old for new, old in zip(rows, table.rows, strict=True)]
    return FoundTable(box=table.box, rows=tuple(rows), header_rows=table.header_rows)


def _is_full(new: Sequence[FoundCell], old: Sequence[FoundCell]) -> bool:
    """All that was opened is filled, three columns at least."""
    parts = [one for one, before in zip(new, old, strict=True) if one is not before]
    return len(parts) >= _PIECES and all(part.members for part in parts) and len(set(map(id, parts))) == len(parts)


def _reaches(row: Sequence[FoundCell], column: int) -> bool:
    return row[column] is row[column + 1] and bool(row[column].members)


def _open_row(row: tuple[FoundCell, ...], xs: Sequence[float], letters: Mapping[int, Box]) -> tuple[FoundCell, ...]:
    cells = list(dict.fromkeys(row))
    found = [part for cell in cells for part in _open_cell(cell, row.count(cell), row.index(cell), xs, letters)]
    return row if len(dict.fromkeys(found)) == len(cells) else tuple(found)


def _open_cell(
    cell: FoundCell, columns: int, first: int, xs: Sequence[float], letters: Mapping[int, Box]
) -> list[FoundCell]:
    """The cells that a cell over some columns falls into, one a column; a piece over columns keeps them as one."""
    lines = text_lines({index: letters[index] for index in cell.members if index in letters})
    pieces = [piece for line in lines for piece in line]
    if columns < 2 or len(lines) != 1 or len(pieces) < 2:
        return [cell] * columns
    groups: list[tuple[int, int, tuple[int, ...]]] = []
    for piece in pieces:
        start, end = _columns(piece, xs[first : first + columns + 1])
        if groups and start < groups[-1][1]:
            return [cell] * columns
        at = groups[-1][1] if groups else 0
        groups += [(number, number + 1, ()) for number in range(at, start)]
        groups.append((start, end, piece.members))
    groups += [(number, number + 1, ()) for number in range(groups[-1][1], columns)]
    return [part for group in groups for part in _part(cell, group, xs[first:])]


def _part(cell: FoundCell, group: tuple[int, int, tuple[int, ...]], xs: Sequence[float]) -> list[FoundCell]:
    start, end, members = group
    box = (xs[start], cell.box[1], xs[end], cell.box[3])
    return [FoundCell(box=box, members=tuple(sorted(members)))] * (end - start)


def _columns(piece: Piece, xs: Sequence[float]) -> tuple[int, int]:
    """The columns that a piece stands in, the last one excluded."""
    left, right = piece.box[0] + 1, piece.box[2] - 1
    start = max(0, sum(x <= left for x in xs) - 1)
    return start, max(start + 1, min(len(xs) - 1, sum(x < right for x in xs)))
