"""Chunks: the passages that questions are asked about."""

from enum import StrEnum

from pydantic import Field

from builder.model.document import DocumentMetadata
from builder.model.parts import Parts, covers
from builder.model.record import Record


class ChunkKind(StrEnum):
    """What the passage is."""

    TEXT = "text"
    TABLE = "table"
    FAQ = "faq"


class Chunk(Record):
    """A passage: spans of page text and literal glue, with metadata.

    Reversible: every character that is not glue comes from its span.
    """

    chunk_id: str
    """`doc_id#` and a hash of section path and folded text; an old id never names other text."""
    doc_id: str
    """The document."""
    reading_id: str
    """The reading whose pages the spans count."""
    kind: ChunkKind = ChunkKind.TEXT
    """What the passage is."""
    text: str
    """The passage, as assembled from `parts`."""
    parts: Parts
    """Spans and glue, in order."""
    section: tuple[str, ...] = ()
    """Heading path, outermost first."""
    pages: tuple[int, ...] = ()
    """Pages that it touches, ascending."""
    language: str = "en"
    """zh or en."""
    confidence: int | None = None
    """OCR: lowest page confidence, 0-100; none for digital text."""
    ordinal: int
    """Place within the document, from 0."""
    metadata: DocumentMetadata = Field(default_factory=DocumentMetadata)
    """Inherited from the document; joined when read, never stored beside the chunk."""

    def holds(self, reading_id: str, parts: Parts) -> bool:
        """True where all spans of `parts` (of that reading) lie within this chunk."""
        return reading_id == self.reading_id and covers(self.parts, parts)
