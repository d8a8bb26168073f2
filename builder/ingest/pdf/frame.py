"""From pdfium's page space (origin lower left, before rotation) to the page as shown (origin upper left)."""

import ctypes
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pypdfium2.raw as raw

if TYPE_CHECKING:
    from pypdfium2 import PdfPage

_SIDE = 1000

Box = tuple[float, float, float, float]
"""Left, top, right, bottom in points from the upper left corner of the page as shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """The visible part of a page in its own space, and how it is turned."""

    left: float
    bottom: float
    right: float
    top: float
    turns: int
    """Quarter turns clockwise."""

    @property
    def size(self) -> tuple[float, float]:
        """Width and height as shown, points."""
        width, height = self.right - self.left, self.top - self.bottom
        return (height, width) if self.turns % 2 else (width, height)

    def shown(self, left: float, bottom: float, right: float, top: float) -> Box:
        """A rectangle of page space as a box on the page as shown."""
        if self.turns == 0:  # nearly always: each line, image and rule comes by here
            x0, y0, x1, y1 = left - self.left, self.top - top, right - self.left, self.top - bottom
        else:
            x0, y0, x1, y1 = *self.point(left, top), *self.point(right, bottom)
        return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)

    def point(self, x: float, y: float) -> tuple[float, float]:
        """A point of page space on the page as shown."""
        if self.turns == 0:
            return x - self.left, self.top - y
        if self.turns == 1:
            return y - self.bottom, x - self.left
        if self.turns == 2:
            return self.right - x, y - self.bottom
        return self.top - y, self.right - x


def frame_of(page: "PdfPage") -> Frame:
    """The frame of a page, from where pdfium itself puts the corners of the page as shown."""
    (x0, y0), (x1, y1) = _corner(page, 0), _corner(page, _SIDE)
    turns = int(raw.FPDFPage_GetRotation(page.raw))
    return Frame(left=min(x0, x1), bottom=min(y0, y1), right=max(x0, x1), top=max(y0, y1), turns=turns)


def _corner(page: "PdfPage", at: int) -> tuple[float, float]:
    x, y = ctypes.c_double(), ctypes.c_double()
    raw.FPDF_DeviceToPage(page.raw, 0, 0, _SIDE, _SIDE, 0, at, at, x, y)
    return x.value, y.value
