"""Metadata that is missing: what a filter, a citation or an access rule would need."""

from collections.abc import Iterable, Sequence

from builder.model.chunk import Chunk
from builder.model.document import Document, DocumentMetadata

ALWAYS = ("title", "page", "section", "version", "access")
"""Counted whether required or not."""


def missing_metadata(
    document: Document, chunks: Sequence[Chunk], required: Iterable[str] = ()
) -> dict[str, tuple[str, ...]]:
    """What lacks each name: ids of chunks for `page` and `section`, else the document's own.

    title: declared, the file name does not count. version: a label, or the first day on which it holds. access: who
    may read it, or an own field `access` that says it (`access = "public"`). Any other name is a field of the
    metadata, or one that the user added.
    """
    found = {name: _lacking(name, document, chunks) for name in dict.fromkeys((*ALWAYS, *required))}
    return {name: lacking for name, lacking in found.items() if lacking}


def _lacking(name: str, document: Document, chunks: Sequence[Chunk]) -> tuple[str, ...]:
    if name == "page":
        return tuple(chunk.chunk_id for chunk in chunks if not chunk.pages)
    if name == "section":
        return tuple(chunk.chunk_id for chunk in chunks if not chunk.section)
    return () if _told(name, document.metadata) else (document.doc_id,)


def _told(name: str, metadata: DocumentMetadata) -> bool:
    if name == "version":
        return bool(metadata.version_label or metadata.valid_from)
    if name == "access" and metadata.restricted:
        return True
    return bool(getattr(metadata, name, None) or metadata.extra.get(name))
