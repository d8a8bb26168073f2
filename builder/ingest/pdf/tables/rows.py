"""Lines -> rows: which lines are one row because their cells wrap."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import median

from builder.ingest.pdf.frame import Box
from builder.ingest.pdf.tables.columns import Column, Placed, place
from builder.ingest.pdf.tables.pieces import Line, middle

_OWN_ROW = 0.85
Row = list[Placed]
"""What stands in one row, by column; several pieces may stand in one column."""


def rows_of(lines: Sequence[Line], columns: Sequence[Column], letters: Mapping[int, Box]) -> list[Row]:
    """The rows of some lines.

    A line that fills its first column and another one, or half of all, begins a row. Any other belongs to the nearer
    of the rows around it: a cell wraps, and may be centred. A first column alone, as far away as rows are from each
    other, is a row: a title within the table.
    """
    placed = [place(line, columns, letters) for line in lines]
    heights = [middle(line) for line in lines]
    begins = [_begins(row, len(columns)) for row in placed]
    anchors = [height for height, begin in zip(heights, begins, strict=True) if begin]
    pitch = median(b - a for a, b in pairwise(anchors)) if len(anchors) > 1 else 0.0
    rows: list[Row] = []
    pending: Row = []
    for number, row in enumerate(placed):
        if begins[number] or _is_title(row, number, heights, pitch):
            rows.append([*pending, *row])
            pending = []
        elif rows and not _nearer_below(number, heights, begins):
            rows[-1] += row
        else:
            pending += row
    if pending:
        rows.append(pending)
    return rows


def one_row(lines: Sequence[Line], columns: Sequence[Column], letters: Mapping[int, Box]) -> Row:
    """All lines as one row."""
    return [item for line in lines for item in place(line, columns, letters)]


def filled(row: Row) -> set[int]:
    """The columns with text."""
    return {column for first, last, _ in row for column in range(first, last)}


def _begins(row: Row, columns: int) -> bool:
    have = filled(row)
    return len(have) >= 2 and (0 in have or len(have) * 2 >= columns)


def _is_title(row: Row, number: int, heights: Sequence[float], pitch: float) -> bool:
    far = number == 0 or heights[number] - heights[number - 1] >= _OWN_ROW * pitch
    return far and pitch > 0 and 0 in filled(row)


def _nearer_below(number: int, heights: Sequence[float], begins: Sequence[bool]) -> bool:
    """The next line begins a row, and is nearer than the line above."""
    if number == 0 or number + 1 >= len(heights):
        return number == 0
    above, below = heights[number] - heights[number - 1], heights[number + 1] - heights[number]
    return begins[number + 1] and below < above - 0.5
