"""builder coverage --sample and --read: a check list for people, out and back."""

from pathlib import Path

from builder.errors import InputError
from builder.ingest.sample import draw
from builder.ingest.sample_sheet import read_sheet, write_sheet
from builder.model.coverage import Drawn, SampleReport
from builder.settings import Workspace
from builder.store import open_store
from builder.words import Words

__all__ = ["Drawn", "SampleReport", "draw_sample", "read_sample"]


def draw_sample(
    workspace: Workspace, path: Path, count: int, say: Words, *, seed: int = 0, doc_id: str | None = None
) -> tuple[Drawn, ...]:
    """Draw `count` chunks of all documents, or of one, and write them as a check list to `path`.

    Raises:
        InputError: no such document, no chunk, or the file is there already.
    """
    with open_store(workspace.store_url) as store:
        documents = {document.doc_id: document for document in store.documents.all()}
        chunks = store.documents.chunks(None if doc_id is None else [doc_id])
    if doc_id is not None and doc_id not in documents:
        raise InputError("no_document", document=doc_id)
    if not chunks:
        raise InputError("no_chunks")
    drawn = draw(chunks, documents, count, seed)
    write_sheet(path, drawn, {name: document.title for name, document in documents.items()}, say)
    return drawn


def read_sample(workspace: Workspace, path: Path) -> SampleReport:
    """Count the verdicts of a check list that came back.

    Raises:
        InputError: it cannot be read, or holds a verdict that is none.
    """
    with open_store(workspace.store_url) as store:
        chunks = {chunk.chunk_id: chunk for chunk in store.documents.chunks()}
    return read_sheet(path, chunks)
