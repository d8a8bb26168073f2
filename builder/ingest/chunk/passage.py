"""What a chunker gives back, and what it is."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from builder.model.chunk import ChunkKind
from builder.model.document import Page
from builder.model.parts import Parts
from builder.settings import ChunkSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A passage before it has a name."""

    parts: Parts
    """Spans and glue, in order."""
    section: tuple[str, ...] = ()
    """Heading path, outermost first."""
    kind: ChunkKind = ChunkKind.TEXT
    """What it is."""


Chunker = Callable[[Sequence[Page], ChunkSettings], Sequence[Passage]]
"""Cuts the pages of one document into passages."""
