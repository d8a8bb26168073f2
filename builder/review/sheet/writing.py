"""The sheet as a file: a workbook with a tab that explains it, or CSV."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from builder.errors import InputError
from builder.review.sheet.columns import NUMBER, PASSAGES, columns, head, is_passage
from builder.review.sheet.dress import dress, dress_full
from builder.review.sheet.guide import About, write_guide
from builder.review.sheet.rows import SheetRow, fitted
from builder.sheets import MOST, csv_text, cut, put, units
from builder.words import Words

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

_FULL = ("number", "column", "text")
Long = tuple[str, str, str]
"""Number of the row, name of the column, a piece of the text that did not fit its cell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Returned:
    """A row that goes back."""

    cells: Mapping[str, str]
    """As they were read."""
    reason: str
    """Why."""


def write_sheet(path: Path, rows: Sequence[SheetRow], about: About, say: Words) -> None:
    """Write the sheet for one expert.

    Raises:
        InputError: the file is there already (it may hold answers) or cannot be written; CSV, and a text that
            spreadsheet programs would cut.
    """
    if path.suffix.lower() == ".csv":
        _write_csv(path, rows, say)
        return
    order = columns(max([PASSAGES, *(sum(map(is_passage, row.cells)) for row in rows)]))
    pieces = [
        (row.cells[NUMBER], head(column, say), piece)
        for row in rows
        for column, text in row.long
        for piece in _pieces(text)
    ]
    _write_book(path, order, [row.cells for row in rows], pieces, say, about)


def write_rest(
    path: Path, returned: Sequence[Returned], order: Sequence[str], long: Sequence[Long], say: Words
) -> None:
    """Write refused rows, the reason before all; corrected, the file is a sheet again. `order` are their columns.

    Raises:
        InputError: the file cannot be written.
    """
    texts = [{**row.cells, "reason": row.reason} for row in returned]
    rows = [{column: fitted(text, say) for column, text in row.items()} for row in texts]
    numbers = {row.get(NUMBER, "").strip() for row in rows}
    pieces = [piece for piece in long if piece[0] in numbers]
    pieces += [
        (row.get(NUMBER, ""), head(column, say), piece)
        for row, whole in zip(rows, texts, strict=True)
        for column, text in whole.items()
        if row[column] != text
        for piece in _pieces(text)
    ]
    _write_book(path, ("reason", *(column for column in order if column != "reason")), rows, pieces, say, None)


def _write_csv(path: Path, rows: Sequence[SheetRow], say: Words) -> None:
    if (row := next((row for row in rows if row.long), None)) is not None:
        raise InputError("sheet_csv_long", case=row.cells["id"], column=head(row.long[0][0], say), most=MOST)
    order = columns(max([PASSAGES, *(sum(map(is_passage, row.cells)) for row in rows)]))
    heads = [head(column, say) for column in order]
    text = csv_text([heads, *([row.cells.get(column, "") for column in order] for row in rows)])
    # The mark tells Excel that it is UTF-8.
    _save(path, lambda: path.write_bytes(b"\xef\xbb\xbf" + text.encode("utf-8")))


def _write_book(
    path: Path,
    order: Sequence[str],
    rows: Sequence[Mapping[str, str]],
    long: Sequence[Long],
    say: Words,
    about: About | None,
) -> None:
    from openpyxl import Workbook

    book = Workbook()
    sheet: Worksheet = book.active  # type: ignore[assignment]
    sheet.title = say("sheet.tab.cases")
    if about is not None:
        write_guide(book.create_sheet(say("sheet.tab.guide"), 0), about, say)
        book.active = 0
    _fill(sheet, [{column: head(column, say) for column in order}, *rows], order)
    dress(sheet, order, rows, say)
    if long:
        full: Worksheet = book.create_sheet(say("sheet.tab.full"))
        heads = {column: say(f"sheet.full.{column}") for column in _FULL}
        _fill(full, [heads, *(dict(zip(_FULL, piece, strict=True)) for piece in long)], _FULL)
        dress_full(full)
    _save(path, lambda: book.save(path))


def _fill(sheet: "Worksheet", rows: Sequence[Mapping[str, str]], order: Sequence[str]) -> None:
    for number, row in enumerate(rows, 1):
        for place, column in enumerate(order, 1):
            put(sheet.cell(number, place), row.get(column, ""))


def _pieces(text: str) -> list[str]:
    """A long text in pieces that fit a cell each."""
    pieces = []
    while units(text) > MOST:
        piece = cut(text, MOST)
        pieces.append(piece)
        text = text[len(piece) :]
    return [*pieces, text]


def _save(path: Path, write: Any) -> None:
    if path.exists():
        raise InputError("file_exists", file=path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write()
    except OSError as error:
        raise InputError("not_writable", where=path, detail=error.strerror or error) from error
