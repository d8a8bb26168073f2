"""Rows of Rich text out of strips, and what part of a pane is visible: shared by the screens of the reviewer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from rich.style import Style
from rich.text import Text

from builder.review.strip import EMPTY, Strip, apart, fit
from builder.words import Words

SMALLEST = (60, 16)
"""Columns and rows that are laid out; a smaller window shows the upper left part."""
WIDE = (96, 20)
"""From here on two panes stand side by side."""
_ABOVE = 3
"""Lines of context above what a pane opens at."""

THEME: dict[str, Style] = {
    "": Style(),
    "title": Style(bold=True),
    "strong": Style(bold=True),
    "key": Style(bold=True),
    "dim": Style(dim=True),
    "calm": Style(),
    "warn": Style(bold=True, color="dark_orange3"),
    "accept": Style(bold=True, color="green"),
    "reject": Style(bold=True, color="red"),
    "todo": Style(bold=True, color="dark_orange3"),
    "evidence": Style(bold=True, underline=True),
    "evidence_far": Style(underline=True),
    "removed": Style(dim=True, strike=True),
    "added": Style(bold=True, underline=True),
    "rule": Style(dim=True, underline=True),
    "bar_done": Style(bold=True, underline=True, color="green"),
}
"""Every style differs from plain text without its colour, too."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row: texts with the column where each begins. The terminal moves there, so a wrong width moves nothing."""

    parts: tuple[tuple[int, Text], ...]

    def text(self) -> Text:
        """The row as one text."""
        whole = Text()
        for column, part in self.parts:
            whole.append(" " * max(0, column - whole.cell_len))
            whole.append_text(part)
        return whole


class Pane(Protocol):
    """A pane that is longer than the screen."""

    @property
    def heading(self) -> Strip:
        """What is shown."""

    @property
    def lines(self) -> Sequence[Strip]:
        """All lines."""

    @property
    def anchor(self) -> int:
        """The line to open at."""


def heading(shown: Pane, visible: int, top: int, say: Words, width: int) -> Strip:
    """The line above a pane; at its right how many lines are below."""
    below = len(shown.lines) - top - visible
    more = say("review.more", count=below) if below > 0 else ""
    return apart(((" ", ""), *shown.heading), ((f"{more} ", "dim"),), width)


def window(shown: Pane, asked: int | None, height: int) -> tuple[int, list[Strip]]:
    """The lines of a pane that are visible, and the first one's number."""
    wanted = shown.anchor - _ABOVE if asked is None else asked
    top = max(0, min(wanted, len(shown.lines) - height))
    return top, list(shown.lines[top : top + height])


def part(lines: list[Strip], asked: int, height: int, say: Words) -> tuple[int, list[Strip]]:
    """As `window`; where lines are left below, the last visible one says so."""
    top = max(0, min(asked, len(lines) - height))
    visible = lines[top : top + height]
    below = len(lines) - top - len(visible)
    if below > 0 and visible:
        visible[-1] = ((f" {say('review.more_fields', count=below + 1)}", "dim"),)
    return top, visible


def at(lines: list[Strip], place: int) -> Strip:
    """A line, or an empty one behind the last."""
    return lines[place] if place < len(lines) else EMPTY


def two(left: Strip, right: Strip, split: int) -> Row:
    """Two strips side by side."""
    # The divider may be drawn two cells wide; the cell behind it is free.
    return Row(((0, text_of(fit(left, split))), (split, Text("│", THEME["dim"])), (split + 2, text_of(right))))


def row(strip: Strip) -> Row:
    """A strip as a row."""
    return Row(((0, text_of(strip)),))


def text_of(strip: Strip) -> Text:
    """A strip as Rich text."""
    text = Text(no_wrap=True, end="")
    for piece, style in strip:
        text.append(piece, Style.combine(THEME[name] for name in style.split()) if style else None)
    return text


def cut(whole: Row, width: int) -> Row:
    """A row that ends at `width`."""
    kept: list[tuple[int, Text]] = []
    for column, text in whole.parts:
        if column < width:
            text.truncate(width - column)
            kept.append((column, text))
    return Row(tuple(kept))
