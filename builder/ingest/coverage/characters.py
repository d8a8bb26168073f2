"""Where each character of a page has gone. White space is not counted, each character once.

extractable = kept + boilerplate + replaced_by_ocr + discarded + lost; what OCR read is counted apart.
"""

from collections.abc import Iterable, Sequence

from builder.model.chunk import Chunk
from builder.model.coverage import Counts, DocumentCoverage, PageCoverage, PageShare
from builder.model.document import Document, Page, PageOrigin
from builder.model.parts import Span, spans


def page_coverage(page: Page, chunks: Iterable[Chunk]) -> PageCoverage:
    """Count the characters of one page; `chunks` are those of its document."""
    places = _places(page, [span for chunk in chunks for span in spans(chunk.parts) if span.page == page.number])
    counted = [place for place, char in zip(places, page.text, strict=True) if not char.isspace()]
    kept, boilerplate, lost = (counted.count(place) for place in (_KEPT, _BOILERPLATE, _NOWHERE))
    base = PageCoverage(
        number=page.number,
        origin=page.origin,
        problem=page.problem,
        confidence=page.confidence,
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
    touching = by_page(pages, chunks)
    rows = tuple(page_coverage(page, touching[page.number]) for page in pages)
    origins = [row.origin.value for row in rows]
    return DocumentCoverage(
        doc_id=document.doc_id,
        title=document.title,
        media_type=document.media_type,
        status=document.status,
        origins={origin: origins.count(origin) for origin in dict.fromkeys(origins)},
        chunks=len(chunks),
        page_share=_page_share(rows),
        pages=rows,
        problem=document.problem,
        **total(rows).model_dump(),
    )


def total(rows: Sequence[Counts]) -> Counts:
    """The sum of all."""
    return Counts(**{name: sum(getattr(row, name) for row in rows) for name in Counts.model_fields})


def by_page(pages: Iterable[Page], chunks: Iterable[Chunk]) -> dict[int, list[Chunk]]:
    """The chunks that touch each page; every page has an entry."""
    found: dict[int, list[Chunk]] = {page.number: [] for page in pages}
    for chunk in chunks:
        for number in chunk.pages:
            found.setdefault(number, []).append(chunk)
    return found


def _page_share(rows: Sequence[PageCoverage]) -> PageShare:
    expected = [row for row in rows if row.origin is not PageOrigin.BLANK]
    return PageShare(
        expected=len(expected),
        covered=sum(row.covered for row in expected),
        blank=len(rows) - len(expected),
        uncovered=tuple(row.number for row in expected if not row.covered),
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
