"""Writes the canonical text of a page: lines in reading order, each table row by row at its place.

Nothing is lost and nothing written twice: each counted character is written once, or dropped as garbage and counted. A
hyphen that cuts a word at a line end is written as HYPHEN, and the word goes on without white space; whether it is one
of the text is settled when the whole document is known (ingest.hyphens).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from builder.ingest.joining import join
from builder.ingest.pdf.characters import GARBAGE, HYPHEN, Characters, around
from builder.ingest.pdf.frame import Box
from builder.ingest.pdf.headers import header_rows, merged_rows
from builder.ingest.pdf.order_groups import Piece
from builder.ingest.pdf.tables import FoundCell, FoundTable
from builder.model.document import Line, Table, TableCell

_LINE = re.compile(f"[^\r\n{HYPHEN}]+")
_OTHER_SIZE = 1.15
_CUT = re.compile(r"[^\W\d_]-$")


@dataclass(slots=True)
class Sheet:
    """A page being written."""

    text: str = ""
    lines: list[Line] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    discarded: int = 0
    hyphens: int = 0
    """Hyphens written that pdfium had taken out, less those taken out that it had left in."""
    _pieces: list[str] = field(default_factory=list)
    _length: int = 0

    def write(self, text: str, box: Box, size: float, before: str) -> tuple[int, int]:
        """Write one line after `before` (white space or nothing) and say where; garbage is dropped and counted."""
        kept = GARBAGE.sub("", text)
        self.discarded += len(text) - len(kept)
        kept = kept.strip()
        if not kept:
            return self._length, self._length
        start = self._length + (len(before) if self._length else 0)
        self._pieces += [before, kept] if self._length else [kept]
        self._length = start + len(kept)
        self.lines.append(Line(start=start, end=self._length, box=box, size=size))
        return start, self._length

    def finish(self) -> "Sheet":
        """Put the text together."""
        self.text = "".join(self._pieces)
        return self


def line_ranges(text: str) -> list[tuple[int, int]]:
    """The lines of a page's characters, as index ranges; a word cut by a line end is in two of them."""
    return [match.span() for match in _LINE.finditer(text) if match.group().strip()]


def write_page(characters: Characters, pieces: Sequence[Piece], tables: Sequence[FoundTable]) -> Sheet:
    """Write the pieces of a page in their order."""
    sheet = Sheet()
    before = ""
    for number, piece in enumerate(pieces):
        after = pieces[number + 1] if number + 1 < len(pieces) else None
        if piece.table is not None:
            _table(sheet, characters, tables[piece.table])
            before = "\n"
            continue
        text, taken = _line_text(characters.text, piece, after)
        sheet.hyphens += taken
        sheet.write(text, piece.box, piece.size, before)
        before = "" if text.endswith(HYPHEN) else "\n"
    return sheet.finish()


def _line_text(text: str, piece: Piece, after: Piece | None) -> tuple[str, int]:
    """A line as it is written, and by how many hyphens that is more than pdfium's.

    Where a word goes on in the line after it, HYPHEN stands at the end: pdfium took the hyphen out, or left it in
    because it took another line for the next one. Where none goes on, the hyphen is one of the text.
    """
    own = text[piece.start : piece.end].rstrip()
    goes_on = after is not None and text[after.start].isalnum() and _like(piece, after)
    if text[piece.end : piece.end + 1] == HYPHEN:
        return (own + HYPHEN, 0) if goes_on else (own + "-", 1)
    if goes_on and after is not None and not piece.end <= after.start <= piece.end + 2 and _CUT.search(own):
        return own[:-1] + HYPHEN, -1
    return own, 0


def _like(piece: Piece, after: Piece) -> bool:
    """Both are of one text: a footnote or running line is smaller, and a table no line at all."""
    return after.table is None and max(piece.size, after.size) <= _OTHER_SIZE * min(piece.size, after.size)


def _table(sheet: Sheet, characters: Characters, table: FoundTable) -> None:
    """Write a table row by row, cells apart by tabs; a merged cell is written once and referred to after."""
    placed: dict[FoundCell, TableCell] = {}
    texts: dict[FoundCell, str] = {}
    rows: list[tuple[TableCell, ...]] = []
    for row in table.rows:
        before = "\n"
        for cell in row:
            if cell in placed:
                continue
            texts[cell], taken = cell_text(characters.text, cell.members)
            sheet.hyphens += taken
            size = characters.size(cell.members[0], cell.members[-1] + 1) if cell.members else 0.0
            start, end = sheet.write(texts[cell], around([cell.box]), size, before)
            placed[cell] = TableCell(start=start, end=end)
            before = "\t" if start < end else before
        rows.append(tuple(placed[cell] for cell in row))
    heads = table.header_rows
    if heads is None:
        heads = header_rows([[texts[cell] for cell in row] for row in table.rows], merged_rows(table.rows))
    sheet.tables.append(Table(rows=tuple(rows), header_rows=heads))


def cell_text(text: str, members: Sequence[int]) -> tuple[str, int]:
    """The text of a cell on one line, its lines joined as a paragraph's are, and the hyphens it has beyond pdfium's."""
    pieces: list[str] = []
    taken = 0
    last = -1
    for index in members:
        gap = text[last + 1 : index]
        if pieces and gap:
            pieces.append(_gap(gap, pieces[-1], text[index]))
            taken += pieces[-1] == "-"
        pieces.append(text[index])
        last = index
    if members and text[last + 1 : last + 2] == HYPHEN:
        pieces.append("-")
        taken += 1
    return "".join(pieces), taken


def _gap(gap: str, left: str, right: str) -> str:
    if gap.startswith(HYPHEN):
        return HYPHEN if right.isalnum() else "-"
    within_a_line = gap.isspace() and "\n" not in gap and "\r" not in gap
    return " " if within_a_line else join(left, right)
