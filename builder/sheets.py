"""Cells of spreadsheets, both ways: nothing that is written runs, and what is read is the text that a person sees."""

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, time
from typing import Any

from builder.text.screen import inert

MOST = 32_767
"""UTF-16 units that a cell can hold."""
_FORMULA = tuple("=+-@\t\r'")
"""A text that begins so would run, or lose its first character, when somebody opens the file."""
_ESCAPE = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")


def units(text: str) -> int:
    """How much of a cell a text takes: UTF-16 units, escapes counted."""
    return len(_ESCAPE.sub("_x005F_", text).encode("utf-16-le", "surrogatepass")) // 2


def cut(text: str, room: int) -> str:
    """The longest beginning of `text` that takes at most `room` units of a cell."""
    low, high = 0, min(len(text), room)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if units(text[:middle]) <= room else (low, middle - 1)
    return text[:low]


def put(cell: Any, text: str) -> None:
    """Write `text` into an openpyxl cell as a text, whatever it looks like.

    Raises:
        ValueError: more than a cell can hold; the caller says what becomes of the rest.
    """
    text = inert(text)
    if units(text) > MOST:
        raise ValueError(f"{units(text)} units, a cell holds {MOST}")
    # Spreadsheets read `_x000D_` as a control character unless its first underscore is written as `_x005F_`.
    cell.value = _ESCAPE.sub("_x005F_", text)
    # Also "=1+1" is a text here, and stays one when somebody opens the cell and closes it again.
    cell.data_type = "s"
    cell.quotePrefix = text.startswith(_FORMULA)


def seen(value: Any) -> str:
    """The text of a cell as openpyxl gives it: a formula as it was typed, a number or a day as it is written."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float):
        return f"{value:.15g}"
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(sep=" ")
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(text := getattr(value, "text", None), str):  # an array formula
        return text
    return _unescaped(str(value))


def csv_text(rows: Iterable[Sequence[str]]) -> str:
    """Rows as CSV; a text that would run is led by an apostrophe, which `csv_rows` takes off again."""
    out = io.StringIO()
    csv.writer(out).writerows([_guarded(inert(text)) for text in row] for row in rows)
    return out.getvalue()


def csv_rows(text: str) -> Iterator[list[str]]:
    """The rows of a CSV text with comma, semicolon or tab.

    Raises:
        csv.Error: no CSV.
    """
    before = csv.field_size_limit(max(len(text), csv.field_size_limit()))
    try:
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text)):
            yield [_unguarded(cell) for cell in row]
    finally:
        csv.field_size_limit(before)


def normal(text: str) -> str:
    """A text as it counts: line ends of one kind, no white space at the end of lines and around all."""
    lines = unicodedata.normalize("NFC", text).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join(line.rstrip() for line in lines).strip()


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text).replace("\r\n", "\n")


def _guarded(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text


def _unguarded(text: str) -> str:
    return text[1:] if text.startswith("'") and text[1:].startswith(_FORMULA) else text


def _delimiter(text: str) -> str:
    """The sign that stands most often in the first line; a comma where none does."""
    head = text.lstrip().split("\n", 1)[0]
    return max(",;\t", key=head.count)
