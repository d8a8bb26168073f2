"""Which files lie below a root. Links never lead out of it, loops end, and what could not be seen is said."""

import os
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from errno import EACCES, ENOENT
from pathlib import Path

from builder.model.document import Problem

MEDIA_TYPES = {
    ".pdf": "application/pdf",
    ".md": "text/markdown",
    ".markdown": "text/markdown",
    ".txt": "text/plain",
    ".html": "text/html",
    ".htm": "text/html",
    ".csv": "text/csv",
    ".tsv": "text/csv",
    ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ".pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
"""Kinds of file that are read, by suffix."""

USER_CHUNKS = "application/x-ndjson"
"""Kind of a document that is known by the user's own chunks only; never found by a walk."""
SIDECAR = ".meta.toml"
"""`policy.pdf.meta.toml` speaks of `policy.pdf`."""
BESIDE = (SIDECAR, ".truth.txt", ".tables.json", ".tables.csv")
"""Endings of files that speak of a document beside them and are none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundFile:
    """A file that can be read."""

    path: Path
    """Absolute."""
    source_path: str
    """Below the root, POSIX form, NFC."""
    size: int
    """Bytes."""
    mtime_ns: int
    """Modification time, nanoseconds."""
    media_type: str
    """One of MEDIA_TYPES."""
    sidecar: bool = False
    """A file beside it tells its metadata."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """What a root holds."""

    files: tuple[FoundFile, ...]
    """Sorted by source path."""
    problems: tuple[tuple[str, Problem], ...]
    """Paths below the root that could not be looked at."""
    ignored: tuple[str, ...]
    """Files of other kinds."""
    complete: bool
    """The whole root was seen: only then may a missing document be called gone."""


@dataclass(slots=True)
class _Finds:
    """What a walk in progress has found."""

    root: Path
    files: list[FoundFile] = field(default_factory=list)
    problems: list[tuple[str, Problem]] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)
    complete: bool = True


def walk(root: Path) -> Walk:
    """All files below `root` (or `root` itself, where it is a file; then nothing is known of its neighbours)."""
    real = root.resolve()
    whole = not real.is_file()
    finds = _Finds(root=real if whole else real.parent, complete=whole)
    if whole:
        _folder(str(real), "", finds)
    else:
        _one(real, finds)
    return Walk(
        files=tuple(sorted(finds.files, key=lambda file: file.source_path)),
        problems=tuple(sorted(finds.problems, key=lambda row: row[0])),
        ignored=tuple(sorted(finds.ignored)),
        complete=finds.complete,
    )


def locate(root: Path, source_path: str) -> Path:
    """The file that `walk` found as `source_path`; on disk its name may be in another Unicode form than NFC.

    Raises:
        FileNotFoundError: it is gone.
    """
    place = root
    for name in source_path.split("/"):
        exact = place / name
        place = exact if exact.exists() else next(filter(_named(name), place.iterdir()), exact)
    if not place.exists():
        raise FileNotFoundError(ENOENT, "no such file", str(place))
    return place


def _named(name: str) -> Callable[[Path], bool]:
    return lambda path: unicodedata.normalize("NFC", path.name) == name


def _folder(folder: str, below: str, finds: _Finds) -> None:
    """Walk a folder; `below` is its path below the root, with a slash at the end."""
    try:
        with os.scandir(folder) as listing:
            entries = [entry for entry in listing if not entry.name.startswith(".")]
    except OSError as error:
        _unseen(below[:-1] or ".", error, finds)
        return
    names = {entry.name for entry in entries}
    for entry in entries:
        name = unicodedata.normalize("NFC", below + entry.name)
        try:
            if entry.is_symlink():
                _link(Path(entry.path), name, finds)
            elif entry.is_dir():
                _folder(entry.path, name + "/", finds)
            elif entry.is_file():
                _file(Path(entry.path), name, entry.stat(), entry.name + SIDECAR in names, finds)
        except (OSError, RuntimeError) as error:  # RuntimeError: a link to itself, before Python 3.13
            _unseen(name, error, finds)


def _one(path: Path, finds: _Finds) -> None:
    name = unicodedata.normalize("NFC", path.name)
    try:
        _file(path, name, path.stat(), path.with_name(path.name + SIDECAR).is_file(), finds)
    except OSError as error:
        _unseen(name, error, finds)


def _link(path: Path, name: str, finds: _Finds) -> None:
    """A link never adds a file: what it leads to lies in the root, and is walked there, or is not the root's."""
    if not path.resolve(strict=True).is_relative_to(finds.root):
        finds.problems.append((name, Problem(code="link_out")))


def _file(path: Path, name: str, status: os.stat_result, sidecar: bool, finds: _Finds) -> None:
    if name.endswith(BESIDE):
        return
    media_type = MEDIA_TYPES.get(path.suffix.lower())
    if media_type is None:
        finds.ignored.append(name)
        return
    # As this process will open it: what is asked for is what the effective user may do.
    if not os.access(path, os.R_OK, effective_ids=os.access in os.supports_effective_ids):
        raise PermissionError(EACCES, os.strerror(EACCES))
    finds.files.append(
        FoundFile(
            path=path,
            source_path=name,
            size=status.st_size,
            mtime_ns=status.st_mtime_ns,
            media_type=media_type,
            sidecar=sidecar,
        )
    )


def _unseen(name: str, error: OSError | RuntimeError, finds: _Finds) -> None:
    """Note what could not be looked at: nothing may be called gone after that."""
    detail = getattr(error, "strerror", None) or str(error)
    finds.problems.append((name, Problem(code="unreadable", detail=detail)))
    finds.complete = False
