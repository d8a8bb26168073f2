"""Tables that the user wrote down beside a document, to be found again in its chunks.

`policy.pdf.tables.json` holds a list of tables, each a list of rows, each a list of cell texts; the first row is the
header. A table may also be `{"header_rows": 2, "rows": [...]}`. `policy.pdf.tables.csv` holds the same with an empty
line between tables. A merged cell is written once, or wherever it reaches.
"""

import csv
import io
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import Field, TypeAdapter, ValidationError

from builder.errors import InputError
from builder.model.chunk import Chunk, ChunkKind
from builder.model.coverage import Place, TableRows
from builder.model.parts import Span
from builder.model.record import Record
from builder.text.fold import folded

ENDINGS = (".tables.json", ".tables.csv")
"""What is appended to the document's file name."""
_REACH = 5
"""Pieces from one cell to the next: a header of four rows may name each."""


class AnnotatedTable(Record):
    """A table as it should be found."""

    rows: tuple[tuple[str, ...], ...]
    """Cell texts by row, the header first."""
    header_rows: int = Field(default=1, ge=0)
    """How many rows name the columns."""


_TABLES = TypeAdapter(tuple[AnnotatedTable, ...])


def read_tables(document: Path) -> tuple[AnnotatedTable, ...] | None:
    """The tables written down beside `document`; none where there is no such file.

    Raises:
        InputError: the file is of another form.
    """
    for ending in ENDINGS:
        path = document.with_name(document.name + ending)
        if path.is_file():
            return _read(path)
    return None


def _read(path: Path) -> tuple[AnnotatedTable, ...]:
    try:
        text = path.read_text(encoding="utf-8-sig")
        return _TABLES.validate_python([_table(one) for one in _tables(path, text)])
    except (OSError, ValueError, csv.Error, TypeError) as error:
        detail = error.errors()[0]["msg"] if isinstance(error, ValidationError) else error
        raise InputError("tables_syntax", file=path, detail=detail) from error


def _tables(path: Path, text: str) -> list[Any]:
    if path.suffix == ".csv":
        rows = [tuple(row) for row in csv.reader(io.StringIO(text), strict=True)]
        return [table for table in _parted(rows) if table]
    found = json.loads(text)
    return list(found["tables"] if isinstance(found, Mapping) and "tables" in found else found)


def _parted(rows: Sequence[tuple[str, ...]]) -> list[list[tuple[str, ...]]]:
    tables: list[list[tuple[str, ...]]] = [[]]
    for row in rows:
        if any(cell.strip() for cell in row):
            tables[-1].append(row)
        else:
            tables.append([])
    return tables


def _table(given: Any) -> dict[str, Any]:
    if not isinstance(given, Mapping):
        return {"rows": given}
    rows = given.get("rows", given.get("cells"))
    return {"rows": rows, "header_rows": given.get("header_rows", 1)}


def annotated_rows(tables: Sequence[AnnotatedTable], chunks: Sequence[Chunk]) -> TableRows:
    """Which rows stand in a chunk: their cells as pieces of its text in this order, not far apart, or in one piece."""
    finder = _Finder(chunks)
    rows, kept = 0, 0
    headless: list[Place] = []
    broken: list[Place] = []
    for number, table in enumerate(tables, 1):
        for at, row in enumerate(table.rows[table.header_rows :], table.header_rows + 1):
            cells = {column: value for column, cell in enumerate(row) if (value := folded(cell))}
            if not cells:
                continue
            rows += 1
            holders = finder.holders(list(cells.values()))
            heads = [folded(head[c]) for head in table.rows[: table.header_rows] for c in cells if c < len(head)]
            if not holders:
                broken.append(Place(table=number, row=at))
            elif any(all(head in finder.texts[holder] for head in heads) for holder in holders):
                kept += 1
            else:
                headless.append(Place(table=number, row=at))
    return TableRows(base="annotated", rows=rows, kept=kept, headless=tuple(headless), broken=tuple(broken))


class _Finder:
    """Finds rows in chunks."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self.texts = [folded(chunk.text) for chunk in chunks]
        self._lines = [(number, line) for number, chunk in enumerate(chunks) for line in _lines(chunk)]
        self._places: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for at, (_, line) in enumerate(self._lines):
            for place, piece in enumerate(line):
                self._places[piece].append((at, place))

    def holders(self, cells: Sequence[str]) -> list[int]:
        """Numbers of the chunks that hold a row."""
        found = [
            self._lines[at][0] for at, place in self._begins(cells[0]) if _follow(self._lines[at][1], place, cells)
        ]
        whole = "".join(cells)
        found += [number for number, text in enumerate(self.texts) if whole in text] if len(cells) > 1 else []
        return list(dict.fromkeys(found))

    def _begins(self, cell: str) -> list[tuple[int, int]]:
        """Where a cell may begin: a piece that is the cell, or its beginning."""
        if cell in self._places:
            return self._places[cell]
        return [place for piece, at in self._places.items() if piece and cell.startswith(piece) for place in at]


def _lines(chunk: Chunk) -> list[list[str]]:
    """The folded texts of the spans of a chunk: of a table by row (rows are apart by a line break), else all in one."""
    found: list[list[str]] = [[]]
    at = 0
    for part in chunk.parts:
        length = part.end - part.start if isinstance(part, Span) else len(part.glue)
        if isinstance(part, Span):
            found[-1].append(folded(chunk.text[at : at + length]))
        elif "\n" in part.glue and chunk.kind is ChunkKind.TABLE:
            found.append([])
        at += length
    return found


def _follow(pieces: Sequence[str], at: int, cells: Sequence[str]) -> bool:
    """True where `cells` come one after the other from piece `at` on, with nothing but names of columns between."""
    for number, cell in enumerate(cells):
        starts = range(at, min(at + _REACH if number else at + 1, len(pieces)))
        end = next((end for start in starts if (end := _end(pieces, start, cell))), 0)
        if not end:
            return False
        at = end
    return True


def _end(pieces: Sequence[str], start: int, cell: str) -> int:
    """Behind the pieces from `start` on that make up `cell`; 0 where they do not."""
    made = ""
    for at in range(start, len(pieces)):
        made += pieces[at]
        if made == cell:
            return at + 1
        if not cell.startswith(made):
            break
    return 0
