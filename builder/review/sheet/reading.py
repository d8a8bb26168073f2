"""A filled sheet, read: .xlsx or .csv as any program saves it, columns in any order, extra ones ignored."""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from builder.errors import InputError, UsageError
from builder.logs.files import decoded
from builder.review.sheet.columns import FILLED, HIDDEN, NEEDED, NUMBER, head, heads
from builder.sheets import csv_rows, seen
from builder.text.fold import folded
from builder.words import words

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

SUFFIXES = (".xlsx", ".csv")
_DEPTH = 20
"""Rows among which the heads are looked for."""
_UNREADABLE = (OSError, EOFError, ValueError, LookupError, TypeError, AttributeError, SyntaxError)
"""What openpyxl raises over a file that is no workbook, or a damaged one; errors of XML are SyntaxErrors."""

Lines = list[list[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadRow:
    """A row that holds something."""

    place: int
    """Its row in the file, from 1."""
    cells: Mapping[str, str]
    """Texts by column; the needed columns are always there."""
    merged: bool = False
    """A cell to be filled is merged with one of another row."""

    @property
    def number(self) -> str:
        """What people call it by."""
        return self.cells.get(NUMBER, "").strip() or str(self.place)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadSheet:
    """What a file holds."""

    language: str
    """Of its heads."""
    columns: tuple[str, ...]
    """In the order of the file; the sheet's own only."""
    rows: tuple[ReadRow, ...]
    """In the order of the file."""
    long: tuple[tuple[str, str, str], ...] = ()
    """The tab of full texts: number, name of the column, text, as it stands there."""


def read_sheet(path: Path) -> ReadSheet:
    """Read a sheet.

    Raises:
        UsageError: neither .xlsx nor .csv.
        InputError: it cannot be read, or no table of it is a sheet.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise UsageError("sheet_suffix", file=path)
    if not path.is_file():
        raise InputError("no_path", path=path)
    if path.suffix.lower() == ".csv":
        return _found(path, [(_csv(path), frozenset())], ())
    try:
        return _book(path)
    except _UNREADABLE as error:
        raise InputError("sheet_unreadable", file=path, detail=error) from error


def _csv(path: Path) -> Lines:
    try:
        return list(csv_rows(decoded(path)))
    except csv.Error as error:
        raise InputError("sheet_unreadable", file=path, detail=error) from error


def _book(path: Path) -> ReadSheet:
    import warnings
    from zipfile import BadZipFile

    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about extensions of other programs, which nothing here looks at
            # Formulas as they were typed: their results may be missing, and are what some program made of them.
            book = load_workbook(path, data_only=False)
    except (BadZipFile, InvalidFileException) as error:
        raise InputError("sheet_unreadable", file=path, detail=error) from error
    tables = [(_lines(sheet), _merged(sheet)) for sheet in book.worksheets]
    full = {words(lang)("sheet.tab.full") for lang in ("zh", "en")}
    long = [lines[1:] for sheet, (lines, _) in zip(book.worksheets, tables, strict=True) if sheet.title in full]
    book.close()
    return _found(path, tables, tuple((line[0], line[1], line[2]) for lines in long for line in lines if any(line)))


def _lines(sheet: "Worksheet") -> Lines:
    return [[seen(value) for value in line] for line in sheet.iter_rows(values_only=True)]


def _merged(sheet: "Worksheet") -> frozenset[tuple[int, int]]:
    """Cells, as row and column from 1, that are merged with cells of another row."""
    tall: Iterable[Any] = (one for one in sheet.merged_cells.ranges if one.max_row > one.min_row)
    return frozenset(
        (row, column)
        for one in tall
        for row in range(one.min_row, min(one.max_row, sheet.max_row) + 1)
        for column in range(one.min_col, min(one.max_col, sheet.max_column) + 1)
    )


def _found(
    path: Path, tables: Sequence[tuple[Lines, frozenset[tuple[int, int]]]], long: tuple[tuple[str, str, str], ...]
) -> ReadSheet:
    """The table that is the sheet: the one whose heads name the most of the needed columns."""
    best: tuple[int, int, tuple[str, ...], str] = (0, 0, (), "zh")
    for table, (lines, _) in enumerate(tables):
        for place, line in enumerate(lines[:_DEPTH]):
            names, language = _heads(line)
            if len(set(NEEDED) & set(names)) > len(set(NEEDED) & set(best[2])):
                best = (table, place, names, language)
    table, place, names, language = best
    if (absent := next((name for name in NEEDED if name not in names), None)) is not None:
        raise InputError("sheet_no_column", file=path, column=head(absent, words(language)))
    lines, merged = tables[table]
    rows = tuple(_rows(lines[place + 1 :], place + 2, names, merged))
    return ReadSheet(language=language, columns=tuple(filter(None, names)), rows=rows, long=long)


def _heads(line: Sequence[str]) -> tuple[tuple[str, ...], str]:
    """The columns that a line names (empty for strangers and repeats), and in which language."""
    named = [heads().get(folded(text)) for text in line]
    languages = [language for one in named if one for column, language in (one,) if column not in HIDDEN]
    columns: list[str] = []
    for one in named:
        columns.append(one[0] if one and one[0] not in columns else "")
    return tuple(columns), max(("zh", "en"), key=languages.count)


def _rows(lines: Lines, first: int, names: tuple[str, ...], merged: frozenset[tuple[int, int]]) -> Iterator[ReadRow]:
    filled = [place for place, name in enumerate(names, 1) if name in FILLED]
    for place, line in enumerate(lines, first):
        cells = {name: text for name, text in zip(names, [*line, *[""] * len(names)], strict=False) if name}
        tall = any((place, column) in merged for column in filled)
        if any(text.strip() for text in cells.values()):
            yield ReadRow(place=place, cells=cells, merged=tall)
