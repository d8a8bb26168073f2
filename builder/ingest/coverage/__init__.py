"""What became of a document on its way to chunks: characters, pages, tables, conditions, metadata."""

from builder.ingest.coverage.characters import document_coverage, page_coverage
from builder.ingest.coverage.measure import Beside, measure_document, report
from builder.model.coverage import Counts, DocumentCoverage, PageCoverage

__all__ = [
    "Beside",
    "Counts",
    "DocumentCoverage",
    "PageCoverage",
    "document_coverage",
    "measure_document",
    "page_coverage",
    "report",
]
