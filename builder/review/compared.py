"""The comparison on the screen: what was removed in [- -], what was added in {+ +}, readable without any style."""

from itertools import pairwise

from builder.review.blind import seen
from builder.review.differences import Difference, differences
from builder.review.state import State
from builder.review.strip import EMPTY, Mark, Piece, Strip, marked
from builder.words import Words

_SIGNS = {"same": ("", "", ""), "removed": ("[-", "-]", "removed"), "added": ("{+", "+}", "added")}
_INDENT = 3
_SIGN = 2
"""Cells of an opening or closing sign."""
_OPENING, _CLOSING = ("[-", "{+"), ("-]", "+}")


def comparison(state: State, say: Words, width: int) -> list[Strip]:
    """All lines: each field that differs, below its label."""
    lines: list[Strip] = [((f" {say('review.compare_title')}", "title"),)]
    for difference in changed(state):
        lines += [EMPTY, ((f" {say(f'review.field.{difference.name}')}", "dim"),)]
        lines += _lines(difference, width)
    return lines


def changed(state: State) -> tuple[Difference, ...]:
    """What differs between the case at hand, as far as the reviewer may see it, and how it was first written."""
    item = seen(state)
    if item is None or state.item is None or state.original is None:
        return ()
    hidden = item.case.note != state.item.case.note
    before = state.original.replace(note="") if hidden else state.original
    return differences(before, item.case)


def _lines(difference: Difference, width: int) -> list[Strip]:
    text = ""
    marks: list[Mark] = []
    for piece in difference.pieces:
        opening, closing, style = _SIGNS[piece.change]
        # Each line gets its own signs; of a line break alone only its sign can be seen.
        parts = piece.text.split("\n") if not style or piece.text.strip("\n") else [piece.text.replace("\n", "\\n")]
        for number, part in enumerate(parts):
            text += "\n" if number else ""
            start = len(text)
            text += f"{opening}{part}{closing}" if part else ""
            marks += [Mark(start, len(text), style)] if style and part else []
    room = width - _INDENT - 1 - 2 * _SIGN
    lines = _together([list(line.strip) for line in marked(text, marks, room)])
    return [((" " * _INDENT, ""), *line) for line in lines]


def _together(lines: list[list[Piece]]) -> list[list[Piece]]:
    """No line ends with an opening sign or begins with a closing one; room was left at the ends of all lines."""
    used_up: list[int] = []
    for number, (above, below) in enumerate(pairwise(lines), 1):
        if above and above[-1][1] and above[-1][0].endswith(_OPENING):
            text, style = above.pop()
            above += [(text[:-_SIGN], style)] if text[:-_SIGN] else []
            below.insert(0, (text[-_SIGN:], style))
        elif below and below[0][1] and below[0][0].startswith(_CLOSING):
            text, style = below.pop(0)
            above.append((text[:_SIGN], style))
            below[:0] = [(text[_SIGN:], style)] if text[_SIGN:] else []
            used_up += [] if below else [number]
    return [line for number, line in enumerate(lines) if number not in used_up]
