"""Tables without a full grid of rules: three-line, zebra and borderless ones, by how their text stands in columns."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from builder.ingest.pdf.characters import around
from builder.ingest.pdf.frame import Box
from builder.ingest.pdf.tables.bands import Bars, runs
from builder.ingest.pdf.tables.columns import Column, Placed, bounds, columns_of
from builder.ingest.pdf.tables.doubt import fill, is_doubtful, numeric_columns
from builder.ingest.pdf.tables.found import FoundCell, FoundTable
from builder.ingest.pdf.tables.pieces import Line, Piece, middle, within
from builder.ingest.pdf.tables.rows import Row, one_row, rows_of

_MARGIN = 4.0
_FILL = 0.5
_FULL = 0.6
_MOST_COLUMNS = 60
_HEAD_LINES = 8
_NEAR = 1.6
_BREAK = 3.0
_TITLE = 2.5
_NUMBER = re.compile(r"[\d.,%￥¥$€()+\-—/]*\d[\d.,%￥¥$€()+\-—/]*")
_YEAR = re.compile(r"(?:19|20)\d\d")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """What the text of a page offers."""

    text: str
    letters: Mapping[int, Box]
    lines: Sequence[Line]
    rules: Sequence[Box]
    """Horizontal rules."""


def tables_between(sheet: Sheet, bars: Bars) -> Iterator[FoundTable]:
    """Three-line and zebra tables: what stands in columns between horizontal rules (or stripes) of one width."""
    lines = within(sheet.lines, bars.left - _MARGIN, bars.right + _MARGIN)
    for levels, bands in runs(lines, bars.levels):
        if _underlines(bands):
            continue
        above, below = _beside(lines, levels)
        body = [line for band in bands[len(bands) > 1 :] for line in band]
        columns = columns_of([line for line in body if len(line) > 1])
        if not 2 <= len(columns) <= _MOST_COLUMNS:
            continue
        more = [line for line in below if _fits(line, columns, levels[-1])]
        less = [line for line in above if _fits(line, columns, levels[0])]
        rows, heads = _banded(bands, columns, sheet)
        rows = [*rows_of(less, columns, sheet.letters), *rows, *rows_of(more, columns, sheet.letters)]
        firm = len(levels) > 2
        if _is_table(rows, columns, sheet.text, firm=firm):
            yield _found(rows, bounds(columns, bars.left, bars.right), None if less else heads)


def tables_alone(sheet: Sheet) -> Iterator[FoundTable]:
    """Borderless tables: at least four lines of at least three pieces that stand in columns, many of them numbers.

    Where a rule stands below the first line, words do as well.
    """
    for run in _dense(sheet.lines):
        columns = columns_of(run)
        if not 3 <= len(columns) <= _MOST_COLUMNS:
            continue
        rows = rows_of(run, columns, sheet.letters)
        ruled = _ruled_head(run, sheet.rules)
        if (
            len(rows) >= 4
            and fill(rows, len(columns)) >= _FULL
            and not is_doubtful(rows, columns, sheet.text, ruled)
            and (ruled or numeric_columns(rows, len(columns), sheet.text) * 2 >= len(columns) - 1)
        ):
            yield _found(rows, bounds(columns, columns[0][0], columns[-1][1]), 1 if ruled else None)


def _underlines(bands: Sequence[Sequence[Line]]) -> bool:
    """The rules underline titles: a line that stands alone is the last one above them."""
    titled = sum(len(band) > 2 and len(band[-1]) == 1 and band[-1][0].box[0] <= _left(band) + _MARGIN for band in bands)
    return titled * 2 >= len(bands)


def _left(band: Sequence[Line]) -> float:
    return min(line[0].box[0] for line in band)


def _is_table(rows: Sequence[Row], columns: Sequence[Column], text: str, firm: bool) -> bool:
    if len(rows) < 2 or fill(rows, len(columns)) < _FILL or is_doubtful(rows, columns, text, firm):
        return False
    return firm or len(columns) > 2 or numeric_columns(rows, len(columns), text) > 0


def _banded(bands: Sequence[Sequence[Line]], columns: Sequence[Column], sheet: Sheet) -> tuple[list[Row], int | None]:
    """The rows of bands, and how many of them name the columns where that is sure."""
    rows: list[Row] = []
    heads: int | None = None
    each = len(bands) > 3 and sum(len(band) for band in bands[1:]) < 2 * len(bands)
    for number, band in enumerate(bands):
        if number == 0 and _is_head(bands, sheet.text):
            rows += _head(band, columns, sheet)
            heads = len(rows) if len(bands) == 2 and len(bands[1]) > 1 else None
        elif band:
            rows += [one_row(band, columns, sheet.letters)] if each else rows_of(band, columns, sheet.letters)
    return rows, heads


def _is_head(bands: Sequence[Sequence[Line]], text: str) -> bool:
    """The first band names the columns: it holds fewer lines than the others together, and no values."""
    lines = len(bands[0])
    return lines <= min(_HEAD_LINES, sum(map(len, bands[1:]))) and not _has_numbers(bands[0], text)


def _has_numbers(band: Sequence[Line], text: str) -> bool:
    """The band holds values, so it names nothing: a table that goes on from another page."""
    words = ("".join(text[index] for index in piece.members) for line in band for piece in line)
    return any(_NUMBER.fullmatch(word) and not _YEAR.fullmatch(word) for word in words)


def _head(band: Sequence[Line], columns: Sequence[Column], sheet: Sheet) -> list[Row]:
    """The head as one row; as two where a title stands over several columns and names of these below it."""
    placed = [[_over(item, columns, sheet.rules) for item in one_row([line], columns, sheet.letters)] for line in band]
    over = [n for n, row in enumerate(placed) if any(last - first > 1 for first, last, _ in row)]
    if not over or over[-1] == len(placed) - 1:
        return [[item for row in placed for item in row]]
    spanned = {c for row in placed for first, last, _ in row if last - first > 1 for c in range(first, last)}
    upper: Row = []
    lower: Row = []
    for number, row in enumerate(placed):
        for item in row:
            below = number > over[-1] and item[0] in spanned
            (lower if below else upper).append(item)
    return [upper, lower] if lower else [upper]


def _over(item: Placed, columns: Sequence[Column], rules: Sequence[Box]) -> Placed:
    """A title reaches as far as the rule shortly below it, where that is one over several columns but not all."""
    piece = item[2]
    x = (piece.box[0] + piece.box[2]) / 2
    for left, height, right, _ in rules:
        if not (left <= x <= right and 0 < height - piece.middle < _TITLE * piece.height):
            continue
        under = [n for n, (x0, x1) in enumerate(columns) if min(right, x1) - max(left, x0) >= _FILL * (x1 - x0)]
        if 1 < len(under) < len(columns):
            return under[0], under[-1] + 1, piece
    return item


def _beside(lines: Sequence[Line], levels: Sequence[float]) -> tuple[list[Line], list[Line]]:
    """Lines directly above and below: a zebra table begins or ends with a row without a stripe."""
    above = [line for line in lines if middle(line) < levels[0]]
    below = [line for line in lines if middle(line) > levels[-1]]
    return above[-1:], below[:1]


def _fits(line: Line, columns: Sequence[Column], edge: float) -> bool:
    """A line next to `edge` whose pieces stand in columns, one in each, and fill half of them."""
    if abs(middle(line) - edge) > _NEAR * max(piece.height for piece in line):
        return False
    reached = [[n for n, (x0, x1) in enumerate(columns) if x0 < p.box[2] and x1 > p.box[0]] for p in line]
    have = {columns[0] for columns in reached if len(columns) == 1}
    return len(have) == len(line) and len(have) >= 2 and len(have) * 2 >= len(columns)


def _dense(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Runs of lines with three pieces or more; a line with two may stand among them."""
    run: list[Line] = []
    for line in lines:
        near = not run or middle(line) - middle(run[-1]) <= _BREAK * max(piece.height for piece in line)
        if run and not (near and len(line) > 1):
            yield from _trimmed(run)
            run = []
        if len(line) > 1:
            run.append(line)
    yield from _trimmed(run)


def _trimmed(run: list[Line]) -> Iterator[list[Line]]:
    dense = [number for number, line in enumerate(run) if len(line) > 2]
    if len(dense) >= 4:
        yield run[dense[0] : dense[-1] + 1]


def _ruled_head(run: Sequence[Line], rules: Sequence[Box]) -> bool:
    """A rule as wide as the columns stands below the first or second line."""
    left, right = run[0][0].box[0], max(line[-1].box[2] for line in run)
    top, bottom = middle(run[0]), middle(run[min(2, len(run) - 1)])
    return any(top < rule[1] < bottom and rule[0] <= left + _MARGIN and rule[2] >= right - _MARGIN for rule in rules)


def _found(rows: Sequence[Row], xs: Sequence[float], heads: int | None) -> FoundTable:
    """The rows as a table: cells reach from column to column, and halfway to the rows above and below."""
    spans = [_extent(row) for row in rows]
    between = [(one[1] + other[0]) / 2 for one, other in pairwise(spans)]
    ys = [spans[0][0], *between, spans[-1][1]]
    made = tuple(_cells(row, xs, ys[n], ys[n + 1]) for n, row in enumerate(rows))
    return FoundTable(box=(xs[0], ys[0], xs[-1], ys[-1]), rows=made, header_rows=heads)


def _extent(row: Row) -> tuple[float, float]:
    _, top, _, bottom = around([piece.box for _, _, piece in row])
    return top, bottom


def _cells(row: Row, xs: Sequence[float], top: float, bottom: float) -> tuple[FoundCell, ...]:
    owner = list(range(len(xs) - 1))
    for first, last, _ in row:
        for column in range(first + 1, last):
            owner[column] = owner[first]
    texts: dict[int, list[Piece]] = {}
    for first, _, piece in row:
        texts.setdefault(owner[first], []).append(piece)
    cells: dict[int, FoundCell] = {}
    for column in owner:
        last = max(n for n, one in enumerate(owner) if one == column) + 1
        members = sorted(index for piece in texts.get(column, []) for index in piece.members)
        cells.setdefault(column, FoundCell(box=(xs[column], top, xs[last], bottom), members=tuple(members)))
    return tuple(cells[column] for column in owner)
