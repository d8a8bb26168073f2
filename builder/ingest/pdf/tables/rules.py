"""The ruled lines of a page: strokes, sides of rectangles, thin filled rectangles, straight curves; in forms too."""

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pypdfium2.raw as raw

from builder.ingest.pdf.characters import around
from builder.ingest.pdf.frame import Box, Frame
from builder.ingest.pdf.objects import Matrix, PageObjects, apply, matrix_of

_SEGMENTS = 5_000
_PIECES = 20_000
_EDGES = 4_000
_SLOTS = 6_000
_SNAP = 3
_THIN = 0.5
_SHORT = 1.0
_TOUCH = 0.1
_CORNERS = 4
_CURVE = 4
Point = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Ruled lines of a page, as boxes without width or without height."""

    horizontal: tuple[Box, ...]
    vertical: tuple[Box, ...]

    @property
    def enough(self) -> bool:
        """Enough for a table, and not so many that they are a drawing (or would take minutes)."""
        if len(self.horizontal) < 2 or len(self.vertical) < 2 or len(self.horizontal) + len(self.vertical) > _EDGES:
            return False
        levels = {round(box[1] / _SNAP) for box in self.horizontal}
        return len(levels) * len({round(box[0] / _SNAP) for box in self.vertical}) <= _SLOTS


def page_rules(objects: PageObjects, frame: Frame) -> Rules:
    """The horizontal and vertical lines that are drawn on a page; none where there are more than 20,000 pieces."""
    horizontal: list[Box] = []
    vertical: list[Box] = []
    for handle, outer in objects.paths:
        for stroke in _strokes(handle, matrix_of(handle, outer), frame):
            x0, y0, x1, y1 = _clipped(stroke, frame.size)
            if y1 - y0 < _THIN and x1 - x0 >= _SHORT:
                horizontal.append((x0, y0, x1, y0))
            elif x1 - x0 < _THIN and y1 - y0 >= _SHORT:
                vertical.append((x0, y0, x0, y1))
        if len(horizontal) + len(vertical) > _PIECES:
            return Rules(horizontal=(), vertical=())
    return Rules(
        horizontal=tuple(_joined(horizontal)),
        vertical=tuple(_turned(_joined(_turned(vertical)))),
    )


def _joined(pieces: Sequence[Box]) -> list[Box]:
    """Horizontal pieces, those of one line that touch as one: each cell of a row may have been drawn by itself."""
    found: list[Box] = []
    for piece in sorted(pieces, key=lambda box: (round(box[1], 1), box[0])):
        last = found[-1] if found else None
        if last and round(last[1], 1) == round(piece[1], 1) and piece[0] <= last[2] + _TOUCH:
            found[-1] = (last[0], last[1], max(last[2], piece[2]), last[1])
        else:
            found.append(piece)
    return found


def _turned(boxes: Sequence[Box]) -> list[Box]:
    return [(y0, x0, y1, x1) for x0, y0, x1, y1 in boxes]


def _strokes(handle: Any, matrix: Matrix, frame: Frame) -> list[Box]:
    """The straight pieces of a path as boxes on the page as shown; of a rectangle with round corners its sides."""
    total = raw.FPDFPath_CountSegments(handle)
    if not 2 <= total <= _SEGMENTS:
        return []
    x, y = ctypes.c_float(), ctypes.c_float()
    first = last = (0.0, 0.0)
    straight: list[Box] = []
    curves: list[Point] = []
    for index in range(total):
        segment = raw.FPDFPath_GetPathSegment(handle, index)
        raw.FPDFPathSegment_GetPoint(segment, x, y)
        point = frame.point(*apply(matrix, x.value, y.value))
        kind = raw.FPDFPathSegment_GetType(segment)
        if kind == raw.FPDF_SEGMENT_BEZIERTO:
            curves += [point] if len(curves) % _CURVE else [last, point]
        elif kind == raw.FPDF_SEGMENT_MOVETO:
            first = point
        elif kind == raw.FPDF_SEGMENT_LINETO:
            straight.append(_between(last, point))
        if raw.FPDFPathSegment_GetClose(segment):
            straight.append(_between(point, first))
        last = point
    return straight + _curved(curves, straight) if curves else straight


def _curved(points: Sequence[Point], straight: Sequence[Box]) -> list[Box]:
    """Curves (start, two control points, end) as boxes; with straight sides between them the sides of a rectangle."""
    curves = [_hull(points[at : at + _CURVE]) for at in range(0, len(points), _CURVE)]
    if len(curves) < _CORNERS or len(straight) < _CORNERS:
        return curves
    x0, y0, x1, y1 = around([*straight, *curves])
    return [(x0, y0, x1, y0), (x0, y1, x1, y1), (x0, y0, x0, y1), (x1, y0, x1, y1)]


def _between(one: Point, other: Point) -> Box:
    return min(one[0], other[0]), min(one[1], other[1]), max(one[0], other[0]), max(one[1], other[1])


def _hull(points: Sequence[Point]) -> Box:
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _clipped(box: Box, size: tuple[float, float]) -> Box:
    """The part of a straight piece that lies on the page; empty where none does."""
    x0, y0, x1, y1 = box
    if x1 < 0 or y1 < 0 or x0 > size[0] or y0 > size[1]:
        return 0.0, 0.0, 0.0, 0.0
    return max(x0, 0.0), max(y0, 0.0), min(x1, size[0]), min(y1, size[1])
