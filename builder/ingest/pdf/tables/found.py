"""What is found: tables as rows of cells, each with its characters."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from builder.ingest.pdf.frame import Box

Each = TypeVar("Each")


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundCell:
    """A cell and the characters in it."""

    box: Box
    members: tuple[int, ...]
    """Indexes of its characters, ascending; a character lies in one cell of a page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundTable:
    """A table as rows of cells; a merged cell is repeated where it reaches, and is the same object."""

    box: Box
    rows: tuple[tuple[FoundCell, ...], ...]
    header_rows: int | None = None
    """How many rows name the columns, where a rule below them says so; else the texts tell."""


def flat(rows: Sequence[Sequence[Each]]) -> Iterator[Each]:
    """The cells of all rows."""
    return (cell for row in rows for cell in row)


def inside(x: float, y: float, boxes: Sequence[Box], margin: float = 0.0) -> bool:
    """True where the point lies in one of the boxes, or within `margin` points of it."""
    return any(
        left - margin <= x <= right + margin and top - margin <= y <= bottom + margin
        for left, top, right, bottom in boxes
    )
