"""Markdown files: the source text as one page, with headings and tables found by the parser.

Marks of headings and tables (`#`, `|`, `---`) are in the page text and out of chunks, as running headers are.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from builder.ingest.counting import count
from builder.ingest.front_matter import FrontMatterError, split_front_matter
from builder.ingest.lines import text_lines
from builder.ingest.plain import decode
from builder.model.document import Line, Page, PageOrigin, Problem, Table, TableCell

if TYPE_CHECKING:
    from markdown_it.token import Token

_BODY_SIZE = 10.0
_LEVEL_STEP = 2.0
_LEVELS = 7
_HASHES = re.compile(r"[ \t>]*#{1,6}[ \t]+|[ \t]+#+[ \t]*$")
_UNDERLINE = re.compile(r"[ \t>]*(?:=+|-+)[ \t]*")
_PIPE = re.compile(r"(?<!\\)\|")
_BOX = (0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkdownFile:
    """What a Markdown file holds."""

    fields: dict[str, Any]
    """Its front matter."""
    page: Page
    """The rest."""


@dataclass(slots=True)
class _Marks:
    """What the parser says of the source's lines."""

    sizes: dict[int, float] = field(default_factory=dict)
    """Letter height by the offset of a line of a heading."""
    signs: list[tuple[int, int]] = field(default_factory=list)
    """Offsets of marks that are no text."""
    tables: list[Table] = field(default_factory=list)
    cells: list[Line] = field(default_factory=list)
    code: set[int] = field(default_factory=set)
    """Offsets of the lines of code."""
    rows: set[int] = field(default_factory=set)
    """Offsets of the lines that are table rows."""


def read_markdown(data: bytes) -> MarkdownFile | Problem:
    """A Markdown file as front matter and one page, or why it cannot be read."""
    if not data:
        return Problem(code="zero_bytes")
    source = decode(data)
    if source is None:
        return Problem(code="decode")
    try:
        fields, text = split_front_matter(source)
    except FrontMatterError as error:
        return Problem(code="front_matter", detail=str(error))
    if not text.strip():
        return Problem(code="no_text")
    return MarkdownFile(fields=fields, page=markdown_page(text))


def markdown_page(text: str) -> Page:
    """The page of a Markdown source without front matter."""
    marks = _marks(text)
    lines = [_sized(text, line, marks) for line in text_lines(text) if _line_start(text, line.start) not in marks.rows]
    return Page(
        number=1,
        origin=PageOrigin.TEXT,
        text=text,
        lines=tuple(sorted([*lines, *marks.cells], key=lambda line: line.start)),
        tables=tuple(marks.tables),
        extractable=count(text),
        boilerplate=tuple(marks.signs),
    )


def _marks(text: str) -> _Marks:
    from markdown_it import MarkdownIt

    starts = [0, *(match.end() for match in re.finditer("\n", text)), len(text)]
    marks = _Marks()
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    for index, token in enumerate(tokens):
        if token.type == "heading_open" and token.map:
            _heading(text, starts, token, marks)
        elif token.type == "table_open" and token.map:
            _table(text, starts, tokens[index:], marks)
        elif token.type in ("fence", "code_block") and token.map:
            marks.code |= set(starts[token.map[0] : token.map[1]])
    marks.signs.sort()
    return marks


def _heading(text: str, starts: Sequence[int], token: "Token", marks: _Marks) -> None:
    first, last = token.map or (0, 0)
    for number in range(first, last):
        start, end = _bounds(text, starts, number)
        marks.sizes[start] = _BODY_SIZE + (_LEVELS - int(token.tag[1])) * _LEVEL_STEP
        pattern = _HASHES if token.markup.startswith("#") else _UNDERLINE
        if pattern is _UNDERLINE and number < last - 1:
            continue
        marks.signs += [
            (start + m.start(), start + m.end()) for m in pattern.finditer(text[start:end]) if m.group().strip()
        ]


def _table(text: str, starts: Sequence[int], tokens: "Sequence[Token]", marks: _Marks) -> None:
    """A table from its rows' lines; the line below the header is a mark."""
    first, last = tokens[0].map or (0, 0)
    rows: list[tuple[TableCell, ...]] = []
    for number in range(first, last):
        start, end = _bounds(text, starts, number)
        marks.rows.add(start)
        if number == first + 1:
            marks.signs.append((start, end))
            continue
        bars = [start + match.start() for match in _PIPE.finditer(text[start:end])]
        marks.signs += [(bar, bar + 1) for bar in bars]
        rows.append(tuple(_cells(text, start, end, bars)))
    width = len(rows[0])
    marks.cells += [
        Line(start=c.start, end=c.end, box=_BOX, size=_BODY_SIZE) for row in rows for c in row if c.start < c.end
    ]
    marks.tables.append(Table(rows=tuple(_fitted(row, width) for row in rows), header_rows=1))


def _cells(text: str, start: int, end: int, bars: Sequence[int]) -> Iterator[TableCell]:
    """The cells between the bars; what stands before the first or behind the last bar is one only where it is text."""
    edges = [start - 1, *bars, end]
    for number, (left, right) in enumerate(pairwise(edges)):
        inner = text[left + 1 : right].strip()
        if inner:
            first = text.index(inner, left + 1)
            yield TableCell(start=first, end=first + len(inner))
        elif 0 < number < len(edges) - 2:
            yield TableCell(start=left + 1, end=left + 1)


def _fitted(row: tuple[TableCell, ...], width: int) -> tuple[TableCell, ...]:
    """As many cells as the header has; a row's surplus stays readable in its last cell."""
    if len(row) > width:
        return (*row[: width - 1], TableCell(start=row[width - 1].start, end=row[-1].end))
    end = row[-1].end if row else 0
    return row + (TableCell(start=end, end=end),) * (width - len(row))


def _sized(text: str, line: Line, marks: _Marks) -> Line:
    start = _line_start(text, line.start)
    return line if start in marks.code else line.replace(size=marks.sizes.get(start, _BODY_SIZE))


def _bounds(text: str, starts: Sequence[int], number: int) -> tuple[int, int]:
    start = starts[number]
    end = starts[number + 1] if number + 1 < len(starts) else len(text)
    return start, start + len(text[start:end].rstrip("\n"))


def _line_start(text: str, offset: int) -> int:
    return text.rfind("\n", 0, offset) + 1
