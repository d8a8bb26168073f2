"""Images turned by quarters, and the lines read in them brought back."""

from dataclasses import replace
from typing import TYPE_CHECKING

from builder.ingest.ocr.engine import OcrPage, Pixels

if TYPE_CHECKING:
    from PIL.Image import Image


def turned(image: "Image", degrees: int) -> "Image":
    """The image turned clockwise by 0, 90, 180 or 270 degrees."""
    from PIL.Image import Transpose

    methods = {90: Transpose.ROTATE_270, 180: Transpose.ROTATE_180, 270: Transpose.ROTATE_90}
    return image.transpose(methods[degrees]) if degrees else image


def turned_back(page: OcrPage, degrees: int, size: tuple[int, int]) -> OcrPage:
    """The boxes of a page read in an image turned by `degrees`, in the image of `size` before that."""
    if not degrees:
        return page
    return replace(page, lines=tuple(replace(line, box=_box(line.box, degrees, size)) for line in page.lines))


def _box(box: Pixels, degrees: int, size: tuple[int, int]) -> Pixels:
    left, top, right, bottom = box
    width, height = size
    if degrees == 90:
        return top, height - right, bottom, height - left
    if degrees == 180:
        return width - right, height - bottom, width - left, height - top
    return width - bottom, left, width - top, right
