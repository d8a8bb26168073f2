"""What lies between the horizontal rules (or stripes) of one width: the bands of a three-line or zebra table."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from builder.ingest.pdf.frame import Box
from builder.ingest.pdf.tables.found import inside
from builder.ingest.pdf.tables.pieces import Line, middle
from builder.ingest.pdf.tables.rules import Rules

_SAME = 4.0
_LEVEL = 1.5
_BRIDGE = 15.0
_THICK = 3.5
_LEAST_WIDTH = 60.0
_MOST = 2_000
_EMPTY = 15.0
_TITLE = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars:
    """Horizontal rules of one width below each other."""

    left: float
    right: float
    levels: tuple[float, ...]
    """Their heights on the page, from top to bottom."""


def bars(rules: Rules, taken: Sequence[Box]) -> list[Bars]:
    """The horizontal rules outside of `taken` by their width; those of one height that nearly touch are one."""
    if len(rules.horizontal) > _MOST:
        return []
    free = [b for b in rules.horizontal if not inside((b[0] + b[2]) / 2, b[1], taken, 2.0)]
    groups: list[list[Box]] = []
    for bar in _bridged(free):
        if bar[2] - bar[0] < _LEAST_WIDTH:
            continue
        near = (g for g in groups if abs(g[0][0] - bar[0]) <= _SAME and abs(g[0][2] - bar[2]) <= _SAME)
        group = next(near, None)
        if group is None:
            groups.append([bar])
        else:
            group.append(bar)
    return [Bars(left=g[0][0], right=g[0][2], levels=_levels([bar[1] for bar in g])) for g in groups]


def runs(lines: Sequence[Line], levels: Sequence[float]) -> list[tuple[list[float], list[list[Line]]]]:
    """Bands in a row that hold columns, with the rules above, between and below them.

    A band holds columns where half of its lines have several pieces; a low one with a single line, or none, may stand
    between such.
    """
    bands: list[list[Line]] = [[] for _ in range(len(levels) + 1)]
    for line in lines:
        bands[bisect_right(levels, middle(line))].append(line)
    found: list[tuple[list[float], list[list[Line]]]] = []
    start = end = -1
    for number in range(1, len(levels)):
        if _columnar(bands[number]):
            start, end = (start if start >= 0 else number), number
        elif start >= 0 and not _low(bands[number], levels[number] - levels[number - 1]):
            found.append((list(levels[start - 1 : end + 1]), bands[start : end + 1]))
            start = -1
    if start >= 0:
        found.append((list(levels[start - 1 : end + 1]), bands[start : end + 1]))
    return found


def _columnar(band: Sequence[Line]) -> bool:
    several = sum(len(line) > 1 for line in band)
    return several > 0 and several * 2 >= len(band)


def _low(band: Sequence[Line], height: float) -> bool:
    """A row with one title, or an empty one; and not what stands between two tables."""
    if not band:
        return height <= _EMPTY
    return len(band) == 1 and height <= _TITLE * max(piece.height for piece in band[0])


def _bridged(pieces: Sequence[Box]) -> list[Box]:
    found: list[Box] = []
    for piece in sorted(pieces, key=lambda box: (round(box[1] / _LEVEL), box[0])):
        last = found[-1] if found else None
        if last and abs(last[1] - piece[1]) <= _LEVEL and piece[0] - last[2] <= _BRIDGE:
            found[-1] = (min(last[0], piece[0]), last[1], max(last[2], piece[2]), last[1])
        else:
            found.append(piece)
    return found


def _levels(heights: Sequence[float]) -> tuple[float, ...]:
    """Heights in order; the two sides of a thick rule are one."""
    found: list[float] = []
    for height in sorted(heights):
        if not found or height - found[-1] > _THICK:
            found.append(height)
    return tuple(found)
