"""Sections of what a person reads, each a label and its paragraphs; shared by the screens of the reviewer."""

from collections.abc import Iterator
from dataclasses import dataclass

from builder.model.case import Turn
from builder.review.strip import EMPTY, Strip, flat, paragraph, span
from builder.text.screen import cells
from builder.words import Words


@dataclass(frozen=True, slots=True)
class Entry:
    """One paragraph of a section."""

    text: str
    style: str = ""
    first: Strip = ()
    """What stands before the first line."""


@dataclass(frozen=True, slots=True)
class Section:
    """A label and what it names."""

    key: str
    """Which section it is."""
    label: str
    """The same in the user's words."""
    entries: tuple[Entry, ...]


def headed(parts: tuple[Section, ...], width: int) -> list[Strip]:
    """Sections below each other, each under its label."""
    lines: list[Strip] = []
    for section in parts:
        lines += [EMPTY] if lines else []
        lines.append(((f" {section.label}", "dim"),))
        for entry in section.entries:
            lines += _lines(entry, (("  ", ""),), width)
    return lines


def labelled(parts: tuple[Section, ...], width: int) -> list[Strip]:
    """Sections with their labels in a column at the left."""
    column = max((cells(section.label) for section in parts), default=0) + 3
    lines: list[Strip] = []
    for section in parts:
        label = f" {section.label}"
        head: Strip = ((label, "dim"), (" " * (column - cells(label)), ""))
        for entry in section.entries:
            lines += _lines(entry, head, width)
            head = ((" " * column, ""),)
    return lines


def turns(conversation: tuple[Turn, ...], say: Words) -> Iterator[Entry]:
    """Earlier turns, each under its role."""
    for turn in conversation:
        role = say(f"review.role.{turn.role}") if turn.role in ("user", "assistant") else flat(turn.role)
        yield Entry(turn.text, first=((f"{role}  ", "dim"),))


def _lines(entry: Entry, head: Strip, width: int) -> list[Strip]:
    first = (*head, *entry.first)
    # One cell stays free at the right: some terminals draw wider than they say.
    return paragraph(entry.text, width - 1, entry.style, first=first, indent=span(first))
