"""A page written line by line, for formats that have structure but no layout."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from builder.ingest.counting import count
from builder.model.document import Line, Page, PageOrigin, Table, TableCell

BODY_SIZE = 10.0
_LEVEL_STEP = 2.0
_LEVELS = 7
_BOX = (0.0, 0.0, 0.0, 0.0)
_LONGEST_NAME = 60


@dataclass(slots=True, eq=False)
class Cell:
    """A table cell; one that reaches over rows or columns stands in all these places of the grid."""

    text: str


Grid = Sequence[Sequence[Cell]]


@dataclass(slots=True)
class PageWriter:
    """Collects the text of a page, with its headings and tables."""

    _text: list[str] = field(default_factory=list)
    _length: int = 0
    _lines: list[Line] = field(default_factory=list)
    _tables: list[Table] = field(default_factory=list)
    _signs: list[tuple[int, int]] = field(default_factory=list)

    def line(self, text: str, *, level: int = 0, tight: bool = False, body: bool = True) -> None:
        """A paragraph, or a heading of `level` 1-6. `tight`: no empty line before it. `body` False: out of chunks."""
        inner = " ".join(text.split())
        if not inner:
            return
        self._break(tight)
        size = BODY_SIZE + (_LEVELS - level) * _LEVEL_STEP if level else BODY_SIZE
        start = self._append(inner)
        self._lines.append(_line(start, self._length, size))
        if not body:
            self._signs.append((start, self._length))

    def code(self, text: str) -> None:
        """Lines whose ends were meant."""
        self._break(False)
        for number, line in enumerate(text.strip("\n").split("\n")):
            if number:
                self._append("\n")
            start = self._append(line.rstrip())
            if line.strip():
                self._lines.append(_line(start, self._length, 0.0))

    def table(self, grid: Grid, header_rows: int, faq: tuple[int, int] | None = None) -> None:
        """A table, each cell written once; `faq` are the columns of questions and answers."""
        if not any(cell.text.strip() for row in grid for cell in row):
            return
        self._break(False)
        places: dict[int, TableCell] = {}
        rows: list[tuple[TableCell, ...]] = []
        for number, row in enumerate(grid):
            if number:
                self._append("\n")
            rows.append(tuple(self._cell(cell, places, keep=faq is not None) for cell in row))
        if faq is not None:
            self._signs += [(c.start, c.end) for c in (rows[0][column] for column in faq) if c.start < c.end]
        self._tables.append(Table(rows=tuple(rows), header_rows=header_rows, faq=faq))

    def page(self, number: int = 1, extractable: int = 0) -> Page:
        """The page; `extractable` are the characters that the source has, where that is known otherwise."""
        text = "".join(self._text)
        if not text.strip() and not extractable:
            return Page(number=number, origin=PageOrigin.BLANK)
        return Page(
            number=number,
            origin=PageOrigin.TEXT,
            text=text,
            lines=tuple(self._lines),
            tables=tuple(self._tables),
            extractable=max(extractable, count(text)),
            boilerplate=tuple(self._signs),
        )

    def _cell(self, cell: Cell, places: dict[int, TableCell], keep: bool) -> TableCell:
        if id(cell) in places:
            return places[id(cell)]
        text = cell.text.strip() if keep else " ".join(cell.text.split())
        if text and self._text and not self._text[-1].endswith("\n"):
            self._append("\t")
        start = self._append(text) if text else self._length
        if text:
            self._lines.append(_line(start, self._length, BODY_SIZE))
        return places.setdefault(id(cell), TableCell(start=start, end=self._length))

    def _break(self, tight: bool) -> None:
        if self._text:
            self._append("\n" if tight else "\n\n")

    def _append(self, text: str) -> int:
        start = self._length
        if text:
            self._text.append(text)
            self._length += len(text)
        return start


def names_columns(grid: Grid) -> bool:
    """The first row may name the columns: more than one, all filled, short, not numbers, and something below."""
    if len(grid) < 2 or len(grid[0]) < 2:
        return False
    names = [cell.text.strip() for cell in grid[0]]
    return len(set(names)) > 1 and all(
        name and len(name) <= _LONGEST_NAME and any(map(str.isalpha, name)) for name in names
    )


def _line(start: int, end: int, size: float) -> Line:
    return Line(start=start, end=end, box=_BOX, size=size)
