"""The reading order of a page.

pdfium gives characters in the order in which they are drawn. That is mostly the order of reading and is kept where it
is: where each line stands below the one before, nothing is looked at further. Else running lines at the upper and lower
edge come first and last, prose in columns is read column by column, and within a column nothing comes before what
stands above it. Writing from right to left is read so, and so are vertical lines of Chinese and Japanese; other lines
that stand sideways (stamps in the margin) come last. The same page always gives the same order.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from unicodedata import east_asian_width

from builder.ingest.pdf.frame import Box
from builder.ingest.pdf.order_columns import columns
from builder.ingest.pdf.order_groups import Group, Piece, groups_of, same_row, touching

_EDGE = 0.15
_APART = 1.2
_SIDEWAYS = 1.5
_LONG = 1.7
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_LETTER = re.compile(r"[^\W\d_]")

Turn = Callable[[Box], Box]


def in_sequence(pieces: Sequence[Piece]) -> bool:
    """Each piece stands below the one before, or goes on with its line."""
    return all(_below(one.box, other.box) or touching(one.box, other.box) for one, other in pairwise(pieces))


def reading_order(pieces: Sequence[Piece], text: str, size: tuple[float, float]) -> list[Piece]:
    """The pieces of a page of `size` points in the order of reading; `text` are the page's characters."""
    aside = {index for index, piece in enumerate(pieces) if _is_sideways(piece)}
    if not aside and in_sequence(pieces):
        return list(pieces)
    weight = sum(piece.end - piece.start for piece in pieces)
    if sum(pieces[index].end - pieces[index].start for index in aside) * 2 > weight:
        vertical = "".join(text[pieces[index].start : pieces[index].end] for index in sorted(aside))
        if sum(east_asian_width(char) in "WF" for char in vertical) * 2 < len(vertical):
            return list(pieces)
        turned = _turned(pieces, lambda box: (box[1], size[0] - box[2], box[3], size[0] - box[0]))
        return [pieces[index] for index in _ordered(turned, size[0])]
    upright = [index for index in range(len(pieces)) if index not in aside]
    chosen = [pieces[index] for index in upright]
    if _is_right_to_left(text):
        chosen = _turned(chosen, lambda box: (size[0] - box[2], box[1], size[0] - box[0], box[3]))
    order = [upright[index] for index in _ordered(chosen, size[1])]
    return [pieces[index] for index in (*order, *sorted(aside))]


def _ordered(pieces: Sequence[Piece], height: float) -> list[int]:
    above, middle, below = _edges(groups_of(pieces), height)
    ordered = [*_by_rows(above), *(group for column in columns(middle) for group in column), *_by_rows(below)]
    return [index for group in ordered for index in range(group.first, group.first + group.count)]


def _edges(groups: Sequence[Group], height: float) -> tuple[list[Group], list[Group], list[Group]]:
    """What stands apart at the upper and at the lower edge, and what is between."""
    down = sorted(groups, key=lambda group: group.box[1])
    first = _apart([(group.box[1], group.box[3], group.size) for group in down], height * _EDGE)
    above, rest = down[:first], sorted(down[first:], key=lambda group: -group.box[3])
    last = _apart([(-group.box[3], -group.box[1], group.size) for group in rest], height * (_EDGE - 1))
    return above, rest[last:], rest[:last]


def _apart(ranges: Sequence[tuple[float, float, float]], limit: float) -> int:
    """How many of the ranges, which ascend, lie before `limit` with a gap of more than a line behind them."""
    found, reached, size = 0, float("-inf"), 0.0
    for number, (low, high, letters) in enumerate(ranges):
        if number and low - reached >= _APART * max(size, letters):
            found, size = number, 0.0
        reached, size = max(reached, high), max(size, letters)
        if reached > limit:
            break
    return found


def _by_rows(groups: Sequence[Group]) -> list[Group]:
    rows: list[list[Group]] = []
    for group in sorted(groups, key=lambda group: (group.middle, group.box[0])):
        if rows and same_row(rows[-1][0].box, group.box):
            rows[-1].append(group)
        else:
            rows.append([group])
    return [group for row in rows for group in sorted(row, key=lambda group: (group.box[0], group.first))]


def _below(one: Box, other: Box) -> bool:
    return other[1] >= one[3] - min(one[3] - one[1], other[3] - other[1]) / 2


def _is_sideways(piece: Piece) -> bool:
    left, top, right, bottom = piece.box
    height = bottom - top
    return piece.table is None and height > _SIDEWAYS * (right - left) and height > _LONG * piece.size


def _turned(pieces: Sequence[Piece], turn: Turn) -> list[Piece]:
    return [replace(piece, box=turn(piece.box)) for piece in pieces]


def _is_right_to_left(text: str) -> bool:
    return len(_RIGHT_TO_LEFT.findall(text)) * 2 > len(_LETTER.findall(text))
