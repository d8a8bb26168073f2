"""Blocks -> sections: what stands under which headings."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from builder.ingest.chunk.blocks import Block, FaqBlock, Heading, TableBlock, TextBlock


@dataclass(slots=True)
class Section:
    """What stands below one heading, up to the next."""

    path: tuple[str, ...]
    """Headings, outermost first."""
    heads: list[Heading] = field(default_factory=list)
    """Heading lines whose text goes into this section's first passage: its own, and those above without a body."""
    body: list[TextBlock | FaqBlock | TableBlock] = field(default_factory=list)


def sections(found: Sequence[Block]) -> list[Section]:
    """The sections in reading order; a heading without a body goes to the section after it."""
    result: list[Section] = []
    stack: list[Heading] = []
    current = Section(path=())
    for block in found:
        if not isinstance(block, Heading):
            current.body.append(block)
            continue
        while stack and not stack[-1].above(block):
            stack.pop()
        stack.append(block)
        waiting = [] if current.body else current.heads
        if current.body:
            result.append(current)
        heads = [*waiting, block] if block.alone else list(waiting)
        current = Section(path=tuple(heading.title for heading in stack), heads=heads)
    if current.body or current.heads:
        result.append(current)
    return result
