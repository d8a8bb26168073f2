"""Snapshots to disk: whole or not at all."""

import os
import re
import secrets
import shutil
import time
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from builder.errors import InputError, UsageError
from builder.model.record import Record
from builder.model.snapshot import Manifest
from builder.snapshot.freeze import Frozen
from builder.snapshot.lines import (
    ATTRIBUTES,
    ATTRIBUTES_TEXT,
    CASES,
    CHUNKS,
    DOCUMENTS,
    MANIFEST,
    SCHEMA_VERSION,
    case_line,
    chunk_line,
    document_line,
)
from builder.snapshot.manifest import access_levels, content_hash, file_entry, manifest_text, sealed

_NAME = re.compile(r"(?![.-])[\w.-]{1,64}(?<!\.)")
_PARTIAL = ".partial-"
_DAY = 86_400


class Facts(Record):
    """What the manifest says beside what was counted."""

    name: str
    """The snapshot's name."""
    dataset: str
    """The dataset that was frozen."""
    created_at: datetime
    """When, UTC."""
    created_by: str
    """Who froze it."""
    tool: str
    """Name and version of the program."""
    include_unreviewed: bool = False
    """Unreviewed cases were let in by an explicit flag."""
    approved_by: tuple[str, ...] = ()
    """Everybody whose approval stands in this snapshot."""


def snapshot_name(name: str) -> str:
    """The name in normal form (NFC).

    1-64 letters of any script, digits, `.`, `_` and `-`; neither `.` nor `-` comes first, and `.` not last.

    Raises:
        UsageError: it is no such name.
    """
    normal = unicodedata.normalize("NFC", name)
    if _NAME.fullmatch(normal) is None:
        raise UsageError("snapshot_name", name=name)
    return normal


def write_snapshot(folder: Path, frozen: Frozen, facts: Facts) -> Manifest:
    """Write `folder`/NAME, which appears complete or not at all; `folder` is made where it is missing.

    Raises:
        UsageError: the name is not allowed.
        InputError: there is a snapshot of that name (upper and lower case are the same), or the disk refuses.
    """
    name = snapshot_name(facts.name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(entry.name.casefold() == name.casefold() for entry in folder.iterdir()):
            raise InputError("snapshot_exists", name=name)
        with _partial(folder) as place:
            manifest = _fill(place, frozen, facts.replace(name=name))
            _publish(place, folder / name)
    except OSError as error:
        raise InputError("snapshot_write", folder=folder, detail=error.strerror or error) from error
    return manifest


def _fill(place: Path, frozen: Frozen, facts: Facts) -> Manifest:
    _write(place / CASES, map(case_line, frozen.cases))
    _write(place / CHUNKS, map(chunk_line, frozen.chunks))
    _write(place / DOCUMENTS, map(document_line, frozen.documents))
    files = tuple(file_entry(place / name) for name in (CASES, CHUNKS, DOCUMENTS))
    states = Counter(case.review_state.value for case in frozen.cases)
    manifest = sealed(
        Manifest(
            **dict(facts),
            schema_version=SCHEMA_VERSION,
            files=files,
            content_hash=content_hash(files),
            included=dict(sorted(states.items())),
            left_out=dict(frozen.left_out),
            access_levels=access_levels(frozen),
        )
    )
    _write(place / MANIFEST, [manifest_text(manifest).removesuffix("\n")])
    _write(place / ATTRIBUTES, [ATTRIBUTES_TEXT.removesuffix("\n")])
    return manifest


def _write(path: Path, lines: Iterable[str]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{line}\n" for line in lines)
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def _partial(folder: Path) -> Iterator[Path]:
    """A hidden folder to work in. What a killed process left behind goes after a day."""
    for old in folder.glob(f"{_PARTIAL}*"):
        if time.time() - old.stat().st_mtime > _DAY:
            shutil.rmtree(old, ignore_errors=True)
    place = folder / f"{_PARTIAL}{secrets.token_hex(6)}"
    place.mkdir()
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _publish(place: Path, target: Path) -> None:
    """Rename, all on disk before and after. A rename onto another snapshot fails, since no folder of ours is empty."""
    _sync(place)
    try:
        place.rename(target)
    except OSError as error:
        if target.exists():
            raise InputError("snapshot_exists", name=target.name) from error
        raise
    _sync(target.parent)


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
