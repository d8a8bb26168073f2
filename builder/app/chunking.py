"""Documents whose pages are all there become chunks; those that are chunked already are left alone."""

from collections.abc import Iterable, Sequence

from builder.ingest.boilerplate import mark_boilerplate
from builder.ingest.chunk import chunk_document, chunker_version
from builder.ingest.read import document_status, language_of_pages
from builder.ingest.walk import USER_CHUNKS
from builder.model.document import Document, Page, PageOrigin
from builder.progress import Progress
from builder.settings import ChunkSettings, Workspace
from builder.store import Store
from builder.text.canonical import canonical
from builder.text.ids import digest


def chunker_hash(settings: ChunkSettings) -> str:
    """Hash of the chunker and its settings: another one means that chunks are made anew."""
    return digest(chunker_version(settings.name), canonical(settings.model_dump()), length=16)


def uncut(workspace: Workspace, documents: Iterable[Document]) -> list[Document]:
    """The documents that are read and not chunked with today's settings, some pages perhaps waiting.

    Documents that the user gave as chunks are never cut.
    """
    key = chunker_hash(workspace.settings.chunk)
    return [
        document
        for document in documents
        if document.reading_id and document.chunked_with != key and document.media_type != USER_CHUNKS
    ]


def chunk_read(workspace: Workspace, store: Store, document: Document, pages: Sequence[Page]) -> None:
    """Chunk a document that was read just now, from its `pages` at hand; one of which pages wait comes later."""
    if not any(page.origin is PageOrigin.WAITING for page in pages):
        _save_chunks(workspace, store, document, pages)


def chunk_ready(workspace: Workspace, store: Store, progress: Progress) -> int:
    """Chunk every document that is read, waits for no page and is not chunked with today's settings.

    Returns how many were chunked. Each document is one transaction, so an interrupted run goes on where it stopped.
    """
    todo = uncut(workspace, store.documents.all())
    if not todo:
        return 0
    waiting = {document.doc_id for document, _ in store.documents.pages_by_origin(PageOrigin.WAITING)}
    ready = [document for document in todo if document.doc_id not in waiting]
    progress.begin("chunk", len(ready))
    for document in ready:
        _chunk(workspace, store, document)
        progress.advance(note=document.doc_id)
    progress.end()
    return len(ready)


def _chunk(workspace: Workspace, store: Store, document: Document) -> None:
    pages = _with_running_lines(store, document)
    if pages:  # without pages the reading itself failed, and said why
        status, problem = document_status(pages)
        document = document.replace(status=status, problem=problem, language=language_of_pages(pages))
    _save_chunks(workspace, store, document, pages)


def _save_chunks(workspace: Workspace, store: Store, document: Document, pages: Sequence[Page]) -> None:
    settings = workspace.settings.chunk
    chunks = chunk_document(document.doc_id, document.reading_id or "", pages, settings)
    store.documents.replace_chunks(document.replace(chunked_with=chunker_hash(settings)), chunks)


def _with_running_lines(store: Store, document: Document) -> tuple[Page, ...]:
    """The pages of a document; where OCR read some, running lines are looked for again now that all are there."""
    pages = store.documents.pages(document.reading_id or "")
    if not any(page.origin is PageOrigin.OCR for page in pages):
        return pages
    marked = mark_boilerplate(pages)
    for before, now in zip(pages, marked, strict=True):
        if now != before:
            store.documents.save_page(document.reading_id or "", now)
    return marked
