"""Which files lie below a root. Links never lead out of it, loops end, and what could not be seen is said."""

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from errno import ENOENT
from pathlib import Path
from stat import S_ISREG

from builder.model.document import Problem

MEDIA_TYPES = {
    ".pdf": "application/pdf",
    ".md": "text/markdown",
    ".markdown": "text/markdown",
    ".txt": "text/plain",
}
"""Kinds of file that are read, by suffix."""

BESIDE = (".meta.toml", ".truth.txt")
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
        _folder(real, finds)
    else:
        _entry(real, finds)
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


def _folder(folder: Path, finds: _Finds) -> None:
    try:
        entries = sorted(folder.iterdir())
    except OSError as error:
        _unseen(folder, error, finds)
        return
    for path in entries:
        if not path.name.startswith("."):
            _entry(path, finds)


def _entry(path: Path, finds: _Finds) -> None:
    try:
        if path.is_symlink():
            _link(path, finds)
        elif path.is_dir():
            _folder(path, finds)
        elif S_ISREG(path.stat().st_mode):
            _file(path, finds)
    except (OSError, RuntimeError) as error:  # RuntimeError: a link to itself, before Python 3.13
        _unseen(path, error, finds)


def _link(path: Path, finds: _Finds) -> None:
    """A link never adds a file: what it leads to lies in the root, and is walked there, or is not the root's."""
    if not path.resolve(strict=True).is_relative_to(finds.root):
        finds.problems.append((_below(finds.root, path), Problem(code="link_out")))


def _file(path: Path, finds: _Finds) -> None:
    if path.name.endswith(BESIDE):
        return
    name, status = _below(finds.root, path), path.stat()
    media_type = MEDIA_TYPES.get(path.suffix.lower())
    if media_type is None:
        finds.ignored.append(name)
    else:
        path.open("rb").close()
        finds.files.append(
            FoundFile(
                path=path, source_path=name, size=status.st_size, mtime_ns=status.st_mtime_ns, media_type=media_type
            )
        )


def _unseen(path: Path, error: OSError | RuntimeError, finds: _Finds) -> None:
    """Note what could not be looked at: nothing may be called gone after that."""
    detail = getattr(error, "strerror", None) or str(error)
    finds.problems.append((_below(finds.root, path), Problem(code="unreadable", detail=detail)))
    finds.complete = False


def _below(root: Path, path: Path) -> str:
    return unicodedata.normalize("NFC", path.relative_to(root).as_posix())
