"""The built-in chunker: structure first, then size."""

from collections.abc import Sequence

from builder.ingest.chunk.blocks import blocks
from builder.ingest.chunk.flow import flow
from builder.ingest.chunk.pack import pack
from builder.ingest.chunk.paragraphs import paragraphs
from builder.ingest.chunk.passage import Passage
from builder.ingest.chunk.sections import sections
from builder.model.document import Page
from builder.settings import ChunkSettings


def structure(pages: Sequence[Page], settings: ChunkSettings) -> tuple[Passage, ...]:
    """Lines without boilerplate -> paragraphs -> headings, questions with answers, tables -> sections -> passages."""
    items = flow(pages)
    found = blocks(paragraphs(items))
    return tuple(passage for section in sections(found) for passage in pack(section, settings))
