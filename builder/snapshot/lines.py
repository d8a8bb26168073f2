"""Records as lines and back: one record a line, canonical JSON, sorted by id.

Fields that have their default value are left out, so that a line stays the same when a later version of the program
knows more fields; those that every reader asks for are always there. Each line carries `schema_version`, for files that
are carried away alone.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from builder.model.case import Case
from builder.model.chunk import Chunk
from builder.model.document import DocumentMetadata
from builder.model.snapshot import FrozenDocument
from builder.text.canonical import canonical

SCHEMA_VERSION = 1
CASES, CHUNKS, DOCUMENTS = "cases.jsonl", "chunks.jsonl", "documents.jsonl"
MANIFEST, ATTRIBUTES = "manifest.json", ".gitattributes"
ATTRIBUTES_TEXT = "*.jsonl text eol=lf\nmanifest.json text eol=lf\n"

_CASE_ALWAYS = ("dataset", "answerable", "ground_truth", "evidence_groups", "question_type", "style")
_CLAIMS = ("claims", "must_not_claims")


def case_line(case: Case) -> str:
    """A case as one line, without line break."""
    values = case.model_dump(mode="json", exclude_defaults=True, exclude={"checks", *_CLAIMS})
    values |= {name: values.get(name) or _plain(getattr(case, name)) for name in _CASE_ALWAYS}
    # The kind of a check has a default and tells the kinds apart: claims are written in full.
    values |= {
        name: [claim.model_dump(mode="json") for claim in found] for name in _CLAIMS if (found := getattr(case, name))
    }
    return _line(values)


def chunk_line(chunk: Chunk) -> str:
    """A chunk as one line. Its metadata stands with its document."""
    values = chunk.model_dump(mode="json", exclude_defaults=True, exclude={"metadata"})
    return _line(values | {"kind": chunk.kind.value, "language": chunk.language})


def document_line(document: FrozenDocument) -> str:
    """A document as one line."""
    values = document.model_dump(mode="json", exclude_defaults=True)
    return _line(values | {"version": document.version, "status": document.status.value})


def parse_case(values: Mapping[str, Any]) -> Case:
    """The case of one line.

    Raises:
        ValueError: no such record, or of another schema version.
    """
    return Case.model_validate(_fields(values))


def parse_chunk(values: Mapping[str, Any], metadata: Mapping[str, DocumentMetadata]) -> Chunk:
    """The chunk of one line, joined with the metadata of its document.

    Raises:
        ValueError: no such record, or of another schema version.
    """
    chunk = Chunk.model_validate(_fields(values))
    return chunk.model_copy(update={"metadata": metadata.get(chunk.doc_id, chunk.metadata)})


def parse_document(values: Mapping[str, Any]) -> FrozenDocument:
    """The document of one line.

    Raises:
        ValueError: no such record, or of another schema version.
    """
    return FrozenDocument.model_validate(_fields(values))


def load(line: str) -> dict[str, Any]:
    """The values of one line.

    Raises:
        ValueError: no JSON object.
    """
    values = json.loads(line)
    if not isinstance(values, dict):
        raise ValueError("not an object")
    return values


def is_canonical(values: Mapping[str, Any], line: str) -> bool:
    """Whether `line` is the one form of `values`.

    Raises:
        TypeError: the values hold a float.
    """
    return canonical(values) == line


def read_lines(path: Path) -> Iterator[str]:
    """The lines of a file, without their line breaks."""
    with path.open(encoding="utf-8", newline="\n") as file:
        for line in file:
            yield line.removesuffix("\n")


def _line(values: dict[str, Any]) -> str:
    return canonical(values | {"schema_version": SCHEMA_VERSION})


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _fields(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values without the schema version, which must be ours."""
    fields = dict(values)
    if (version := fields.pop("schema_version", None)) != SCHEMA_VERSION:
        raise ValueError(f"schema_version {version!r}")
    return fields
