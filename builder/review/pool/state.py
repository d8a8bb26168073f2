"""Where a session stands, as a value."""

from dataclasses import dataclass, field
from enum import StrEnum

from builder.model.case import Case
from builder.model.decision import Decision
from builder.model.parts import covers
from builder.review.desk import Item, Passage


class Kind(StrEnum):
    """What a person says of a passage. The words are below `pool.kind.`."""

    ALSO = "also"
    """It answers as well as a group of the evidence does."""
    NEEDED = "needed"
    """It is needed besides."""
    WRONG = "wrong"
    """It does not answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unjudged:
    """A passage that a run ranked high, and of which nothing is said for this case."""

    case_id: str
    """The case."""
    passage: Passage
    """The passage."""


@dataclass(frozen=True, slots=True)
class Said:
    """A line for the person; the words are below `pool.said.`."""

    key: str
    values: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Judged:
    """A judgement of this session."""

    place: int
    """Place of the passage in the order."""
    kind: Kind
    """What was said."""


@dataclass(frozen=True, slots=True)
class Commit:
    """The wish to store a judgement."""

    decision: Decision
    kind: Kind


class Undo:
    """The wish to take the last judgement back."""


@dataclass(frozen=True, slots=True)
class Arrive:
    """The wish to see the passage at a place, or the first one behind it that still waits."""

    place: int


Effect = Commit | Undo | Arrive | None


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """One session."""

    order: tuple[Unjudged, ...]
    """All passages, those of one case behind each other."""
    place: int = 0
    """The one at hand; behind the last one where all were shown."""
    item: Item | None = None
    """Its case as it stands in the store."""
    group: int = 0
    """The evidence group that it would join, from 0."""
    reason: bool = False
    """A reason is asked for."""
    done: tuple[Judged, ...] = ()
    """Judgements that were not taken back."""
    said: tuple[Said, ...] = ()
    """What is to be told."""
    over: bool = False
    """The person left."""

    @property
    def at(self) -> Unjudged | None:
        """The passage at hand."""
        return self.order[self.place] if self.item is not None and self.place < len(self.order) else None


def is_judged(case: Case, passage: Passage) -> bool:
    """True where the passage holds something that was judged for the case: what scoring takes for judged, too."""
    rows = (*(row.evidence for row in case.grades), *(row.evidence for row in case.hard_negatives))
    mine = passage.evidence
    return any(
        (one.doc_id, one.reading_id) == (mine.doc_id, mine.reading_id) and covers(mine.parts, one.parts)
        for one in (*case.evidence, *rows)
    )
