"""A case as lines of plain text: what the screen shows, without a screen."""

from collections.abc import Sequence

from builder.review import blind, fields
from builder.review.desk import Item
from builder.review.sections import labelled
from builder.review.source import source, stacked
from builder.review.state import State
from builder.review.strip import EMPTY, Strip, apart
from builder.words import Words

_ENDLESS = 1000
_BRACKETS = 4
"""Cells of << and >>."""


def plain(item: Item, say: Words, width: int = 100) -> tuple[str, ...]:
    """Title, question, answer, claims, checks, then the passages with the evidence marked at the left."""
    lines: list[Strip] = [apart(*fields.title(item.case, say), width)]
    lines += [*labelled(fields.sections(item.case, say), width), EMPTY]
    lines += stacked(item, say, width)
    return tuple("".join(text for text, _ in line).rstrip() for line in lines)


def printed(state: State, say: Words, width: int) -> tuple[str, ...]:
    """The case at hand as the reviewer may see it: all of it, quotes between << and >>."""
    item = blind.seen(state)
    if item is None:
        return ()
    lines: list[Strip] = [apart(*fields.title(item.case, say), width)]
    lines += [*labelled(blind.shown(state, say), width), EMPTY]
    shown = source(state, say, width - _BRACKETS, _ENDLESS)
    return tuple(line.rstrip() for line in ("".join(text for text, _ in line) for line in lines)) + bracketed(
        [(("", ""), *shown.heading), *shown.lines]
    )


def bracketed(lines: Sequence[Strip]) -> tuple[str, ...]:
    """Lines as text, with << and >> around what is underlined on a screen, also where it runs over several lines."""
    texts: list[str] = []
    opened = False
    for number, line in enumerate(lines):
        text = "".join(piece for piece, _ in line[:1])
        for piece, style in line[1:]:
            marked = style.startswith("evidence") if piece.strip() else opened
            text += ("<<" if marked else ">>") if marked != opened else ""
            text, opened = text + piece, marked
        if opened and not _goes_on(lines[number + 1 : number + 2]):
            text, opened = f"{text}>>", False
        texts.append(text.rstrip())
    return tuple(texts)


def _goes_on(following: Sequence[Strip]) -> bool:
    return any(style.startswith("evidence") for line in following for _, style in line[1:2])
