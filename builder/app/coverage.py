"""builder coverage: every character of every page, every table row and every rule accounted for."""

from collections import defaultdict
from pathlib import Path

from builder.errors import InputError
from builder.ingest.coverage import Beside, document_coverage, measure_document, report
from builder.ingest.coverage.annotated import read_tables
from builder.ingest.truth import errors, read_truth
from builder.ingest.walk import locate
from builder.model.chunk import Chunk
from builder.model.coverage import Counts, CoverageReport, DocumentCoverage, Place, RuleOutcome
from builder.model.document import Document
from builder.settings import Workspace
from builder.store import Store, open_store

__all__ = ["Counts", "CoverageReport", "DocumentCoverage", "Place", "RuleOutcome", "coverage", "measure", "under"]


def coverage(workspace: Workspace, doc_id: str | None = None) -> tuple[DocumentCoverage, ...]:
    """The characters of all documents, or of one, counted anew from pages and chunks as they are stored.

    Raises:
        InputError: no such document.
    """
    with open_store(workspace.store_url) as store:
        chunks = _chunks(store, doc_id)
        return tuple(
            document_coverage(document, store.documents.pages(document.reading_id or ""), chunks[document.doc_id])
            for document in _documents(store, doc_id)
        )


def measure(workspace: Workspace, doc_id: str | None = None) -> CoverageReport:
    """All measures of all documents, or of one, with the blocking rules that builder.toml sets.

    Raises:
        InputError: no such document, or a file of annotated tables that cannot be read.
    """
    with open_store(workspace.store_url) as store:
        documents = _documents(store, doc_id)
        chunks = _chunks(store, doc_id)
        rows = [
            measure_document(
                document,
                store.documents.pages(document.reading_id or ""),
                chunks[document.doc_id],
                _beside(workspace, document),
                workspace.settings,
            )
            for document in documents
        ]
    known = [chunk for document in documents for chunk in chunks[document.doc_id]]
    return report(rows, known, workspace.settings, whole=doc_id is None)


def under(found: CoverageReport, bar: float) -> bool:
    """True where the share of characters or of pages is under `bar` per cent, or nothing was there to measure.

    Both count: an image that was never read offers no character that could be missed.
    """
    share = found.kept_percent
    pages = found.pages
    return share is None or share < bar or pages.covered * 100 < bar * pages.expected


def _documents(store: Store, doc_id: str | None) -> list[Document]:
    found = [document for document in store.documents.all() if doc_id in (None, document.doc_id)]
    if doc_id is not None and not found:
        raise InputError("no_document", document=doc_id)
    return found


def _chunks(store: Store, doc_id: str | None) -> dict[str, list[Chunk]]:
    chunks: dict[str, list[Chunk]] = defaultdict(list)
    for chunk in store.documents.chunks(None if doc_id is None else [doc_id]):
        chunks[chunk.doc_id].append(chunk)
    return chunks


def _beside(workspace: Workspace, document: Document) -> Beside:
    """What lies beside the file now; nothing where the file is gone."""
    path = _path(workspace, document)
    if path is None:
        return Beside()
    return Beside(tables=read_tables(path), truth=read_truth(path), errors=errors)


def _path(workspace: Workspace, document: Document) -> Path | None:
    try:
        return locate(workspace.root / document.root, document.source_path)
    except OSError:
        return None
