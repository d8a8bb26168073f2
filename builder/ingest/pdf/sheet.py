"""Writes the canonical text of a page: lines in pdfium's order, each table row by row at its place.

Nothing is lost and nothing written twice: each counted character is written once, or dropped as garbage and counted.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise

from builder.ingest.joining import join
from builder.ingest.pdf.characters import GARBAGE, HYPHEN, Characters
from builder.ingest.pdf.frame import Box
from builder.ingest.pdf.headers import header_rows
from builder.ingest.pdf.tables import FoundCell, FoundTable
from builder.model.document import Line, Table, TableCell

_LINE = re.compile(f"[^\r\n{HYPHEN}]+")


@dataclass(slots=True)
class Sheet:
    """A page being written."""

    text: str = ""
    lines: list[Line] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    discarded: int = 0
    _pieces: list[str] = field(default_factory=list)
    _length: int = 0

    def write(self, text: str, box: Box, size: float, before: str) -> TableCell:
        """Write one line after `before` (white space or nothing); garbage is dropped and counted."""
        kept = GARBAGE.sub("", text)
        self.discarded += len(text) - len(kept)
        kept = kept.strip()
        if not kept:
            return TableCell(start=self._length, end=self._length)
        start = self._length + (len(before) if self._length else 0)
        self._pieces += [before, kept] if self._length else [kept]
        self._length = start + len(kept)
        self.lines.append(Line(start=start, end=self._length, box=box, size=size))
        return TableCell(start=start, end=self._length)

    def finish(self) -> "Sheet":
        """Put the text together."""
        self.text = "".join(self._pieces)
        return self


def line_ranges(text: str) -> list[tuple[int, int]]:
    """The lines of a page's characters, as index ranges; a word cut by a line end is in two of them."""
    return [match.span() for match in _LINE.finditer(text) if match.group().strip()]


def write_page(
    characters: Characters, ranges: Sequence[tuple[int, int]], boxes: Sequence[Box], tables: Sequence[FoundTable]
) -> Sheet:
    """Write a page; `ranges` are its lines and `boxes` theirs."""
    owner = {index: number for number, table in enumerate(tables) for index in _members(table)}
    sheet, written = Sheet(), set[int]()
    for (start, end), box in zip(ranges, boxes, strict=True):
        if not owner:
            _line(sheet, characters, start, end, box)
            continue
        for number, first, last in _runs(characters.text, start, end, owner):
            if number is None:
                _line(sheet, characters, first, last, characters.line_box(first, last))
            elif number not in written:
                written.add(number)
                _table(sheet, characters, tables[number])
    return sheet.finish()


def _members(table: FoundTable) -> Iterator[int]:
    return (index for row in table.rows for cell in row for index in cell.members)


def _runs(text: str, start: int, end: int, owner: Mapping[int, int]) -> Iterator[tuple[int | None, int, int]]:
    """Cut a line where it enters or leaves a table; white space goes with what stands before it."""
    counted = [index for index in range(start, end) if not text[index].isspace()]
    for number, members in groupby(counted, key=owner.get):
        indexes = list(members)
        yield number, indexes[0], indexes[-1] + 1


def _line(sheet: Sheet, characters: Characters, start: int, end: int, box: Box) -> None:
    cut_word = start > 0 and characters.text[start - 1] == HYPHEN
    sheet.write(characters.text[start:end], box, characters.size(start, end), "" if cut_word else "\n")


def _table(sheet: Sheet, characters: Characters, table: FoundTable) -> None:
    """Write a table row by row, cells apart by tabs; a merged cell is written once and referred to after."""
    placed: dict[FoundCell, TableCell] = {}
    rows: list[tuple[TableCell, ...]] = []
    for row in table.rows:
        before = "\n"
        for cell in row:
            if cell in placed:
                continue
            text = cell_text(characters.text, cell.members)
            size = characters.size(cell.members[0], cell.members[-1] + 1) if cell.members else 0.0
            placed[cell] = sheet.write(text, _rounded(cell.box), size, before)
            before = "\t" if placed[cell].start < placed[cell].end else before
        rows.append(tuple(placed[cell] for cell in row))
    texts = [[cell_text(characters.text, cell.members) for cell in row] for row in table.rows]
    merged = any(left is right for left, right in pairwise(table.rows[0]))
    sheet.tables.append(Table(rows=tuple(rows), header_rows=header_rows(texts, merged)))


def cell_text(text: str, members: Sequence[int]) -> str:
    """The text of a cell on one line: its lines are joined as a paragraph's are."""
    pieces: list[str] = []
    last = -1
    for index in members:
        gap = text[last + 1 : index]
        if pieces and gap:
            pieces.append(_gap(gap, pieces[-1], text[index]))
        pieces.append(text[index])
        last = index
    return "".join(pieces)


def _gap(gap: str, left: str, right: str) -> str:
    if gap == HYPHEN:
        return ""
    within_a_line = gap.isspace() and "\n" not in gap and "\r" not in gap
    return " " if within_a_line else join(left, right)


def _rounded(box: Box) -> Box:
    left, top, right, bottom = (round(value, 2) for value in box)
    return left, top, right, bottom
