"""From pdfium's lines to pieces: cut where a table begins or ends, and where a line runs over a gutter.

pdfium makes one line of what stands on one height, also of lines of two columns that were drawn in turn.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from builder.ingest.pdf.characters import Characters, around
from builder.ingest.pdf.frame import Box
from builder.ingest.pdf.order import reading_order
from builder.ingest.pdf.order_groups import Piece, united
from builder.ingest.pdf.tables import FoundTable

_GAP = 6.0
_LINES = 6
_SHARE = 0.25
_PARTED = 0.8

Gap = tuple[float, float]
"""An empty stretch within a line: left and right, points."""


def ordered_pieces(
    characters: Characters,
    ranges: Sequence[tuple[int, int]],
    rects: Sequence[Sequence[Box]],
    tables: Sequence[FoundTable],
) -> list[Piece]:
    """The pieces of a page in reading order; `ranges` are its lines, `rects` the boxes of the runs in each line."""
    pieces = _pieces(characters, ranges, rects, tables)
    size = characters.frame.size
    gaps = [gap for run in rects if len(run) > 1 for gap in _gaps(run)]
    gutters = _gutters(gaps, max(_LINES, len(ranges) * _SHARE))
    if gutters:
        parts = [part for piece in pieces for part in _parts(characters, piece, gutters)]
        mended = _mended(reading_order(parts, characters.text, size))
        if len(mended) - len(pieces) > _PARTED * (len(parts) - len(pieces)):
            return mended
    return reading_order(pieces, characters.text, size)


def _pieces(
    characters: Characters,
    ranges: Sequence[tuple[int, int]],
    rects: Sequence[Sequence[Box]],
    tables: Sequence[FoundTable],
) -> list[Piece]:
    owner = {index: number for number, table in enumerate(tables) for index in _members(table)}
    found: list[Piece] = []
    placed = set[int]()
    for (start, end), boxes in zip(ranges, rects, strict=True):
        for number, first, last in _runs(characters.text, start, end, owner) if owner else [(None, start, end)]:
            if number is None:
                box = around(boxes) if (first, last) == (start, end) else characters.line_box(first, last)
                size = characters.size(first, last)
                found.append(Piece(start=first, end=last, box=box, size=size, line=len(found)))
            elif number not in placed:
                placed.add(number)
                found.append(Piece(start=first, end=last, box=tables[number].box, line=len(found), table=number))
    return found


def _members(table: FoundTable) -> Iterator[int]:
    return (index for row in table.rows for cell in row for index in cell.members)


def _runs(text: str, start: int, end: int, owner: Mapping[int, int]) -> Iterator[tuple[int | None, int, int]]:
    """Cut a line where it enters or leaves a table; white space goes with what stands before it."""
    counted = [index for index in range(start, end) if not text[index].isspace()]
    for number, members in groupby(counted, key=owner.get):
        indexes = list(members)
        yield number, indexes[0], indexes[-1] + 1


def _gaps(boxes: Sequence[Box]) -> Iterator[Gap]:
    ordered = sorted(boxes)
    reached = ordered[0][2]
    for box in ordered[1:]:
        if box[0] - reached >= _GAP:
            yield reached, box[0]
        reached = max(reached, box[2])


def _gutters(gaps: Sequence[Gap], fewest: float) -> list[float]:
    """Places that at least so many lines leave empty."""
    found: list[float] = []
    left = list(gaps)
    while len(left) >= fewest:
        edges = sorted({end for _, end in left})
        count, place = max((sum(start < edge <= end for start, end in left), -edge) for edge in edges)
        if count < fewest:
            break
        found.append(-place - _GAP / 4)
        left = [gap for gap in left if not gap[0] < -place <= gap[1]]
    return found


def _parts(characters: Characters, piece: Piece, gutters: Sequence[float]) -> Iterator[Piece]:
    """The piece, cut at the gutters that lie in its gaps."""
    cuts = [cut for cut in gutters if piece.box[0] < cut < piece.box[2]] if piece.table is None else []
    rects = characters.rects(piece.start, piece.end) if cuts else []
    cuts = [cut for cut in cuts if not any(left < cut < right for left, _, right, _ in rects)]
    if not cuts:
        yield piece
        return
    sides: list[tuple[int, int]] = []
    for index in range(piece.start, piece.end):
        box = None if characters.text[index].isspace() else characters.box(index)
        if box is not None:
            sides.append((sum(cut <= box[0] for cut in cuts), index))
    for _, run in groupby(sides, key=lambda item: item[0]):
        indexes = [index for _, index in run]
        first, last = indexes[0], indexes[-1] + 1
        box, size = characters.line_box(first, last), characters.size(first, last)
        yield Piece(start=first, end=last, box=box, size=size, line=piece.line)


def _mended(pieces: Sequence[Piece]) -> list[Piece]:
    """Parts of one line that still follow each other are one piece again."""
    found: list[Piece] = []
    for piece in pieces:
        last = found[-1] if found else None
        if last and last.line == piece.line and last.table is piece.table is None and last.end <= piece.start:
            size = max(last.size, piece.size)
            found[-1] = Piece(
                start=last.start, end=piece.end, box=united(last.box, piece.box), size=size, line=piece.line
            )
        else:
            found.append(piece)
    return found
