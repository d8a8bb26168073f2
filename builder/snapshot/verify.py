"""Whether a snapshot is still what was frozen. Plain: hashes. Deep: every line, reference and quote."""

from collections.abc import Iterator
from pathlib import Path

from builder.errors import InputError
from builder.model.snapshot import FileEntry, Manifest
from builder.snapshot.deep import Finding, check_contents
from builder.snapshot.lines import ATTRIBUTES, ATTRIBUTES_TEXT, CASES, CHUNKS, DOCUMENTS, MANIFEST
from builder.snapshot.listing import read_manifest
from builder.snapshot.manifest import content_hash, file_entry, manifest_text, sealed


def verify(folder: Path, *, deep: bool = False) -> tuple[Finding, ...]:
    """What is wrong with the snapshot in `folder`; empty where nothing is.

    Raises:
        InputError: there is no snapshot.
    """
    try:
        manifest = read_manifest(folder)
    except InputError as error:
        if error.key == "snapshot_missing":
            raise
        return (Finding(file=MANIFEST, code="unreadable", detail=str(error.values["detail"])),)
    findings = (*_manifest(folder, manifest), *_files(folder, manifest), *_strangers(folder))
    # References within files that are not the frozen ones would only repeat the finding.
    return findings if findings or not deep else check_contents(folder, manifest)


def _manifest(folder: Path, manifest: Manifest) -> Iterator[Finding]:
    if (folder / MANIFEST).read_bytes() != manifest_text(manifest).encode() or sealed(manifest) != manifest:
        yield Finding(file=MANIFEST, code="changed")
    if manifest.name != folder.name:
        yield Finding(file=MANIFEST, code="renamed", detail=manifest.name)
    if content_hash(manifest.files) != manifest.content_hash:
        yield Finding(file=MANIFEST, code="content_hash")
    if sorted(entry.name for entry in manifest.files) != [CASES, CHUNKS, DOCUMENTS]:
        yield Finding(file=MANIFEST, code="file_list")


def _files(folder: Path, manifest: Manifest) -> Iterator[Finding]:
    for entry in manifest.files:
        if entry.name not in (CASES, CHUNKS, DOCUMENTS):
            continue
        try:
            yield from _compared(entry, file_entry(folder / entry.name))
        except OSError as error:
            yield Finding(file=entry.name, code="missing", detail=error.strerror or "")
    attributes = folder / ATTRIBUTES
    if not attributes.is_file() or attributes.read_bytes() != ATTRIBUTES_TEXT.encode():
        yield Finding(file=ATTRIBUTES, code="changed" if attributes.exists() else "missing")


def _compared(told: FileEntry, found: FileEntry) -> Iterator[Finding]:
    if (told.sha256, told.bytes) != (found.sha256, found.bytes):
        yield Finding(file=told.name, code="changed", detail=f"{found.bytes} / {told.bytes}")
    if told.rows != found.rows:
        yield Finding(file=told.name, code="rows", detail=f"{found.rows} / {told.rows}")


def _strangers(folder: Path) -> Iterator[Finding]:
    known = {CASES, CHUNKS, DOCUMENTS, MANIFEST, ATTRIBUTES}
    for path in sorted(folder.iterdir()):
        if path.name not in known:
            yield Finding(file=path.name, code="stranger")
        elif path.is_symlink():
            yield Finding(file=path.name, code="link")
