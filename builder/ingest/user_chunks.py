"""The chunks of the user's own RAG system: a JSONL file, one chunk a line. All rows are good, or none is taken."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from builder.ingest.chunk.marks import is_answer, is_question
from builder.ingest.plain import text_page
from builder.model.chunk import Chunk, ChunkKind
from builder.model.document import Page, Problem
from builder.model.parts import Span
from builder.settings import ChunkFields
from builder.text.ids import digest
from builder.text.language import language_of

EXTRACTOR = "chunks-1"

_USUAL: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "chunk_id", "_id", "id_", "node_id", "uuid"),
    "text": ("text", "content", "page_content", "chunk", "chunk_text", "body"),
    "document": (
        *("document", "doc_id", "document_id", "doc", "source", "file_name", "filename", "file", "url"),
        *("metadata.source", "metadata.file_name", "metadata.document", "metadata.doc_id"),
    ),
    "section": ("section", "headings", "heading", "metadata.section"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class UserChunk:
    """One row."""

    chunk_id: str
    """As given."""
    text: str
    """As given."""
    section: tuple[str, ...]
    """Heading path, where the row has one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkFile:
    """A file of chunks: documents by name, or the rows that are wrong."""

    documents: Mapping[str, tuple[UserChunk, ...]]
    """Chunks in the order of the file. Empty where a row is wrong."""
    problems: tuple[tuple[int, Problem], ...]
    """Row number, from 1, and what is wrong."""
    fields: Mapping[str, str]
    """Which field was taken for what."""


def read_user_chunks(path: Path, asked: ChunkFields, taken: Mapping[str, str]) -> ChunkFile:
    """Read a file of chunks; `taken` are chunk ids that belong to other documents, and which.

    Rows without a document belong to one of the file's own name.

    Raises:
        OSError: the file cannot be read.
    """
    problems: list[tuple[int, Problem]] = []
    rows: list[tuple[int, Mapping[str, Any]]] = []
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        if line.strip():
            row = _parsed(line)
            if isinstance(row, Problem):
                problems.append((number, row))
            else:
                rows.append((number, row))
    fields = _fields(asked, [row for _, row in rows])
    documents: dict[str, list[UserChunk]] = {}
    first: dict[str, int] = {}
    for number, row in rows:
        chunk = _chunk(row, fields)
        problem = chunk if isinstance(chunk, Problem) else _clash(chunk.chunk_id, first, taken)
        if problem is not None:
            problems.append((number, problem))
        elif isinstance(chunk, UserChunk):
            first[chunk.chunk_id] = number
            documents.setdefault(_document(row, fields, path), []).append(chunk)
    if not rows and not problems:
        problems.append((1, Problem(code="no_text")))
    good = {} if problems else {name: tuple(found) for name, found in documents.items()}
    return ChunkFile(documents=good, problems=tuple(sorted(problems, key=lambda row: row[0])), fields=fields)


def content_hash(chunks: Iterable[UserChunk]) -> str:
    """Hash of what the chunks of one document say."""
    return digest(*(json.dumps([chunk.chunk_id, chunk.text, *chunk.section]) for chunk in chunks))


def pages_of(chunks: Sequence[UserChunk]) -> tuple[Page, ...]:
    """Each chunk as one page."""
    return tuple(text_page(chunk.text).replace(number=number) for number, chunk in enumerate(chunks, 1))


def chunks_of(doc_id: str, reading_id: str, chunks: Sequence[UserChunk]) -> tuple[Chunk, ...]:
    """The chunks as they are kept: under the user's ids, each the whole of its page."""
    return tuple(
        Chunk(
            chunk_id=chunk.chunk_id,
            doc_id=doc_id,
            reading_id=reading_id,
            kind=_kind(chunk.text),
            text=chunk.text,
            parts=(Span(page=number, start=0, end=len(chunk.text)),),
            section=chunk.section,
            pages=(number,),
            language=language_of(chunk.text),
            ordinal=number - 1,
        )
        for number, chunk in enumerate(chunks, 1)
    )


def _parsed(line: bytes) -> Mapping[str, Any] | Problem:
    try:
        row = json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        return Problem(code="chunk_row", detail=str(error).splitlines()[0][:200])
    return row if isinstance(row, dict) else Problem(code="chunk_row", detail=type(row).__name__)


def _fields(asked: ChunkFields, rows: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """For each field the asked name, else the first usual one that a row has."""
    found: dict[str, str] = {}
    for role, usual in _USUAL.items():
        name = getattr(asked, role) or next((n for n in usual if any(_value(row, n) is not None for row in rows)), "")
        if name:
            found[role] = name
    return found


def _chunk(row: Mapping[str, Any], fields: Mapping[str, str]) -> UserChunk | Problem:
    given, text = _value(row, fields.get("id", "id")), _value(row, fields.get("text", "text"))
    if isinstance(given, bool) or not isinstance(given, str | int) or given == "":
        return Problem(code="chunk_id", detail=fields.get("id", "id"))
    chunk_id = str(given)
    if not _storable(chunk_id) or any(char.isspace() or not char.isprintable() for char in chunk_id):
        return Problem(code="chunk_id_space", detail=ascii(chunk_id))
    if not isinstance(text, str) or not text.strip() or not _storable(text):
        return Problem(code="chunk_text", detail=fields.get("text", "text"))
    return UserChunk(chunk_id=chunk_id, text=text, section=tuple(_section(row, fields)))


def _section(row: Mapping[str, Any], fields: Mapping[str, str]) -> Iterator[str]:
    found = _value(row, fields.get("section", "section"))
    for name in found if isinstance(found, list) else [found]:
        if isinstance(name, str) and name.strip() and _storable(name):
            yield name


def _document(row: Mapping[str, Any], fields: Mapping[str, str], path: Path) -> str:
    found = _value(row, fields.get("document", "document"))
    name = str(found).strip() if isinstance(found, str | int) else ""
    return name if name and _storable(name) else path.name


def _clash(chunk_id: str, first: Mapping[str, int], taken: Mapping[str, str]) -> Problem | None:
    if chunk_id in first:
        return Problem(code="chunk_id_twice", detail=f"{chunk_id}: {first[chunk_id]}")
    if chunk_id in taken:
        return Problem(code="chunk_id_taken", detail=f"{chunk_id}: {taken[chunk_id]}")
    return None


def _value(row: Mapping[str, Any], name: str) -> Any:
    """The value of a field; `metadata.source` goes into nested objects where no field has that very name."""
    if name in row:
        return row[name]
    found: Any = row
    for step in name.split("."):
        found = found.get(step) if isinstance(found, dict) else None
    return found


def _storable(text: str) -> bool:
    """No lone surrogate and no NUL: no database keeps those."""
    return "\x00" not in text and not any("\ud800" <= char <= "\udfff" for char in text)


def _kind(text: str) -> ChunkKind:
    lines = [line for line in text.splitlines() if line.strip()]
    asked = len(lines) > 1 and is_question(lines[0]) and any(map(is_answer, lines[1:]))
    return ChunkKind.FAQ if asked else ChunkKind.TEXT
