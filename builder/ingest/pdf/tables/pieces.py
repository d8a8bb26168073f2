"""The text of a page as lines of pieces: a piece is text without a wide gap, as the cell of a table is."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import pypdfium2.raw as raw

from builder.ingest.pdf.characters import HYPHEN, Characters
from builder.ingest.pdf.frame import Box

_GAP = 0.5
_SAME_LINE = 0.35
_BACK = 0.6


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """Characters side by side."""

    box: Box
    members: tuple[int, ...]
    """Their indexes, from left to right."""

    @property
    def middle(self) -> float:
        """Height of its middle on the page."""
        return (self.box[1] + self.box[3]) / 2

    @property
    def height(self) -> float:
        """Height of its letters with their line, points."""
        return self.box[3] - self.box[1]


Line = tuple[Piece, ...]
"""Pieces of one height from left to right."""


def letter_boxes(characters: Characters) -> dict[int, Box]:
    """The space of each counted character by its index: its whole width and the height of its font."""
    rect = raw.FS_RECTF()
    shown = characters.frame.shown
    found: dict[int, Box] = {}
    for index, char in enumerate(characters.text):
        if char.isspace() or char == HYPHEN or not raw.FPDFText_GetLooseCharBox(characters.handle, index, rect):
            continue
        found[index] = shown(rect.left, rect.bottom, rect.right, rect.top)
    return found


def text_lines(letters: Mapping[int, Box]) -> list[Line]:
    """Letters as lines from top to bottom."""
    runs = sorted(_runs(letters), key=lambda piece: piece.middle)
    lines: list[list[Piece]] = []
    for run in runs:
        last = lines[-1][0] if lines else None
        if last and abs(run.middle - last.middle) <= _SAME_LINE * max(run.height, last.height):
            lines[-1].append(run)
        else:
            lines.append([run])
    return [_merged(line) for line in lines]


def cut(piece: Piece, letters: Mapping[int, Box], at: float, room: float) -> tuple[Piece, Piece] | None:
    """A piece in two, between two letters of which one ends and one begins around `at`, `room` points apart at least.

    None where no such gap is there.
    """
    for number in range(1, len(piece.members)):
        left, right = letters[piece.members[number - 1]][2], letters[piece.members[number]][0]
        if right - left >= room and left <= at <= right:
            return made(piece.members[:number], letters), made(piece.members[number:], letters)
    return None


def made(members: Sequence[int], letters: Mapping[int, Box]) -> Piece:
    """The piece of some letters."""
    lefts, tops, rights, bottoms = zip(*(letters[index] for index in members), strict=True)
    return Piece(box=(min(lefts), min(tops), max(rights), max(bottoms)), members=tuple(members))


def within(lines: Iterable[Line], left: float, right: float) -> list[Line]:
    """The lines between two places, without the pieces that lie outside."""
    cut_out = (tuple(p for p in line if left <= (p.box[0] + p.box[2]) / 2 <= right) for line in lines)
    return [line for line in cut_out if line]


def middle(line: Line) -> float:
    """Height of the middle of a line."""
    return sum(piece.middle for piece in line) / len(line)


def _runs(letters: Mapping[int, Box]) -> Iterator[Piece]:
    """Letters that follow each other, in the order of the file."""
    members: list[int] = []
    box: Box = (0.0, 0.0, 0.0, 0.0)
    for index, letter in letters.items():
        if members and _goes_on(box, letter):
            members.append(index)
            box = (min(box[0], letter[0]), min(box[1], letter[1]), max(box[2], letter[2]), max(box[3], letter[3]))
            continue
        if members:
            yield Piece(box=box, members=tuple(members))
        members, box = [index], letter
    if members:
        yield Piece(box=box, members=tuple(members))


def _goes_on(box: Box, letter: Box) -> bool:
    height = min(box[3] - box[1], letter[3] - letter[1])
    gap = letter[0] - box[2]
    apart = abs((box[1] + box[3]) - (letter[1] + letter[3])) / 2
    return apart <= _SAME_LINE * height and -_BACK * height <= gap < _GAP * height


def _merged(runs: Sequence[Piece]) -> Line:
    """Runs of one line from left to right, those that touch as one."""
    found: list[Piece] = []
    for run in sorted(runs, key=lambda piece: piece.box[0]):
        if found and run.box[0] - found[-1].box[2] < _GAP * min(run.height, found[-1].height):
            last = found.pop()
            (x0, y0, x1, y1), (_, top, right, bottom) = last.box, run.box
            box = (x0, min(y0, top), max(x1, right), max(y1, bottom))
            run = Piece(box=box, members=(*last.members, *run.members))
        found.append(run)
    return tuple(found)
