"""What is put in order: pieces of a page, and groups of pieces that stand on one line of writing."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from builder.ingest.pdf.frame import Box

_TOUCHING = 0.6
_SAME_ROW = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """What is written in one go: a line, a part of one, or a table."""

    start: int
    """Index of its first character."""
    end: int
    """Index behind its last character; of a table's piece, behind the last one of its first line."""
    box: Box
    """Where it stands on the page as shown."""
    size: float = 0.0
    """Height of the letters, points; 0 for a table."""
    line: int = 0
    """Number of what it was cut from."""
    table: int | None = None
    """Number of the table that it stands for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Pieces beside each other, in pdfium's order: a line that a raised number or a change of font takes apart."""

    first: int
    """Index of the first piece."""
    count: int
    """How many pieces."""
    box: Box
    """Around them."""
    weight: int
    """Characters."""
    size: float
    """Height of the letters in the longest piece, points; 0 for a table."""

    @property
    def is_table(self) -> bool:
        """It stands for a table."""
        return not self.size

    @property
    def middle(self) -> float:
        """Height of its middle on the page."""
        return (self.box[1] + self.box[3]) / 2

    @property
    def height(self) -> float:
        """Height of its box."""
        return self.box[3] - self.box[1]


def groups_of(pieces: Sequence[Piece]) -> list[Group]:
    """Pieces that follow each other in pdfium's order and nearly touch, as groups; a table is one of its own."""
    found: list[Group] = []
    longest = 0
    for index, piece in enumerate(pieces):
        last = found[-1] if found else None
        if last is None or last.is_table or piece.table is not None or not touching(last.box, piece.box):
            longest = piece.end - piece.start
            size = 0.0 if piece.table is not None else max(piece.size, 1.0)
            found.append(Group(first=index, count=1, box=piece.box, weight=longest, size=size))
            continue
        length = piece.end - piece.start
        found[-1] = replace(
            last,
            count=last.count + 1,
            box=united(last.box, piece.box),
            weight=last.weight + length,
            size=max(piece.size, 1.0) if length > longest else last.size,
        )
        longest = max(longest, length)
    return found


def touching(one: Box, other: Box) -> bool:
    """`other` stands on the row of `one`, right behind it or over its end."""
    height = max(one[3] - one[1], other[3] - other[1])
    return same_row(one, other) and one[0] - 1 <= other[0] <= one[2] + _TOUCHING * height


def same_row(one: Box, other: Box) -> bool:
    """The boxes share a good part of their heights."""
    shared = min(one[3], other[3]) - max(one[1], other[1])
    return shared > _SAME_ROW * min(one[3] - one[1], other[3] - other[1])


def united(one: Box, other: Box) -> Box:
    """The box around both."""
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])
