"""Pages -> chunks. A chunker decides which spans belong together; ids and texts follow from that."""

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from builder.errors import InputError
from builder.ingest.chunk.passage import Chunker, Passage
from builder.model.chunk import Chunk
from builder.model.document import Page
from builder.model.parts import spans
from builder.settings import ChunkSettings
from builder.text.ids import chunk_ids
from builder.text.language import language_of
from builder.text.passages import assemble

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "builder.chunkers"
"""Entry points: `name = module:function`, the function a Chunker."""
BUILT_IN = {"structure": "builder.ingest.chunk.structure:structure", "fixed": "builder.ingest.chunk.fixed:fixed"}
"""The entry points of this package, known without a look at what is installed; no other package takes their names."""
_VERSIONS = {"structure": "2", "fixed": "1"}


def find_chunker(name: str) -> Chunker:
    """The chunker of that name: built in, or from an installed package.

    Raises:
        InputError: there is none.
    """
    if name in BUILT_IN:
        module, _, function = BUILT_IN[name].partition(":")
        built_in: Chunker = getattr(import_module(module), function)
        return built_in
    chunker: Chunker = _installed(name).load()
    return chunker


def chunker_version(name: str) -> str:
    """Name and version of a chunker: another one may cut differently.

    Raises:
        InputError: there is none of that name.
    """
    if name in BUILT_IN:
        return f"{name}/{_VERSIONS[name]}"
    package = _installed(name).dist
    return f"{name}/{package.version if package else ''}"


def _installed(name: str) -> "EntryPoint":
    from importlib.metadata import entry_points

    found = tuple(entry_points(group=GROUP))
    for point in found:
        if point.name == name:
            return point
    known = dict.fromkeys([*BUILT_IN, *(point.name for point in found)])
    raise InputError("no_chunker", name=name, known=", ".join(known))


def chunk_document(doc_id: str, reading_id: str, pages: Sequence[Page], settings: ChunkSettings) -> tuple[Chunk, ...]:
    """The chunks of one reading, in reading order.

    Raises:
        InputError: no chunker of the name in `settings`.
    """
    passages = find_chunker(settings.name)(pages, settings)
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
