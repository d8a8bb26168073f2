"""What a walk means for the documents that are known: new, changed, unchanged, renamed, removed."""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from builder.ingest.walk import FoundFile
from builder.model.document import Document

_MANY = 20
_MANY_PERCENT = 10
_FEW = 3
_BLOCK = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncPlan:
    """What has to be done below one root. Each file and each document stands in one place only."""

    new: tuple[FoundFile, ...]
    """Not known before."""
    changed: tuple[tuple[FoundFile, Document], ...]
    """Other bytes at a known path."""
    unchanged: tuple[Document, ...]
    """The same bytes, as the documents are known: the file may have been touched since."""
    renamed: tuple[tuple[FoundFile, Document], ...]
    """The bytes of a document whose path is gone, at a new path: the doc_id is kept."""
    removed: tuple[Document, ...]
    """Gone. Always empty below a root that was not walked to the end."""


def plan_sync(
    found: Sequence[FoundFile],
    known: Sequence[Document],
    root: str,
    complete: bool,
    hash_of: Callable[[FoundFile], str],
) -> SyncPlan:
    """Compare the files below `root` with the documents known below it (others and retired ones are left alone).

    A file whose size and time are as noted is not read; else `hash_of` decides.
    """
    by_path = {doc.source_path: doc for doc in known if doc.root == root and doc.retired_at is None}
    met = [(file, by_path[file.source_path]) for file in found if file.source_path in by_path]
    strangers = [file for file in found if file.source_path not in by_path]
    gone = _gone(by_path.values(), found)
    same = [(file, doc) for file, doc in met if _same(file, doc, hash_of)]
    renamed = _renames(strangers, gone, hash_of) if complete else ()
    moved_files = {file.source_path for file, _ in renamed}
    moved_docs = {doc.doc_id for _, doc in renamed}
    kept = {doc.doc_id for _, doc in same}
    return SyncPlan(
        new=tuple(file for file in strangers if file.source_path not in moved_files),
        changed=tuple((file, doc) for file, doc in met if doc.doc_id not in kept),
        unchanged=tuple(doc for _, doc in same),
        renamed=renamed,
        removed=tuple(doc for doc in gone if doc.doc_id not in moved_docs) if complete else (),
    )


def file_hash(path: Path) -> str:
    """SHA-256 of the bytes, hex.

    Raises:
        OSError: the file cannot be read.
    """
    hasher = hashlib.sha256()
    with path.open("rb") as stream:
        while block := stream.read(_BLOCK):
            hasher.update(block)
    return hasher.hexdigest()


def too_many_removed(removed: int, known: int) -> bool:
    """True where so much is gone that somebody must say yes: over 20, or over 10 % of `known` and at least 3."""
    return removed > _MANY or (removed >= _FEW and removed * 100 > known * _MANY_PERCENT)


def _gone(known: Iterable[Document], found: Sequence[FoundFile]) -> list[Document]:
    there = {file.source_path for file in found}
    return [doc for doc in known if doc.source_path not in there]


def _same(file: FoundFile, doc: Document, hash_of: Callable[[FoundFile], str]) -> bool:
    if file.size != doc.size:
        return False
    return file.mtime_ns == doc.mtime_ns or hash_of(file) == doc.sha256


def _renames(
    strangers: Sequence[FoundFile], gone: Sequence[Document], hash_of: Callable[[FoundFile], str]
) -> tuple[tuple[FoundFile, Document], ...]:
    """Pair new files with gone documents of the same bytes, each once; only files of a fitting size are read."""
    waiting = list(gone)
    pairs: list[tuple[FoundFile, Document]] = []
    for file in strangers:
        fitting = [doc for doc in waiting if doc.size == file.size and doc.media_type == file.media_type]
        sha256 = hash_of(file) if fitting else ""
        match = next((doc for doc in fitting if doc.sha256 == sha256), None)
        if match is not None:
            waiting.remove(match)
            pairs.append((file, match))
    return tuple(pairs)
