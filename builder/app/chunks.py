"""builder chunks: list, show, search."""

from builder.app.searching import Passages
from builder.errors import InputError
from builder.model.chunk import Chunk
from builder.settings import Workspace
from builder.store import Store, open_store


def list_chunks(workspace: Workspace, doc_id: str | None = None) -> tuple[Chunk, ...]:
    """Chunks in reading order, of all documents or of one.

    Raises:
        InputError: no such document.
    """
    with open_store(workspace.store_url) as store:
        if doc_id is not None and doc_id not in {document.doc_id for document in store.documents.all()}:
            raise InputError("no_document", document=doc_id)
        return store.documents.chunks(None if doc_id is None else [doc_id])


def show_chunk(workspace: Workspace, chunk_id: str) -> Chunk:
    """One chunk.

    Raises:
        InputError: no such chunk.
    """
    with open_store(workspace.store_url) as store:
        return find_chunk(store, chunk_id)


def find_chunk(store: Store, chunk_id: str) -> Chunk:
    """One chunk of an open store.

    Raises:
        InputError: no such chunk.
    """
    chunk = store.documents.chunk(chunk_id)
    if chunk is None:
        raise InputError("no_chunk", chunk=chunk_id)
    return chunk


def search_chunks(workspace: Workspace, query: str, limit: int) -> tuple[tuple[Chunk, float], ...]:
    """The best chunks for `query` with their BM25 scores, best first."""
    with open_store(workspace.store_url) as store:
        return Passages(workspace, store).hits(query, limit)
