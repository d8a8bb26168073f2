"""HTML files as one page: headings, paragraphs, lists, tables with their merged cells; scripts and styles are no text.

The parser of the standard library is enough: it never fails, and tags that were left open end where the next begins.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser

from builder.ingest.page_writer import Cell, PageWriter, names_columns
from builder.ingest.plain import decode
from builder.model.document import Page, Problem

_CHARSET = re.compile(rb"charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_HEAD_BYTES = 2048
_CHINESE = frozenset({"gb2312", "gbk", "gb_2312-80", "x-gbk"})
_SILENT = frozenset({"script", "style", "template", "title", "noscript", "svg", "math"})
_ASIDE = frozenset({"nav", "footer"})
_BLOCK_NAMES = (
    "address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form"
    " header hr html legend main nav option p section summary ul ol"
)
_BLOCKS = frozenset(_BLOCK_NAMES.split())
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_MOST_SPAN = 1000


@dataclass(slots=True)
class _Raw:
    """A cell as it is written: how many columns and rows it covers."""

    cell: Cell
    across: int
    down: int
    head: bool


@dataclass(slots=True)
class _Table:
    """A table in progress."""

    rows: list[list[_Raw]] = field(default_factory=list)
    cell: Cell | None = None
    """The open cell, where there is one."""


def read_html(data: bytes) -> tuple[Page, ...] | Problem:
    """An HTML file as one page, or why it is none."""
    if not data:
        return Problem(code="zero_bytes")
    source = _decoded(data)
    if source is None:
        return Problem(code="decode")
    page = html_page(source)
    return (page,) if page.text.strip() else Problem(code="no_text")


def html_page(source: str, number: int = 1, extractable: int = 0) -> Page:
    """The page of an HTML source. Navigation and page footers are on the page and out of chunks."""
    reader = _Reader()
    reader.feed(source)
    reader.close()
    reader.end_block()
    return reader.writer.page(number, extractable)


class _Reader(HTMLParser):
    """Turns tags into lines and tables."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.writer = PageWriter()
        self._text: list[str] = []
        self._silent: list[str] = []
        self._aside: list[str] = []
        self._tables: list[_Table] = []
        self._lists: list[int] = []
        """For each open list the number of its next item; 0 for bullets."""
        self._level = 0
        self._mark = ""
        self._code = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A tag opens."""
        if tag in _SILENT:
            self._silent.append(tag)
        elif tag == "br":
            self._line_break()
        elif tag in ("table", "tr", "td", "th"):
            self._open_table(tag, dict(attrs))
        elif tag == "li":
            self._open_item()
        elif tag in _HEADINGS or tag in _BLOCKS or tag in ("pre", "caption"):
            self._open_block(tag, dict(attrs))

    def handle_endtag(self, tag: str) -> None:
        """A tag closes; one that was never open is no matter."""
        if tag in _SILENT:
            if tag in self._silent:
                del self._silent[self._silent.index(tag) :]
        elif tag in ("table", "td", "th", "tr"):
            self._close_table(tag)
        elif tag in _HEADINGS or tag in _BLOCKS or tag in ("li", "pre", "caption"):
            self._close_block(tag)

    def handle_data(self, data: str) -> None:
        """Text between tags."""
        if self._silent:
            return
        if self._tables and self._tables[-1].cell is not None:
            self._tables[-1].cell.text += data
        else:
            self._text.append(data)

    def end_block(self) -> None:
        """Write the line in progress."""
        text = "".join(self._text)
        self._text.clear()
        if self._code:
            if text.strip():
                self.writer.code(text)
        elif text.strip():
            self.writer.line(self._mark + text, level=self._level, tight=bool(self._mark), body=not self._aside)
            self._mark = ""

    def _line_break(self) -> None:
        if self._code or (self._tables and self._tables[-1].cell is not None):
            self.handle_data("\n")
        else:
            self.end_block()

    def _open_block(self, tag: str, attrs: dict[str, str | None]) -> None:
        if self._in_cell():
            self.handle_data("\n")
            return
        self.end_block()
        self._level = _HEADINGS.get(tag, 0)
        self._code = tag == "pre"
        if tag in ("ul", "ol"):
            self._lists.append(_number(attrs.get("start"), 1) if tag == "ol" else 0)
        if tag in _ASIDE:
            self._aside.append(tag)

    def _close_block(self, tag: str) -> None:
        if self._in_cell():
            self.handle_data("\n")
            return
        self.end_block()
        self._level, self._code, self._mark = 0, False, ""
        if tag in ("ul", "ol") and self._lists:
            self._lists.pop()
        if tag in self._aside:
            self._aside.remove(tag)

    def _open_item(self) -> None:
        if self._in_cell():
            self.handle_data("\n- ")
            return
        self.end_block()
        number = self._lists[-1] if self._lists else 0
        self._mark = f"{number}. " if number else "- "
        if number:
            self._lists[-1] += 1

    def _open_table(self, tag: str, attrs: dict[str, str | None]) -> None:
        if tag == "table":
            if not self._in_cell():
                self.end_block()
            self._tables.append(_Table())
        elif self._tables:
            table = self._tables[-1]
            if tag == "tr":
                table.cell = None
                table.rows.append([])
            else:
                _open_cell(table, tag, attrs)

    def _close_table(self, tag: str) -> None:
        if not self._tables:
            return
        self._tables[-1].cell = None
        if tag == "table":
            table = self._tables.pop()
            outer = self._tables[-1].cell if self._tables else None
            if outer is not None:
                outer.text += "\n" + "\n".join(" | ".join(_texts(row)) for row in _grid(table.rows))
            else:
                self._write(table)

    def _write(self, table: _Table) -> None:
        raw = [row for row in table.rows if row]
        grid = _grid(raw)
        if max(map(len, grid), default=0) < 2:
            for row in grid:
                for text in _texts(row):
                    self.writer.line(text, body=not self._aside)
            return
        heads = next((n for n, row in enumerate(raw) if not all(one.head for one in row)), len(raw))
        self.writer.table(grid, min(heads, len(grid) - 1) or int(names_columns(grid)))

    def _in_cell(self) -> bool:
        return bool(self._tables) and self._tables[-1].cell is not None


def _open_cell(table: _Table, tag: str, attrs: dict[str, str | None]) -> None:
    if not table.rows:
        table.rows.append([])
    table.cell = Cell("")
    across, down = _number(attrs.get("colspan"), 1), _number(attrs.get("rowspan"), 1)
    table.rows[-1].append(_Raw(table.cell, across, down, tag == "th"))


def _grid(raw: Sequence[Sequence[_Raw]]) -> list[list[Cell]]:
    """Rows of the same width; a cell stands in every place that it covers."""
    grid: list[list[Cell]] = []
    hanging: dict[int, tuple[Cell, int]] = {}
    for cells in raw:
        row: list[Cell] = []
        below: dict[int, tuple[Cell, int]] = {}
        for one in cells:
            _take(row, hanging, below)
            for _ in range(one.across):
                if one.down > 1:
                    below[len(row)] = (one.cell, one.down - 1)
                row.append(one.cell)
        for column in sorted(hanging):  # those that the row's own cells do not reach
            row += [Cell("") for _ in range(column - len(row))]
            _take(row, hanging, below)
        grid.append(row)
        hanging = below
    width = max(map(len, grid), default=0)
    return [[*row, *(Cell("") for _ in range(width - len(row)))] for row in grid]


def _take(row: list[Cell], hanging: dict[int, tuple[Cell, int]], below: dict[int, tuple[Cell, int]]) -> None:
    """Cells from above that reach into the next places of this row."""
    while len(row) in hanging:
        cell, left = hanging.pop(len(row))
        if left > 1:
            below[len(row)] = (cell, left - 1)
        row.append(cell)


def _texts(row: Sequence[Cell]) -> list[str]:
    return [text for cell in dict.fromkeys(row) if (text := " ".join(cell.text.split()))]


def _number(value: str | None, default: int) -> int:
    digits = (value or "").strip()
    return min(max(int(digits), 1), _MOST_SPAN) if digits.isascii() and digits.isdigit() else default


def _decoded(data: bytes) -> str | None:
    """By byte order mark, then by what the file says of itself, then by what it looks like."""
    match = _CHARSET.search(data[:_HEAD_BYTES])
    if match and not data.startswith((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")):
        name = match.group(1).decode("ascii").lower()
        try:
            return data.decode("gb18030" if name in _CHINESE else name)
        except (LookupError, UnicodeDecodeError):
            return decode(data)
    return decode(data)
