"""Snapshots on disk, read back."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pydantic import ValidationError

from builder.errors import InputError
from builder.model.bulk import no_collection
from builder.model.snapshot import Manifest, Snapshot
from builder.snapshot.lines import (
    CASES,
    CHUNKS,
    DOCUMENTS,
    MANIFEST,
    SCHEMA_VERSION,
    load,
    parse_case,
    parse_chunk,
    parse_document,
    read_lines,
)

_NEVER = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """One folder below `snapshots/`."""

    name: str
    """The folder's name."""
    manifest: Manifest | None
    """Its manifest; None where it cannot be read."""
    problem: str = ""
    """Why not."""


def list_snapshots(folder: Path) -> tuple[Listed, ...]:
    """All snapshots below `folder`, oldest first; broken ones with what is wrong. Hidden folders are none."""
    if not folder.is_dir():
        return ()
    found = [_listed(entry) for entry in folder.iterdir() if entry.is_dir() and not entry.name.startswith(".")]
    return tuple(sorted(found, key=lambda item: (item.manifest.created_at if item.manifest else _NEVER, item.name)))


def _listed(folder: Path) -> Listed:
    try:
        return Listed(name=folder.name, manifest=read_manifest(folder))
    except InputError as error:
        return Listed(name=folder.name, manifest=None, problem=str(error.values["detail"]))


def read_manifest(folder: Path) -> Manifest:
    """The manifest of the snapshot in `folder`.

    Raises:
        InputError: there is none, or it is not readable by this version.
    """
    try:
        manifest = Manifest.model_validate_json((folder / MANIFEST).read_bytes())
    except FileNotFoundError as error:
        raise InputError("snapshot_missing", name=folder.name, detail=f"{MANIFEST}?") from error
    except OSError as error:
        raise InputError("snapshot_broken", name=folder.name, file=MANIFEST, detail=error.strerror or error) from error
    except ValidationError as error:
        raise InputError("snapshot_broken", name=folder.name, file=MANIFEST, detail=first_of(error)) from error
    if manifest.schema_version != SCHEMA_VERSION:
        detail = f"schema_version {manifest.schema_version}"
        raise InputError("snapshot_broken", name=folder.name, file=MANIFEST, detail=detail)
    return manifest


def read_snapshot(folder: Path) -> Snapshot:
    """The snapshot in `folder`. Its hashes are not checked here; see `verify`.

    Raises:
        InputError: there is none, or a line is no record of this version.
    """
    manifest = read_manifest(folder)
    with no_collection():
        return _read(folder, manifest)


def _read(folder: Path, manifest: Manifest) -> Snapshot:
    at = DOCUMENTS
    try:
        documents = tuple(parse_document(load(line)) for line in read_lines(folder / DOCUMENTS))
        metadata = {document.doc_id: document.metadata for document in documents}
        at = CHUNKS
        chunks = tuple(parse_chunk(load(line), metadata) for line in read_lines(folder / CHUNKS))
        at = CASES
        cases = tuple(parse_case(load(line)) for line in read_lines(folder / CASES))
    except (OSError, ValueError) as error:
        raise InputError("snapshot_broken", name=folder.name, file=at, detail=first_of(error)) from error
    return Snapshot.model_construct(manifest=manifest, cases=cases, chunks=chunks, documents=documents)


def first_of(error: Exception) -> str:
    """What is wrong, in one line."""
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}".removeprefix(": ")
    return " ".join(str(error).split())
