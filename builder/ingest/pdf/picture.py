"""A picture of a page with boxes drawn on it, made in an isolated worker."""

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from builder.ingest.ocr.pages import scale_for
from builder.ingest.pool import Limits, run_isolated
from builder.model.document import Problem
from builder.model.record import Record
from builder.settings import IngestSettings

if TYPE_CHECKING:
    from PIL.Image import Image

Box = tuple[float, float, float, float]

_DPI = 130
_EDGE = 3
"""Points between a line and the box around it."""
_COLOUR = (214, 69, 0)
_TINT = (255, 214, 79)
_STRENGTH = 90
"""Of 255: how much of the tint covers the text."""


class PictureJob(Record):
    """A page to draw."""

    path: Path
    """The PDF."""
    page: int
    """From 1."""
    boxes: tuple[Box, ...]
    """Left, top, right, bottom in points from the upper left corner of the page as shown."""


def page_picture(job: PictureJob, settings: IngestSettings) -> bytes | Problem:
    """The page as PNG, or why there is none."""
    limits = Limits(workers=1, memory_mib=settings.memory_mib, timeout=min(60, settings.timeout))
    for _, answer in run_isolated(draw, [job], limits):
        return answer
    return Problem(code="crashed")


def draw(job: PictureJob) -> bytes:
    """Render and mark one page in this process; for workers.

    Raises:
        pypdfium2.PdfiumError: the page cannot be opened.
    """
    image, scale = _rendered(job)
    marked = _marked(image, job.boxes, scale)
    target = BytesIO()
    marked.save(target, "PNG")
    return target.getvalue()


def _rendered(job: PictureJob) -> "tuple[Image, float]":
    import pypdfium2

    document = pypdfium2.PdfDocument(job.path)
    try:
        page = document[job.page - 1]
        width, height = page.get_size()
        scale = scale_for(width, height, _DPI)
        image: Image = page.render(scale=scale).to_pil()
        return image, scale
    finally:
        document.close()


def _marked(image: "Image", boxes: tuple[Box, ...], scale: float) -> "Image":
    from PIL import Image as Images
    from PIL import ImageDraw

    sheet = Images.new("RGBA", image.size)
    pen = ImageDraw.Draw(sheet)
    for left, top, right, bottom in boxes:
        corners = [value * scale for value in (left - _EDGE, top - _EDGE, right + _EDGE, bottom + _EDGE)]
        pen.rectangle(corners, fill=(*_TINT, _STRENGTH), outline=(*_COLOUR, 255), width=max(1, round(scale)))
    return Images.alpha_composite(image.convert("RGBA"), sheet).convert("RGB")
