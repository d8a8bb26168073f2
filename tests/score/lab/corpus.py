"""The sample documents, read and cut as ingest does it; the scan as its truth file says."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from builder.ingest.chunk import chunk_document
from builder.ingest.metadata import read_metadata
from builder.ingest.read import language_of_pages, read_file
from builder.ingest.truth import read_truth
from builder.ingest.walk import FoundFile, walk
from builder.model.case import Evidence
from builder.model.chunk import Chunk
from builder.model.chunk_index import ChunkIndex
from builder.model.document import Page, PageOrigin
from builder.model.snapshot import FrozenDocument
from builder.settings import ChunkSettings
from builder.text.ids import doc_id, reading_id
from builder.text.passages import slice_parts
from tests.folder import ROOT

POLICY, OLD_POLICY, NOTICE = "售后政策-2026.pdf", "售后政策-2024.pdf", "春节服务通知-扫描件.pdf"
FAQ, LETTER, MANUAL = "常见问题.md", "供应商来信.md", "GTE-3000系列产品说明书.pdf"
HANDBOOK, PAY, WARRANTY = "employee-handbook.pdf", "pay-policy-2026.pdf", "warranty-terms.md"
BEICHEN = "tenants/beichen/售后政策-2026.pdf"
FROZEN_VERSION = 2
"""Version of every document, so that a system can have an earlier one and a later one."""


@dataclass(frozen=True, kw_only=True)
class Samples:
    """All of them."""

    documents: Mapping[str, FrozenDocument]
    pages: Mapping[str, tuple[Page, ...]]
    chunks: tuple[Chunk, ...]

    def quoted(self, document: str, quote: str) -> Evidence:
        """The quote where it stands in a chunk; a quote that does not stand there is a mistake of the test."""
        for chunk in self.chunks:
            if chunk.doc_id == document and quote in chunk.text:
                start = chunk.text.index(quote)
                parts = slice_parts(chunk.parts, start, start + len(quote))
                return Evidence(doc_id=document, reading_id=chunk.reading_id, quote=quote, parts=parts)
        raise AssertionError(f"no chunk of {document} holds {quote!r}")

    def resting_on(self, evidence: list[Evidence]) -> tuple[Chunk, ...]:
        """The chunks that hold the evidence, as a snapshot would keep them."""
        index = ChunkIndex(self.chunks)
        found = {chunk.chunk_id: chunk for one in evidence if (chunk := index.chunk_of(one))}
        return tuple(found[name] for name in sorted(found))


@cache
def samples() -> Samples:
    """Read once."""
    documents, pages, chunks = {}, {}, []
    for file in walk(ROOT / "data/docs").files:
        name = doc_id(file.source_path)
        fields, read = _read(file)
        metadata = read_metadata(file, (), fields)
        documents[name] = FrozenDocument(
            doc_id=name,
            source_path=file.source_path,
            version=FROZEN_VERSION,
            sha256="0" * 64,
            media_type=file.media_type,
            page_count=len(read),
            language=language_of_pages(read),
            metadata=metadata,
        )
        pages[name] = read
        reading = reading_id(name, "0" * 64, "test", "s")
        cut = chunk_document(name, reading, read, ChunkSettings())
        chunks += [chunk.replace(metadata=metadata) for chunk in cut]
    return Samples(documents=documents, pages=pages, chunks=tuple(chunks))


def _read(file: FoundFile) -> tuple[Mapping[str, object], tuple[Page, ...]]:
    content = read_file(file.path, file.media_type, "never")
    truth = read_truth(file.path)
    pages = tuple(
        Page(number=page.number, origin=PageOrigin.OCR, text=truth[page.number], confidence=90)
        if page.number in truth and not page.text.strip()
        else page
        for page in content.pages
    )
    return content.front_matter, pages
