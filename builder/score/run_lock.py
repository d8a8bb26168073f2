"""One process a run: two that do the same work would ask everything twice."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from builder.errors import InputError


@contextmanager
def locked(run: Path) -> Iterator[None]:
    """Hold the lock of a run file. It ends with the process, however that ends.

    Raises:
        InputError: another process holds it, or the folder cannot be written.
    """
    path = run.with_name(f".{run.name}.lock")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = _taken(path)
    except OSError as error:
        raise InputError("run_unwritable", file=path, detail=error.strerror or error) from error
    if handle is None:
        raise InputError("run_busy", file=run)
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(handle)


def _taken(path: Path) -> int | None:
    """The open lock file; none where somebody else holds it. One that was removed meanwhile locks nothing."""
    while True:
        handle = os.open(path, os.O_CREAT | os.O_RDWR, 0o644)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            return None
        if path.exists() and path.stat().st_ino == os.fstat(handle).st_ino:
            return handle
        os.close(handle)
