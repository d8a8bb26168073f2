"""Files of JSON lines that grow: a line is there whole or not at all, also after a crash."""

import errno
import fcntl
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, TypeVar

from pydantic import BaseModel, ValidationError

from builder.errors import InputError

Value = TypeVar("Value", bound=BaseModel)
_LONGEST = 1 << 16
"""Bytes that are read at once when the last line is looked for."""


def numbered(path: Path, *, growing: bool = False) -> Iterator[tuple[int, bytes]]:
    """The lines of a file that hold something, with their numbers from 1.

    Of a file that grows, what a crash left of a last line is no line: the next that is added takes its place.

    Raises:
        InputError: it cannot be read.
    """
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if growing and not line.endswith(b"\n") and not _whole(line):
                    return
                text = line.removeprefix(b"\xef\xbb\xbf").strip() if number == 1 else line.strip()
                if text:
                    yield number, text
    except OSError as error:
        raise InputError("run_unreadable", file=path, detail=error.strerror or error) from error


def parsed(model: type[Value], line: bytes, path: Path, number: int) -> Value:
    """The record of one line.

    Raises:
        InputError: it is none; names file, line and field.
    """
    try:
        return model.model_validate_json(line)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        detail = f"{'.'.join(map(str, first['loc']))}: {first['msg']}".removeprefix(": ")
        raise InputError("run_line", file=path, line=number, detail=detail) from error


def line_of(record: BaseModel) -> str:
    """A record as one line, without line break; what has its default value is left out."""
    values = record.model_dump_json(exclude_defaults=True)
    version = getattr(record, "schema_version", None)
    return values if version is None else f'{{"schema_version":{version}{"," if values != "{}" else ""}{values[1:]}'


def write_new(path: Path, records: Iterable[BaseModel]) -> None:
    """Write a file of lines, whole or not at all; one that is there is never overwritten.

    Raises:
        InputError: it is there already, or cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
        _moved(path, records)
    except OSError as error:
        raise InputError("run_unwritable", file=path, detail=error.strerror or error) from error


def _moved(path: Path, records: Iterable[BaseModel]) -> None:
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with beside.open("wb") as file:
            file.writelines(f"{line_of(record)}\n".encode() for record in records)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def append(path: Path, records: Iterable[BaseModel]) -> None:
    """Add lines, on disk when this returns. What a crash left of a last line is cut off; several may append at once.

    Raises:
        InputError: it cannot be written.
    """
    data = "".join(f"{line_of(record)}\n" for record in records).encode()
    if not data:
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            _mend(file)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise InputError("run_unwritable", file=path, detail=error.strerror or error) from error


def mend(path: Path) -> None:
    """Cut off what a crash left of a last line; a file that is not there stays so.

    Raises:
        InputError: it cannot be written.
    """
    try:
        with path.open("r+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            _mend(file)
    except FileNotFoundError:
        return
    except OSError as error:
        raise InputError("run_unwritable", file=path, detail=error.strerror or error) from error


def _mend(file: IO[bytes]) -> None:
    """End the last line: by a line break where it is whole, by cutting it off where it is not."""
    end = file.seek(0, os.SEEK_END)
    if end == 0:
        return
    begin = end
    tail = b""
    while begin and b"\n" not in tail:
        step = min(_LONGEST, begin)
        begin -= step
        file.seek(begin)
        tail = file.read(step) + tail
    last = tail.rpartition(b"\n")[2]
    if last and _whole(last):
        file.write(b"\n")
    elif last:
        file.truncate(end - len(last))
    file.seek(0, os.SEEK_END)


def _whole(line: bytes) -> bool:
    import json

    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True
