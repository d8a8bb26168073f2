"""The columns that pieces of text stand in: where nearly no line has text, one column ends and the next begins."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from builder.ingest.pdf.frame import Box
from builder.ingest.pdf.tables.pieces import Line, Piece, cut

_STRAY = 0.12
_ROOM = 0.25
_COVERS = 0.6
_WORD_GAP = 0.12
Column = tuple[float, float]
"""From where to where its text reaches."""
Placed = tuple[int, int, Piece]
"""First column, last column (excluded), text."""


def columns_of(lines: Sequence[Line]) -> list[Column]:
    """The columns of some lines; a few lines may have text over several (a title, a total)."""
    allowed = int(_STRAY * len(lines)) if len(lines) >= 4 else 0
    room = _ROOM * _height(lines)
    found: list[Column] = []
    for left, right in _covered(lines, allowed):
        if found and left - found[-1][1] < room:
            left = found.pop()[0]
        found.append((left, right))
    return _with_lonely(found, lines) if len(found) > 1 else found


def place(line: Line, columns: Sequence[Column], letters: Mapping[int, Box]) -> list[Placed]:
    """The pieces of a line by column; one that fills several is cut where it has a gap between them."""
    placed: list[Placed] = []
    for piece in line:
        placed += _place(piece, columns, letters)
    return placed


def bounds(columns: Sequence[Column], left: float, right: float) -> list[float]:
    """Where the cells of each column begin, and where the last ends."""
    between = [(one[1] + other[0]) / 2 for one, other in pairwise(columns)]
    return [min(left, columns[0][0]), *between, max(right, columns[-1][1])]


def _height(lines: Sequence[Line]) -> float:
    heights = sorted(piece.height for line in lines for piece in line)
    return heights[len(heights) // 2] if heights else 0.0


def _covered(lines: Sequence[Line], allowed: int) -> list[Column]:
    """Where more than `allowed` lines have text."""
    events = sorted(event for line in lines for piece in line for event in ((piece.box[0], 1), (piece.box[2], -1)))
    found: list[Column] = []
    depth, start = 0, 0.0
    for at, step in events:
        if step > 0 and depth == allowed:
            start = at
        depth += step
        if step < 0 and depth == allowed:
            found.append((start, at))
    return found


def _with_lonely(columns: Sequence[Column], lines: Sequence[Line]) -> list[Column]:
    """The columns, and those that only a few lines have text in: a column of remarks."""
    pieces = sorted(piece.box[0::2] for line in lines for piece in line)
    lonely = [(left, right) for left, right in pieces if all(right <= x0 or left >= x1 for x0, x1 in columns)]
    merged: list[Column] = []
    for left, right in lonely:
        if merged and left < merged[-1][1]:
            left, right = merged[-1][0], max(right, merged.pop()[1])
        merged.append((left, right))
    return sorted([*columns, *merged])


def _place(piece: Piece, columns: Sequence[Column], letters: Mapping[int, Box]) -> list[Placed]:
    first, last = _reach(piece, columns)
    for number in range(first, last - 1):
        at = (columns[number][1] + columns[number + 1][0]) / 2
        halves = cut(piece, letters, at, _WORD_GAP * piece.height)
        if halves and _wider(halves, piece, letters):
            return [*_place(halves[0], columns, letters), *_place(halves[1], columns, letters)]
    return [(first, last, piece)]


def _reach(piece: Piece, columns: Sequence[Column]) -> tuple[int, int]:
    """The columns that a piece mostly covers, else the one that is nearest to its middle."""
    left, right = piece.box[0], piece.box[2]
    covered = [n for n, (x0, x1) in enumerate(columns) if min(right, x1) - max(left, x0) >= _COVERS * max(x1 - x0, 0.1)]
    if covered:
        return covered[0], covered[-1] + 1
    middle = (left + right) / 2
    overlap = [min(right, x1) - max(left, x0) for x0, x1 in columns]
    best = max(range(len(columns)), key=lambda n: (max(overlap[n], 0.0), -abs(sum(columns[n]) / 2 - middle)))
    return best, best + 1


def _wider(halves: tuple[Piece, Piece], piece: Piece, letters: Mapping[int, Box]) -> bool:
    """The gap between two halves is wider than the gaps between the words within them."""
    gap = halves[1].box[0] - halves[0].box[2]
    least = _WORD_GAP * piece.height
    within = [g for half in halves for g in _gaps(half, letters) if g >= least]
    return all(gap > 1.2 * other for other in within)


def _gaps(piece: Piece, letters: Mapping[int, Box]) -> list[float]:
    return [letters[b][0] - letters[a][2] for a, b in pairwise(piece.members)]
