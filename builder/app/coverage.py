"""builder coverage: every character of every page, accounted for."""

from collections import defaultdict

from builder.errors import InputError
from builder.ingest.coverage import Counts, DocumentCoverage, document_coverage
from builder.model.chunk import Chunk
from builder.settings import Workspace
from builder.store import open_store

__all__ = ["Counts", "DocumentCoverage", "coverage"]


def coverage(workspace: Workspace, doc_id: str | None = None) -> tuple[DocumentCoverage, ...]:
    """The coverage of all documents, or of one, counted anew from pages and chunks as they are stored.

    Raises:
        InputError: no such document.
    """
    with open_store(workspace.store_url) as store:
        documents = [document for document in store.documents.all() if doc_id in (None, document.doc_id)]
        if doc_id is not None and not documents:
            raise InputError("no_document", document=doc_id)
        chunks: dict[str, list[Chunk]] = defaultdict(list)
        for chunk in store.documents.chunks(None if doc_id is None else [doc_id]):
            chunks[chunk.doc_id].append(chunk)
        return tuple(
            document_coverage(document, store.documents.pages(document.reading_id or ""), chunks[document.doc_id])
            for document in documents
        )
