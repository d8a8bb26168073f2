"""The manifest: names, hashes, and what a reader must know before trusting the cases."""

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

from builder.model.snapshot import FileEntry, Manifest
from builder.snapshot.evidence import all_evidence
from builder.snapshot.freeze import Frozen
from builder.text.canonical import canonical
from builder.text.ids import digest

_BLOCK = 1 << 20


def file_entry(path: Path) -> FileEntry:
    """Hash, size and rows of a file, read once."""
    hasher, size, rows = hashlib.sha256(), 0, 0
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            hasher.update(block)
            size += len(block)
            rows += block.count(b"\n")
    return FileEntry(name=path.name, sha256=hasher.hexdigest(), bytes=size, rows=rows)


def content_hash(files: Iterable[FileEntry]) -> str:
    """Hash over names and hashes of the files: the same cases give the same hash, whoever freezes them, and when."""
    return digest(
        *(text for entry in sorted(files, key=lambda entry: entry.name) for text in (entry.name, entry.sha256))
    )


def sealed(manifest: Manifest) -> Manifest:
    """The manifest with the hash over all its other fields."""
    return manifest.model_copy(update={"seal": digest(canonical(manifest.model_dump(mode="json", exclude={"seal"})))})


def manifest_text(manifest: Manifest) -> str:
    """The manifest as its file has it: for people, so indented."""
    return json.dumps(manifest.model_dump(mode="json"), ensure_ascii=False, indent=2, sort_keys=True) + "\n"


def access_levels(frozen: Frozen) -> tuple[str, ...]:
    """What one must have to read the documents that the cases name, as `tenant:a`, `role:hr` or `deny`."""
    named = {evidence.doc_id for case in frozen.cases for evidence in all_evidence(case)}
    read = (document for document in frozen.documents if document.doc_id in named)
    return tuple(sorted({level for document in read for level in document.metadata.levels}))
