"""Reads a sample text: TOML between two `+++` lines, then one block a line.

`# `, `## ` heading; `- ` list item; `^ ` table caption; `* ` small note;
`> ` right-aligned; `| a | b |` table row; any other line is a
paragraph. A table starts with a line of column widths in percent: `|= ` draws all rules, `|- ` is a three-line table.
"""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Style = Literal["chapter", "article", "item", "caption", "note", "right", "body"]
Language = Literal["zh", "en"]
Meta = dict[str, str | list[str]]

TEXTS = Path(__file__).parent / "texts"
FENCE = "+++\n"
STYLES: dict[str, Style] = {
    "# ": "chapter",
    "## ": "article",
    "- ": "item",
    "^ ": "caption",
    "* ": "note",
    "> ": "right",
}
ITEM_NUMBERS = ("（", "1", "2", "3", "4", "5", "6", "7", "8", "9")


@dataclass(frozen=True)
class Line:
    """One heading, paragraph, list item or note."""

    text: str
    style: Style

    @property
    def bullet(self) -> bool:
        """Whether the line is an item that has no number of its own."""
        return self.style == "item" and not self.text.startswith(ITEM_NUMBERS)


@dataclass(frozen=True)
class Grid:
    """A table; `rows` starts with its header."""

    widths: tuple[int, ...]
    ruled: bool
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Source:
    """One sample document: where it is written, what it says, and its metadata."""

    name: str
    file: str
    title: str
    subtitle: str
    header: str
    footer: str
    columns: int
    language: Language
    scan: bool
    meta: Meta
    blocks: tuple[Line | Grid, ...]

    def pieces(self) -> Iterator[str]:
        """Every text that must be found in the document, in reading order."""
        if not self.scan:
            yield from (self.title, self.subtitle)
        for block in self.blocks:
            if isinstance(block, Line):
                yield block.text
            else:
                yield from (cell for row in block.rows for cell in row)

    def truth(self) -> str:
        """Return the plain text of a scanned document."""
        return "\n".join(self.pieces()) + "\n"


def load(path: Path) -> Source:
    """Read one sample text."""
    _, head, body = path.read_text(encoding="utf-8").split(FENCE, 2)
    fields = tomllib.loads(head)
    return Source(
        name=path.stem,
        file=fields["file"],
        title=fields["title"],
        subtitle=fields.get("subtitle", ""),
        header=fields.get("header", ""),
        footer=fields.get("footer", ""),
        columns=fields.get("columns", 1),
        language=fields["meta"]["language"],
        scan=fields.get("scan", False),
        meta=fields["meta"],
        blocks=tuple(parse(body.splitlines())),
    )


def load_all(folder: Path = TEXTS) -> list[Source]:
    """Read every sample text, in the order of their names."""
    return [load(path) for path in sorted(folder.glob("*.txt"))]


def parse(lines: list[str]) -> Iterator[Line | Grid]:
    """Turn lines into blocks; the rows that follow a line of widths become one table."""
    position = 0
    while position < len(lines):
        line = lines[position]
        position += 1
        if line.startswith(("|=", "|-")):
            end = position
            while end < len(lines) and lines[end].startswith("| "):
                end += 1
            rows = tuple(_cells(row) for row in lines[position:end])
            yield Grid(tuple(int(width) for width in line[2:].split()), line.startswith("|="), rows)
            position = end
        elif line:
            yield _line(line)


def _line(line: str) -> Line:
    for mark, style in STYLES.items():
        if line.startswith(mark):
            return Line(line.removeprefix(mark), style)
    return Line(line, "body")


def _cells(row: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in row.strip("|").split("|"))
