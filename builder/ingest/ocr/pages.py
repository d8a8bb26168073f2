"""Pages that wait for OCR -> pages with text, in isolated workers, one page a task."""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from builder.ingest.ocr.engine import EngineFactory, OcrEngine, OcrLine, OcrPage, engine_factory
from builder.ingest.pool import Limits, run_isolated
from builder.model.document import Line, Page, PageOrigin, Problem
from builder.model.record import Record
from builder.settings import IngestSettings, OcrSettings

if TYPE_CHECKING:
    from PIL.Image import Image

MOST_PIXELS = 40_000_000
"""A page that would have more is rendered smaller: a page of 2,000,000 points is a legal one."""
_POINTS = 72


class OcrJob(Record):
    """One page to read."""

    path: Path
    """The PDF."""
    doc_id: str
    """The document."""
    page: Page
    """The page that waits, with its number."""


class OcrResult(Record):
    """How one page went."""

    job: OcrJob
    """The job."""
    page: Page
    """The page, read (origin `ocr`) or failed with its problem."""


def waiting(path: Path, doc_id: str, pages: Sequence[Page]) -> list[OcrJob]:
    """The jobs of a document: one for each page that waits."""
    return [OcrJob(path=path, doc_id=doc_id, page=page) for page in pages if page.origin is PageOrigin.WAITING]


def read_pages_ocr(
    jobs: Sequence[OcrJob], settings: IngestSettings, ocr: OcrSettings, factory: EngineFactory | None = None
) -> Iterator[OcrResult]:
    """Read pages; results come as they are ready. `factory` makes the engine in each worker, else `ocr.engine` says it.

    Raises:
        InputError: the engine is not installed.
    """
    if not jobs:
        return iter(())
    factory = factory or engine_factory(ocr.engine, ocr.languages, ocr.timeout)
    limits = Limits(workers=settings.workers, memory_mib=settings.ocr_memory_mib, timeout=ocr.timeout)
    answers = run_isolated(partial(_read_json, ocr=ocr, factory=factory), jobs, limits)
    return (_result(job, answer) for job, answer in answers)


def read_page(job: OcrJob, engine: OcrEngine, ocr: OcrSettings) -> Page:
    """Render and read one page in this process.

    Raises:
        pypdfium2.PdfiumError: the page cannot be opened.
    """
    image, dpi, extractable = _render(job.path, job.page.number, ocr.dpi)
    page = job.page.replace(extractable=extractable)
    found = engine.read(image, ocr.languages)
    lines = [line for line in found.lines if line.text.strip()]
    if not lines:
        return _failed(page, Problem(code="ocr_empty"))
    return _written(page, found, lines, _POINTS / dpi, ocr)


def _result(job: OcrJob, answer: bytes | Problem) -> OcrResult:
    page = _failed(job.page, answer) if isinstance(answer, Problem) else Page.model_validate_json(answer)
    return OcrResult(job=job, page=page)


def scale_for(width: float, height: float, dpi: int) -> float:
    """Pixels a point at `dpi`, or as many as MOST_PIXELS lets in."""
    wished = dpi / _POINTS
    pixels = max(width * height, 1.0) * wished**2
    return wished if pixels <= MOST_PIXELS else wished * (MOST_PIXELS / pixels) ** 0.5


def _render(path: Path, number: int, dpi: int) -> "tuple[Image, float, int]":
    """The image of a page, its real dpi, and the characters of its text layer."""
    import pypdfium2

    from builder.ingest.pdf.pages import extractable

    document = pypdfium2.PdfDocument(path)
    try:
        page = document[number - 1]
        width, height = page.get_size()
        scale = scale_for(width, height, dpi)
        image: Image = page.render(scale=scale).to_pil()
        image.info["dpi"] = (scale * _POINTS, scale * _POINTS)
        return image, scale * _POINTS, extractable(page)
    finally:
        document.close()


def _written(page: Page, found: OcrPage, lines: Sequence[OcrLine], points: float, ocr: OcrSettings) -> Page:
    """The page with the text of its image in place of all that it held; `points` a pixel."""
    texts = ["".join(char for char in line.text.strip() if char.isprintable()) for line in lines]
    places: list[Line] = []
    start = 0
    for line, text in zip(lines, texts, strict=True):
        if text:
            left, top, right, bottom = (round(value * points, 2) for value in line.box)
            size = round(line.height * points, 2)
            places.append(Line(start=start, end=start + len(text), box=(left, top, right, bottom), size=size))
        start += len(text) + 1
    return page.replace(
        origin=PageOrigin.OCR,
        text="\n".join(texts),
        lines=tuple(places),
        tables=(),
        boilerplate=(),
        discarded=0,
        replaced_by_ocr=page.extractable,
        confidence=found.mean,
        confidence_low=found.low,
        weak_share=found.weak_share,
        read_by=found.engine,
        problem=Problem(code="weak_ocr", page=page.number) if _weak(found, ocr) else None,
    )


def _weak(found: OcrPage, ocr: OcrSettings) -> bool:
    return found.mean < ocr.weak_mean or found.weak_share >= ocr.weak_share


def _failed(page: Page, problem: Problem) -> Page:
    return page.replace(origin=PageOrigin.FAILED, problem=problem.replace(page=page.number))


_ENGINES: dict[str, OcrEngine] = {}
"""In a worker: its one engine. Loading the models costs more than reading a page."""


def _read_json(job: OcrJob, ocr: OcrSettings, factory: EngineFactory) -> bytes:
    if not _ENGINES:
        _ENGINES["here"] = factory()
    return read_page(job, _ENGINES["here"], ocr).model_dump_json().encode()
