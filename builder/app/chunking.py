"""Documents whose pages are all there become chunks; those that are chunked already are left alone."""

from builder.ingest.chunk import chunk_document
from builder.ingest.read import document_status, language_of_pages
from builder.model.document import Document, PageOrigin
from builder.progress import Progress
from builder.settings import ChunkSettings, Workspace
from builder.store import Store
from builder.text.canonical import canonical
from builder.text.ids import digest

CHUNKER = "structure/1"


def chunker_hash(settings: ChunkSettings) -> str:
    """Hash of the chunker and its settings: another one means that chunks are made anew."""
    return digest(CHUNKER, canonical(settings.model_dump()), length=16)


def chunk_ready(workspace: Workspace, store: Store, progress: Progress) -> int:
    """Chunk every document that is read, waits for no page and is not chunked with today's settings.

    Returns how many were chunked. Each document is one transaction, so an interrupted run goes on where it stopped.
    """
    key = chunker_hash(workspace.settings.chunk)
    waiting = {document.doc_id for document, _ in store.documents.pages_by_origin(PageOrigin.WAITING)}
    ready = [
        document
        for document in store.documents.all()
        if document.reading_id and document.chunked_with != key and document.doc_id not in waiting
    ]
    progress.begin("chunk", len(ready))
    for document in ready:
        _chunk(workspace, store, document, key)
        progress.advance(note=document.doc_id)
    progress.end()
    return len(ready)


def _chunk(workspace: Workspace, store: Store, document: Document, key: str) -> None:
    pages = store.documents.pages(document.reading_id or "")
    chunks = chunk_document(document.doc_id, document.reading_id or "", pages, workspace.settings.chunk)
    settled = document.replace(chunked_with=key)
    if pages:  # without pages the reading itself failed, and said why
        status, problem = document_status(pages)
        settled = settled.replace(status=status, problem=problem, language=language_of_pages(pages))
    store.documents.replace_chunks(settled, chunks)
