"""Rows of a ruled table that hold several: no rule stands between them, but each begins on a line of its own."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from builder.ingest.pdf.frame import Box
from builder.ingest.pdf.tables.found import FoundCell, FoundTable
from builder.ingest.pdf.tables.pieces import Piece, text_lines

_SAME_LINE = 0.35
_NUMBER = re.compile(r"[\W_]*\d[\d\W_]*[%xXkKmM]?")
_MOST_FILLED = 0.5
_PITCH = 0.9
Lines = list[dict[int, Piece]]
"""Pieces by column, line by line."""


def may_hold_rows(table: FoundTable, text: str) -> bool:
    """The first and the last cell of a row have several lines."""
    return any(len(row) > 2 and _wraps(row[0], text) and _wraps(row[-1], text) for row in table.rows)


def split_rows(table: FoundTable, text: str, letters: Mapping[int, Box]) -> FoundTable:
    """The table with such rows cut.

    A line begins a row where all columns have text in it, one of them a number, as in the other lines that begin
    rows. What wraps is never taken for a row: other lines fill half of the columns at most.
    """
    rows = [part for n, row in enumerate(table.rows) for part in _split(row, _alone(table, n), text, letters)]
    return FoundTable(box=table.box, rows=tuple(rows), header_rows=table.header_rows)


def _wraps(cell: FoundCell, text: str) -> bool:
    return bool(cell.members) and "\n" in text[cell.members[0] : cell.members[-1]]


def _alone(table: FoundTable, number: int) -> bool:
    """No cell of the row reaches into another one, or over columns."""
    row = table.rows[number]
    beside = [*table.rows[max(0, number - 1) : number], *table.rows[number + 1 : number + 2]]
    return len({id(cell) for cell in row}) == len(row) > 2 and not any(
        cell is other for cell, *others in zip(row, *beside, strict=True) for other in others
    )


def _split(
    row: tuple[FoundCell, ...], alone: bool, text: str, letters: Mapping[int, Box]
) -> list[tuple[FoundCell, ...]]:
    lines = _lines(row, letters) if alone and _wraps(row[0], text) and _wraps(row[-1], text) else []
    full = [number for number, line in enumerate(lines) if len(line) == len(row)]
    others = [line for line in lines if len(line) < len(row)]
    if len(full) < 2 or any(len(line) > _MOST_FILLED * len(row) for line in others):
        return [row]
    begins = _titles(lines, full, text)
    if begins[0] != 0 or not _has_numbers([lines[number] for number in full], len(row), text):
        return [row]
    tops = [min(piece.box[1] for piece in lines[number].values()) for number in begins]
    ys = [row[0].box[1], *tops[1:], row[0].box[3]]
    groups = [lines[start:end] for start, end in zip(begins, [*begins[1:], len(lines)], strict=True)]
    return [_made(row, group, ys[n], ys[n + 1]) for n, group in enumerate(groups)]


def _titles(lines: Lines, full: Sequence[int], text: str) -> list[int]:
    """The lines that begin rows: full ones, and those of the first column alone as far apart as full ones are.

    One that begins with a small letter goes on with the line above.
    """
    heights = [next(iter(line.values())).middle for line in lines]
    pitch = min((heights[b] - heights[a] for a, b in pairwise(full) if b == a + 1), default=0.0)
    return [
        number
        for number, line in enumerate(lines)
        if number in full
        or (
            set(line) == {0}
            and pitch
            and not text[line[0].members[0]].islower()
            and (number == 0 or heights[number] - heights[number - 1] >= _PITCH * pitch)
        )
    ]


def _lines(row: Sequence[FoundCell], letters: Mapping[int, Box]) -> Lines:
    found: list[tuple[float, dict[int, Piece]]] = []
    pieces = [
        (column, piece)
        for column, cell in enumerate(row)
        for line in text_lines({index: letters[index] for index in cell.members if index in letters})
        for piece in [_whole(line)]
    ]
    for column, piece in sorted(pieces, key=lambda one: one[1].middle):
        if found and piece.middle - found[-1][0] <= _SAME_LINE * piece.height and column not in found[-1][1]:
            found[-1][1][column] = piece
        else:
            found.append((piece.middle, {column: piece}))
    return [line for _, line in found]


def _whole(line: Sequence[Piece]) -> Piece:
    lefts, tops, rights, bottoms = zip(*(piece.box for piece in line), strict=True)
    members = tuple(index for piece in line for index in piece.members)
    return Piece(box=(min(lefts), min(tops), max(rights), max(bottoms)), members=members)


def _has_numbers(lines: Sequence[dict[int, Piece]], columns: int, text: str) -> bool:
    """One column but the first is a number in each line, or two hold digits."""
    words = [["".join(text[i] for i in line[column].members) for line in lines] for column in range(1, columns)]
    numbers = sum(all(_NUMBER.fullmatch(word) for word in column) for column in words)
    digits = sum(all(any(map(str.isdigit, word)) for word in column) for column in words)
    return numbers > 0 or digits > 1


def _made(row: Sequence[FoundCell], lines: Lines, top: float, bottom: float) -> tuple[FoundCell, ...]:
    made: list[FoundCell] = []
    for column, cell in enumerate(row):
        members = sorted(index for line in lines if column in line for index in line[column].members)
        made.append(FoundCell(box=(cell.box[0], top, cell.box[2], bottom), members=tuple(members)))
    return tuple(made)
