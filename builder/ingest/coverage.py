"""Where each character of a page has gone. White space is not counted, each character once.

extractable = kept + boilerplate + replaced_by_ocr + discarded + lost; what OCR read is counted apart.
"""

from collections.abc import Iterable, Sequence

from builder.model.chunk import Chunk
from builder.model.document import Document, Page, PageOrigin, Problem
from builder.model.parts import Span, spans
from builder.model.record import Record


class Counts(Record):
    """Characters by where they have gone."""

    extractable: int = 0
    """Characters that the source offers."""
    kept: int = 0
    """Of these: in a chunk."""
    boilerplate: int = 0
    """Of these: running headers, footers, page numbers, marks of the file format."""
    replaced_by_ocr: int = 0
    """Of these: not taken because OCR reads the page."""
    discarded: int = 0
    """Of these: garbage."""
    lost: int = 0
    """Of these: nowhere."""
    ocr_extracted: int = 0
    """Characters that OCR read."""
    ocr_kept: int = 0
    """Of these: in a chunk."""
    ocr_boilerplate: int = 0
    """Of these: running headers and the like."""
    ocr_lost: int = 0
    """Of these: nowhere."""

    @property
    def closes(self) -> bool:
        """Both sums are right: no character is missing, none is counted twice."""
        digital = self.kept + self.boilerplate + self.replaced_by_ocr + self.discarded + self.lost
        return digital == self.extractable and (
            self.ocr_kept + self.ocr_boilerplate + self.ocr_lost == self.ocr_extracted
        )


class PageCoverage(Counts):
    """The characters of one page."""

    number: int
    """From 1."""
    origin: PageOrigin
    """Where the text came from."""
    problem: Problem | None = None
    """Why it failed, or what is doubtful."""


class DocumentCoverage(Counts):
    """The characters of one document, summed over its pages."""

    doc_id: str
    """The document."""
    origins: dict[str, int]
    """Pages by origin."""
    chunks: int
    """Chunks."""
    pages: tuple[PageCoverage, ...]
    """Page by page."""
    problem: Problem | None = None
    """Why the document failed or is partial."""


def page_coverage(page: Page, chunks: Iterable[Chunk]) -> PageCoverage:
    """Count the characters of one page; `chunks` are those of its document."""
    places = _places(page, [span for chunk in chunks for span in spans(chunk.parts) if span.page == page.number])
    counted = [place for place, char in zip(places, page.text, strict=True) if not char.isspace()]
    kept, boilerplate, lost = (counted.count(place) for place in (_KEPT, _BOILERPLATE, _NOWHERE))
    base = PageCoverage(
        number=page.number,
        origin=page.origin,
        problem=page.problem,
        extractable=page.extractable,
        replaced_by_ocr=page.replaced_by_ocr,
        discarded=page.discarded,
    )
    if page.origin is PageOrigin.OCR:
        missing = max(0, page.extractable - page.replaced_by_ocr)
        return base.replace(
            lost=missing, ocr_extracted=len(counted), ocr_kept=kept, ocr_boilerplate=boilerplate, ocr_lost=lost
        )
    missing = max(0, page.extractable - page.replaced_by_ocr - page.discarded - len(counted))
    return base.replace(kept=kept, boilerplate=boilerplate, lost=lost + missing)


def document_coverage(document: Document, pages: Sequence[Page], chunks: Sequence[Chunk]) -> DocumentCoverage:
    """Count the characters of all pages of a document."""
    by_page: dict[int, list[Chunk]] = {page.number: [] for page in pages}
    for chunk in chunks:
        for number in chunk.pages:
            by_page.setdefault(number, []).append(chunk)
    rows = tuple(page_coverage(page, by_page[page.number]) for page in pages)
    origins = [row.origin.value for row in rows]
    return DocumentCoverage(
        doc_id=document.doc_id,
        origins={origin: origins.count(origin) for origin in dict.fromkeys(origins)},
        chunks=len(chunks),
        pages=rows,
        problem=document.problem,
        **{name: sum(getattr(row, name) for row in rows) for name in Counts.model_fields},
    )


_NOWHERE, _BOILERPLATE, _KEPT = 0, 1, 2


def _places(page: Page, kept: Sequence[Span]) -> bytearray:
    """Where each character has gone; a chunk that holds boilerplate keeps it."""
    state = bytearray(len(page.text))
    for start, end in page.boilerplate:
        state[start:end] = bytes([_BOILERPLATE]) * (end - start)
    for span in kept:
        state[span.start : span.end] = bytes([_KEPT]) * (span.end - span.start)
    return state
