"""What is known beside the answer: the snapshot's documents, what the system's index holds, how much it reads."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from builder.model.snapshot import FrozenDocument
from builder.score.view import Stage, Target, View


@dataclass(frozen=True, slots=True, kw_only=True)
class Indexed:
    """What the system's chunks hold, as a map file of them tells."""

    held: Mapping[str, frozenset[Target]]
    """By case: evidence that one chunk holds whole."""
    cut: Mapping[str, frozenset[Target]] = field(default_factory=dict)
    """By case: evidence that several chunks hold in pieces."""
    documents: frozenset[str] = frozenset()
    """Documents that have a chunk."""
    versions: Mapping[str, str] = field(default_factory=dict)
    """Versions of the documents, where the map tells them."""
    ids: frozenset[str] = frozenset()
    """Ids of the chunks: a candidate that is none of them shows that the map is not of all. Empty: not looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """Beside the answer."""

    documents: Mapping[str, FrozenDocument] = field(default_factory=dict)
    """The snapshot's documents, by id."""
    index: Indexed | None = None
    """What the system's index holds; none without a map file."""
    cut: int | None = None
    """How many passages the system reads of its ranking; none where the run does not tell."""


def usual_cut(views: Iterable[View]) -> int | None:
    """How many passages a run reads an answer: the most common number, of several the highest."""
    counts = Counter(len(view.stages[Stage.CONTEXT]) for view in views if view.stages.get(Stage.CONTEXT))
    return max(counts, key=lambda size: (counts[size], size), default=None)
