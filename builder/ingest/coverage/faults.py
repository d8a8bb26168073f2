"""Chunks that will not serve."""

from collections.abc import Mapping, Sequence

from builder.ingest.coverage.exceptions import cut_exceptions
from builder.model.chunk import Chunk
from builder.model.coverage import ChunkFaults
from builder.model.document import DocumentMetadata
from builder.settings import ChunkSettings, CoverageSettings
from builder.text.passages import assemble


def chunk_faults(
    chunks: Sequence[Chunk], texts: Mapping[int, str], coverage: CoverageSettings, chunking: ChunkSettings
) -> ChunkFaults:
    """Look at the chunks of one document, in order; `texts` are its pages by number."""
    lengths = [(chunk.chunk_id, len("".join(chunk.text.split())), len(chunk.text)) for chunk in chunks]
    longest = coverage.long or chunking.maximum
    exceptions, cut = cut_exceptions(chunks)
    return ChunkFaults(
        empty=tuple(name for name, letters, _ in lengths if not letters),
        short=tuple(name for name, letters, _ in lengths if 0 < letters < coverage.short),
        long=tuple(name for name, _, length in lengths if length > longest),
        orphans=tuple(chunk.chunk_id for chunk in chunks if orphan(chunk)),
        exceptions=exceptions,
        cut=cut,
        irreversible=tuple(chunk.chunk_id for chunk in chunks if not reversible(chunk, texts)),
    )


def orphan(chunk: Chunk) -> bool:
    """No heading says what the chunk is about, and nothing is known of its document."""
    return not chunk.section and chunk.metadata == DocumentMetadata()


def reversible(chunk: Chunk, texts: Mapping[int, str]) -> bool:
    """True where the text of the chunk is what its spans and glue say."""
    try:
        return assemble(chunk.parts, texts) == chunk.text
    except (KeyError, IndexError):
        return False
