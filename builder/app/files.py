"""Files that are written whole or not at all."""

import os
from pathlib import Path

from builder.errors import InputError


def write_whole(path: Path, content: bytes) -> None:
    """Write a file beside its place, then move it there.

    Raises:
        InputError: it cannot be written.
    """
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_bytes(content)
        beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise InputError("not_written", file=path, detail=error) from error
