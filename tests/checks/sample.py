"""The chunks of the sample documents, read once for all tests of a run that look at them."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from builder.app.ingest import ingest
from builder.app.workspace import init
from builder.checks.corpus import Corpus
from builder.ingest.ocr.engine import available_engines
from builder.model.chunk import Chunk
from builder.progress import Silent
from builder.search import open_search
from builder.settings import OcrSettings
from builder.store import open_store


@cache
def engines() -> tuple[str, ...]:
    """The OCR engines that are installed; without one the scanned pages are left out."""
    return available_engines(OcrSettings().languages)


@cache
def sample_chunks() -> tuple[Chunk, ...]:
    """All chunks of the sample documents, in reading order."""
    with TemporaryDirectory() as name:
        workspace, _ = init(Path(name), sample=True)
        ocr = OcrSettings(engine=engines()[-1]) if engines() else OcrSettings(mode="never")
        ingest(workspace, [workspace.root / "docs"], Silent(), ocr=ocr)
        with open_store(workspace.store_url) as store:
            return tuple(store.documents.chunks())


@cache
def sample_corpus() -> Corpus:
    """The same, searchable."""
    chunks = sample_chunks()
    with TemporaryDirectory() as name:
        return Corpus(chunks, open_search(Path(name), [(chunk.chunk_id, chunk.text) for chunk in chunks]))
