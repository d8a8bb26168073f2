"""Files as rows: encodings, and the registry of formats. A new format is one more entry of `FORMATS`."""

import csv
import errno
import gzip
import io
import json
import os
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from builder.errors import InputError, UsageError
from builder.logs.fields import is_deep
from builder.logs.record import GENERIC, RowProblem


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row of a file."""

    number: int
    """As in `RowProblem.row`."""
    values: Mapping[str, Any]
    """Values by column."""


Rows = Iterator[Row | RowProblem]


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A way to read rows."""

    name: str
    """What `--from` calls it."""
    fits: Callable[[str, str], bool]
    """(suffix in lower case, text) -> whether `auto` takes this format. The first that fits is taken."""
    rows: Callable[[str], Rows]
    """Text -> rows, and problems in their place."""
    system: str = GENERIC
    """The system whose logs it reads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A file as rows."""

    file: str
    """File name, without its folder."""
    format: Format
    """What read it."""
    rows: tuple[Row, ...]
    """The rows that could be read."""
    problems: tuple[RowProblem, ...]
    """The others."""

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns, in the order of their first appearance."""
        return tuple(dict.fromkeys(name for row in self.rows for name in row.values))


def read_table(path: Path, format: str = "auto") -> Table:
    """Read a file as rows.

    Raises:
        UsageError: no such format.
        InputError: the file cannot be read or decoded, fits no format, or has not one row that can be read.
    """
    text = decoded(path)
    if not text.strip():
        raise InputError("import_empty", file=path)
    chosen = _chosen(path, text, format)
    found = tuple(chosen.rows(text))
    rows = tuple(item for item in found if isinstance(item, Row))
    problems = tuple(item for item in found if isinstance(item, RowProblem))
    if problems and not rows:
        raise InputError("import_no_rows", file=path, row=problems[0].row, detail=problems[0].detail)
    return Table(file=path.name, format=chosen, rows=rows, problems=problems)


def _chosen(path: Path, text: str, name: str) -> Format:
    names = [entry.name for entry in FORMATS]
    if name not in ("auto", *names):
        raise UsageError("import_format", format=name, known=", ".join(names))
    for entry in FORMATS:
        if entry.name == name or (name == "auto" and entry.fits(path.suffix.lower(), text)):
            return entry
    raise InputError("import_unknown", file=path, known=", ".join(names))


def decoded(path: Path) -> str:
    """The text of a file in UTF-8, UTF-16 or GB18030, or what else its bytes look like; packed with gzip, too.

    Raises:
        InputError: it cannot be read, is no text, or its encoding cannot be told.
    """
    try:
        data = _unpacked(path.read_bytes())
    except (OSError, EOFError, zlib.error) as error:
        raise InputError("import_unreadable", file=path, detail=getattr(error, "strerror", None) or error) from error
    for mark, encoding in ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if data.startswith(mark):
            return _decode(path, data, encoding)
    if b"\0" in data:
        raise InputError("import_binary", file=path)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return _decode(path, data, _guessed(data))


def _unpacked(data: bytes) -> bytes:
    if not data.startswith(b"\x1f\x8b"):
        return data
    with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
        found = file.read(_LARGEST + 1)
    if len(found) > _LARGEST:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
    return found


def _decode(path: Path, data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise InputError("import_encoding", file=path, detail=error) from error


_SAMPLE = 64 * 1024
_LARGEST = 1 << 30
"""Bytes of the largest packed file, unpacked."""


def _guessed(data: bytes) -> str:
    """The encoding of what is no UTF-8. What nobody knows is read as GB18030, the usual one of Chinese spreadsheets."""
    from charset_normalizer import from_bytes

    sample = data[: data.rfind(b"\n", 0, _SAMPLE) + 1] or data
    best = from_bytes(sample, cp_isolation=["gb18030", "big5", "cp1252"]).best()
    return best.encoding if best else "gb18030"


def _jsonl(text: str) -> Rows:
    # Not splitlines: U+2028 and the like may stand within a JSON text.
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield _object(number, line)


def _object(number: int, line: str) -> Row | RowProblem:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        return RowProblem(row=number, code="bad_json", detail=str(error))
    return _item(number, value)


def _item(number: int, value: Any) -> Row | RowProblem:
    if not isinstance(value, dict):
        return RowProblem(row=number, code="not_object", detail=type(value).__name__)
    return RowProblem(row=number, code="too_deep") if is_deep(value) else Row(number=number, values=value)


def _json(text: str) -> Rows:
    """An array of objects, or one object: its only list of objects, else itself."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        yield RowProblem(row=1, code="bad_json", detail=str(error))
        return
    for number, item in enumerate(_listed(value), start=1):
        yield _item(number, item)


def _listed(value: Any) -> list[Any]:
    if isinstance(value, list):
        return value
    lists = [item for item in value.values() if _is_rows(item)] if isinstance(value, dict) else []
    return lists[0] if len(lists) == 1 and not _has_text(value) else [value]


def _is_rows(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)


def _has_text(value: Mapping[str, Any]) -> bool:
    """One record has texts beside its lists ("question"); the envelope of an export has none."""
    return any(isinstance(item, str) for item in value.values())


def _csv(text: str) -> Rows:
    limit = csv.field_size_limit(max(len(text), csv.field_size_limit()))
    try:
        yield from _csv_rows(csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True))
    finally:
        csv.field_size_limit(limit)


def _csv_rows(reader: Iterator[list[str]]) -> Rows:
    header: list[str] = []
    for number, cells in _numbered(reader):
        if isinstance(cells, str):
            yield RowProblem(row=number, code="bad_csv", detail=cells)
        elif not any(cell.strip() for cell in cells):
            continue
        elif not header:
            header = [cell.strip() for cell in cells]
        else:
            yield _cells(number, header, cells)


def _cells(number: int, header: list[str], cells: list[str]) -> Row | RowProblem:
    if any(cell.strip() for cell in cells[len(header) :]):
        return RowProblem(row=number, code="too_many_cells", detail=f"{len(cells)} > {len(header)}")
    values: dict[str, str] = {}
    for name, cell in zip(header, cells, strict=False):
        values.setdefault(name, cell)
    return Row(number=number, values=values)


def _numbered(reader: Iterator[list[str]]) -> Iterator[tuple[int, list[str] | str]]:
    number = 0
    while True:
        number += 1
        try:
            yield number, next(reader)
        except csv.Error as error:
            yield number, str(error)
        except StopIteration:
            return


def _delimiter(text: str) -> str:
    """The sign that stands most often in the header; a comma where none does."""
    header = text.lstrip().split("\n", 1)[0]
    return max(",\t;|", key=header.count)


def _starts_with_object(suffix: str, text: str) -> bool:
    """The first line is a whole object; a broken one too, if the name says JSONL. A lone brace opens a JSON file."""
    line = text.lstrip().split("\n", 1)[0].strip()
    named = suffix in (".jsonl", ".ndjson") and line != "{"
    return line.startswith("{") and (named or isinstance(_object(1, line), Row))


FORMATS = (
    Format(name="jsonl", fits=_starts_with_object, rows=_jsonl),
    Format(name="json", fits=lambda suffix, text: text.lstrip()[:1] in ("{", "["), rows=_json),
    Format(
        name="csv",
        fits=lambda suffix, text: suffix in (".csv", ".tsv") or any(sign in text.split("\n", 1)[0] for sign in ",\t;|"),
        rows=_csv,
    ),
)
"""All formats, in the order in which `auto` tries them."""
