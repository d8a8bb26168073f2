"""One answer as metrics see it: the case, the record, and where the evidence stands in each stage."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from builder.model.case import Case, NegativeReason
from builder.model.run import Citation, RetrievedItem, RunRecord
from builder.model.verdict import ClaimVerdict


class Stage(StrEnum):
    """Where passages are, in the order in which a system comes to them."""

    RETRIEVED = "retrieved"
    RERANKED = "reranked"
    CONTEXT = "context"


Target = tuple[int, int]
"""A piece of evidence: group and alternative, both from 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One item of a stage. A repeated id stands at its first place only."""

    rank: int
    """From 1."""
    item: RetrievedItem
    """As the system told it."""
    known: bool = False
    """It was mapped to the snapshot; an item that was not is unknown, never fine."""
    doc_id: str | None = None
    """The document of the snapshot."""
    hits: frozenset[Target] = frozenset()
    """The evidence that it holds."""
    grade: int = 0
    """How much it helps, 0-3; evidence is 3 where no grade is given."""
    judged: bool = False
    """Somebody judged it: evidence, a grade, or a hard negative."""
    negative: NegativeReason | None = None
    """The hard negative that it holds."""
    wrong_version: bool = False
    """It comes from another version of a document that the evidence comes from."""
    may_read: bool | None = None
    """Whether the case's user may read it; none where that is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cited:
    """One citation, mapped."""

    citation: Citation
    """As the system told it."""
    places: Mapping[Stage, int]
    """Its rank in each stage where it stands."""
    known: bool = False
    """It was mapped to the snapshot."""
    hits: frozenset[Target] = frozenset()
    """The evidence that it holds."""
    wrong_version: bool = False
    """It comes from another version of a document that the evidence comes from."""
    may_read: bool | None = None
    """Whether the case's user may read it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """One answer."""

    case: Case
    """The case."""
    repeat: int = 1
    """Which time it was asked."""
    record: RunRecord | None = None
    """What the system answered; none: the run holds nothing for it."""
    stages: Mapping[Stage, tuple[Place, ...]] = field(default_factory=dict)
    """Places by stage, best first; a stage that the system did not tell is not there."""
    groups: tuple[tuple[Target, ...], ...] = ()
    """Evidence that counts: groups with the alternatives that the case's user may read."""
    citations: tuple[Cited, ...] | None = None
    """Citations, mapped; none where the system did not tell them."""
    claims: tuple[ClaimVerdict, ...] = ()
    """What is known of the claims: by check, then by a person."""
    duplicates: int = 0
    """Items whose id stood before in the same stage."""
    unmapped: int = 0
    """Items that were not mapped to the snapshot."""
