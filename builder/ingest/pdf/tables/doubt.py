"""What stands in columns and is no table: prose, lists, contents, forms."""

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from builder.ingest.pdf.tables.columns import Column, Placed
from builder.ingest.pdf.tables.pieces import Piece
from builder.ingest.pdf.tables.rows import Row, filled

_LEADERS = re.compile(r"([.…·_\-=*—])\1{3,}|…{2,}")
_BULLET = re.compile(
    r"[•·●○■□◆▪–—*\-\uf0b7]|[(（]?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,4}|[一二三四五六七八九十]{1,3})[)）.、．]|\[\d+\]"
)
_NUMBER = re.compile(r"[\W_]*\d[\d\W_]*[%xXkKmM]?")
_PROSE_LETTERS = 22
_PROSE_FULL = 0.72
_SENTENCE = 40
_SEVERAL = 0.6
_BESIDE = 0.1
_APART = 0.8
_LABEL_ENDS = ("：", ":")


def is_doubtful(rows: Sequence[Row], columns: Sequence[Column], text: str, firm: bool) -> bool:
    """True for what only looks like a table. `firm`: rules stand around and within it."""
    cells = [(item[0], _text(item, text)) for row in rows for item in row]
    if not cells or _contents(rows, text) or _labels([cell for _, cell in cells]) or not _in_columns(rows):
        return True
    running = sum(_running(number, columns, rows) for number in range(len(columns)))
    going_on = sum(_goes_on(number, rows, text) for number in range(len(columns)))
    if max(running, going_on) > 1 or (running == 1 and not firm):
        return True
    listed = [cell for column, cell in cells if column == 0]
    bullets = sum(bool(_BULLET.fullmatch(cell)) for cell in listed)
    return bullets * 2 > len(listed) and len(columns) <= (2 if firm else 3)


def numeric_columns(rows: Sequence[Row], columns: int, text: str) -> int:
    """How many columns but the first hold numbers below their head."""
    found = 0
    for number in range(1, columns):
        cells = [_text(item, text) for row in rows[1:] for item in row if item[0] == number]
        values = sum(bool(_NUMBER.fullmatch(cell) or not any(map(str.isalnum, cell))) for cell in cells)
        found += len(cells) >= 2 and values >= 0.7 * len(cells)
    return found


def fill(rows: Sequence[Row], columns: int) -> float:
    """Share of the cells that hold text."""
    return sum(len(filled(row)) for row in rows) / (len(rows) * columns) if rows else 0.0


def _text(item: Placed, text: str) -> str:
    return "".join(text[index] for index in item[2].members)


def _contents(rows: Sequence[Row], text: str) -> bool:
    led = sum(any(_LEADERS.search(_text(item, text)) for item in row) for row in rows)
    return led * 4 > len(rows)


def _in_columns(rows: Sequence[Row]) -> bool:
    """Most rows have text in two columns; hardly any has a sentence over columns, or two pieces in one column.

    A first row that has such two pieces beside each other names more columns than were found.
    """
    several = sum(sum(last - first == 1 for first, last, _ in row) > 1 for row in rows)
    over = sum(any(last - first > 1 and len(piece.members) >= _SENTENCE for first, last, piece in row) for row in rows)
    beside = [_beside(row) for row in rows]
    return several >= _SEVERAL * len(rows) and over < 2 and not beside[0] and sum(beside) <= _BESIDE * len(rows)


def _beside(row: Row) -> bool:
    ordered = sorted(row, key=lambda item: (item[0], round(item[2].middle / item[2].height), item[2].box[0]))
    return any(
        one[0] == other[0]
        and abs(one[2].middle - other[2].middle) < one[2].height / 3
        and other[2].box[0] - one[2].box[2] > _APART * one[2].height
        for one, other in pairwise(ordered)
    )


def _labels(cells: Sequence[str]) -> bool:
    """A form: a quarter of its cells say what shall stand behind them."""
    return sum(cell.endswith(_LABEL_ENDS) for cell in cells) * 4 > len(cells)


def _running(number: int, columns: Sequence[Column], rows: Sequence[Row]) -> bool:
    """The column holds running text: long lines, most of them full."""
    pieces = _column(number, rows)
    if len(pieces) < 3:
        return False
    width = max(columns[number][1] - columns[number][0], 0.1)
    letters = median(len(piece.members) for piece in pieces)
    full = median((piece.box[2] - piece.box[0]) / width for piece in pieces)
    wide = any(piece.height * 0.75 * len(piece.members) < piece.box[2] - piece.box[0] for piece in pieces)
    return letters >= (_PROSE_LETTERS / 2 if wide else _PROSE_LETTERS) and full >= _PROSE_FULL


def _goes_on(number: int, rows: Sequence[Row], text: str) -> bool:
    """Most lines of the column begin with a small letter."""
    pieces = _column(number, rows)
    small = sum(text[piece.members[0]].islower() for piece in pieces)
    return small * 2 >= len(pieces) > 2 and median(len(piece.members) for piece in pieces) >= _PROSE_LETTERS / 2


def _column(number: int, rows: Sequence[Row]) -> list[Piece]:
    return [piece for row in rows for first, last, piece in row if first == number and last == number + 1]
