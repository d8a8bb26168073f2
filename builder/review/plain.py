"""A case as lines of plain text: what the screen shows, without a screen."""

from builder.review import fields
from builder.review.desk import Item
from builder.review.source import stacked
from builder.review.strip import EMPTY, Strip, apart
from builder.words import Words


def plain(item: Item, say: Words, width: int = 100) -> tuple[str, ...]:
    """Title, question, answer, claims, checks, then the passages with the evidence marked at the left."""
    lines: list[Strip] = [apart(*fields.title(item.case, say), width)]
    lines += [*fields.labelled(fields.sections(item.case, say), say, width), EMPTY]
    lines += stacked(item, say, width)
    return tuple("".join(text for text, _ in line).rstrip() for line in lines)
