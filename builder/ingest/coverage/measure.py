"""All measures of one document, and of all together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from builder.ingest.coverage.annotated import AnnotatedTable, annotated_rows
from builder.ingest.coverage.characters import by_page, document_coverage, total
from builder.ingest.coverage.duplicates import near_duplicates
from builder.ingest.coverage.faults import chunk_faults
from builder.ingest.coverage.gaps import missing_metadata
from builder.ingest.coverage.images import Errors, ocr_quality
from builder.ingest.coverage.masks import PageMasks
from builder.ingest.coverage.negation import negations_kept
from builder.ingest.coverage.rules import judge
from builder.ingest.coverage.tables import seen_rows
from builder.model.chunk import Chunk
from builder.model.coverage import CoverageReport, DocumentCoverage, PageShare
from builder.model.document import Document, Page
from builder.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """What the user laid beside a document to measure against."""

    tables: tuple[AnnotatedTable, ...] | None = None
    """Tables as they should be found."""
    truth: Mapping[int, str] | None = None
    """True text by page."""
    errors: Errors | None = None
    """How found and true text are compared."""


def measure_document(
    document: Document, pages: Sequence[Page], chunks: Sequence[Chunk], beside: Beside, settings: Settings
) -> DocumentCoverage:
    """Measure one document; `pages` and `chunks` are all that it has, in order."""
    touching = by_page(pages, chunks)
    masks = {page.number: PageMasks(page, touching[page.number]) for page in pages}
    texts = {page.number: page.text for page in pages}
    return document_coverage(document, pages, chunks).replace(
        tables=seen_rows(pages, masks),
        annotated=None if beside.tables is None else annotated_rows(beside.tables, chunks),
        ocr=ocr_quality(pages, beside.truth, beside.errors),
        faults=chunk_faults(chunks, texts, settings.coverage, settings.chunk),
        negations=negations_kept(pages, masks),
        missing=missing_metadata(document, chunks, settings.coverage.required_metadata),
    )


def report(
    documents: Sequence[DocumentCoverage], chunks: Sequence[Chunk], settings: Settings, *, whole: bool = True
) -> CoverageReport:
    """The report on `documents`, whose chunks are `chunks`; `whole` false: they are not all that there are."""
    totals = total(documents)
    shares = [document.page_share for document in documents]
    return CoverageReport(
        totals=totals,
        kept_percent=totals.kept_share,
        pages=PageShare(
            expected=sum(share.expected for share in shares),
            covered=sum(share.covered for share in shares),
            blank=sum(share.blank for share in shares),
        ),
        near_duplicates=near_duplicates(chunks, settings.coverage.near_duplicate),
        documents=tuple(documents),
        rules=judge(documents, settings.coverage, whole=whole),
    )
