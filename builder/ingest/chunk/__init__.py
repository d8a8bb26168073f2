"""Pages -> chunks. A chunker decides which spans belong together; ids and texts follow from that."""

from collections.abc import Sequence
from importlib.metadata import entry_points

from builder.errors import InputError
from builder.ingest.chunk.passage import Chunker, Passage
from builder.ingest.chunk.structure import structure
from builder.model.chunk import Chunk
from builder.model.document import Page
from builder.model.parts import spans
from builder.settings import ChunkSettings
from builder.text.ids import chunk_ids
from builder.text.language import language_of
from builder.text.passages import assemble

GROUP = "builder.chunkers"
"""Entry points: `name = module:function`, the function a Chunker."""
_BUILT_IN: dict[str, Chunker] = {"structure": structure}


def find_chunker(name: str) -> Chunker:
    """The chunker of that name: built in, or from an installed package.

    Raises:
        InputError: there is none.
    """
    if name in _BUILT_IN:
        return _BUILT_IN[name]
    for point in entry_points(group=GROUP, name=name):
        chunker: Chunker = point.load()
        return chunker
    raise InputError("no_chunker", name=name)


def chunk_document(
    doc_id: str, reading_id: str, pages: Sequence[Page], settings: ChunkSettings, chunker: str = "structure"
) -> tuple[Chunk, ...]:
    """The chunks of one reading, in reading order."""
    passages = find_chunker(chunker)(pages, settings)
    texts = {page.number: page.text for page in pages}
    confidences = {page.number: page.confidence for page in pages}
    named = [(passage, assemble(passage.parts, texts)) for passage in passages]
    ids = chunk_ids(doc_id, [(passage.section, text) for passage, text in named])
    return tuple(
        _chunk(passage, text, confidences, chunk_id=chunk_id, doc_id=doc_id, reading_id=reading_id, ordinal=ordinal)
        for ordinal, (chunk_id, (passage, text)) in enumerate(zip(ids, named, strict=True))
    )


def _chunk(
    passage: Passage,
    text: str,
    confidences: dict[int, int | None],
    *,
    chunk_id: str,
    doc_id: str,
    reading_id: str,
    ordinal: int,
) -> Chunk:
    numbers = tuple(sorted({span.page for span in spans(passage.parts)}))
    known = [value for number in numbers if (value := confidences[number]) is not None]
    return Chunk(
        chunk_id=chunk_id,
        doc_id=doc_id,
        reading_id=reading_id,
        ordinal=ordinal,
        kind=passage.kind,
        text=text,
        parts=passage.parts,
        section=passage.section,
        pages=numbers,
        language=language_of(text),
        confidence=min(known, default=None),
    )
