"""What is drawn on a page beside text: images and paths, also those in nested forms."""

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any

import pypdfium2.raw as raw

from builder.ingest.pdf.frame import Box, Frame

if TYPE_CHECKING:
    from pypdfium2 import PdfPage

Matrix = tuple[float, float, float, float, float, float]
IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
_DEPTH = 4
_MOST = 200_000
_INVISIBLE_MODES = (raw.FPDF_TEXTRENDERMODE_INVISIBLE, raw.FPDF_TEXTRENDERMODE_CLIP)


@dataclass(slots=True)
class PageObjects:
    """The objects of a page; handles are valid while the page is open."""

    images: list[Box] = field(default_factory=list)
    """Boxes of the images on the page as shown."""
    paths: list[tuple[Any, Matrix]] = field(default_factory=list)
    """Path handles, and the matrix from their space to the page's."""
    texts: list[Any] = field(default_factory=list)
    """Text handles."""

    def mostly_invisible(self) -> bool:
        """More text is drawn invisibly (an OCR layer) than visibly."""
        hidden = sum(raw.FPDFTextObj_GetTextRenderMode(text) in _INVISIBLE_MODES for text in self.texts)
        return hidden * 2 > len(self.texts)


def objects_of(page: "PdfPage", frame: Frame) -> PageObjects:
    """Walk the objects of a page, forms to a depth of 4, at most 200,000 in all: a form may hold itself."""
    found = PageObjects()
    for handle, kind, matrix in islice(_walk(page.raw, IDENTITY, 0), _MOST):
        if kind == raw.FPDF_PAGEOBJ_TEXT:
            found.texts.append(handle)
        elif kind == raw.FPDF_PAGEOBJ_PATH:
            found.paths.append((handle, matrix))
        elif kind == raw.FPDF_PAGEOBJ_IMAGE:
            found.images += _image_box(handle, matrix, frame)
    return found


def apply(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    """The point (x, y) moved by `matrix`."""
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def matrix_of(handle: Any, outer: Matrix) -> Matrix:
    """The object's matrix, followed by that of the form around it."""
    own = raw.FS_MATRIX()
    if not raw.FPDFPageObj_GetMatrix(handle, own):
        return outer
    a, b, c, d, e, f = outer
    return (
        own.a * a + own.b * c,
        own.a * b + own.b * d,
        own.c * a + own.d * c,
        own.c * b + own.d * d,
        own.e * a + own.f * c + e,
        own.e * b + own.f * d + f,
    )


def _walk(holder: Any, matrix: Matrix, depth: int) -> Iterator[tuple[Any, int, Matrix]]:
    counted, get = (
        (raw.FPDFFormObj_CountObjects, raw.FPDFFormObj_GetObject)
        if depth
        else (raw.FPDFPage_CountObjects, raw.FPDFPage_GetObject)
    )
    kind_of, form = raw.FPDFPageObj_GetType, raw.FPDF_PAGEOBJ_FORM
    for index in range(counted(holder)):
        handle = get(holder, index)
        kind = kind_of(handle)
        if kind == form and depth < _DEPTH:
            yield from _walk(handle, matrix_of(handle, matrix), depth + 1)
        else:
            yield handle, kind, matrix


def _image_box(handle: Any, matrix: Matrix, frame: Frame) -> list[Box]:
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    if not raw.FPDFPageObj_GetBounds(handle, left, bottom, right, top):
        return []
    corners = [apply(matrix, x.value, y.value) for x in (left, right) for y in (bottom, top)]
    xs, ys = zip(*corners, strict=True)
    return [frame.shown(min(xs), min(ys), max(xs), max(ys))]
