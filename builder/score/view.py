"""One answer as metrics see it: the case, the record, and where the evidence stands in each stage."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from builder.model.case import Case, NegativeReason, Status
from builder.model.run import Citation, RetrievedItem, RunRecord
from builder.model.verdict import ClaimVerdict, Verdict


class Stage(StrEnum):
    """Where passages are, in the order in which a system comes to them."""

    RETRIEVED = "retrieved"
    RERANKED = "reranked"
    CONTEXT = "context"


Target = tuple[int, int]
"""A piece of evidence: group and alternative, both from 0."""


class Mark(NamedTuple):
    """A place that somebody judged: the short form of it that figures are counted from."""

    rank: int
    """From 1."""
    hits: frozenset[Target]
    """The evidence that it holds."""
    units: tuple[int, ...]
    """The passages to be found that it stands for, ascending."""
    negative: NegativeReason | None = None
    """The hard negative that it holds."""


class Ranking(NamedTuple):
    """A stage in short."""

    length: int
    """Places, each repeated id counted once."""
    marks: tuple[Mark, ...] = ()
    """Places that somebody judged, best first."""


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
    required: frozenset[int] = frozenset()
    """The required citations of the case that it meets, by their place there."""
    text: str | None = None
    """Its text, where it is known."""


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
    rankings: Mapping[Stage, Ranking] = field(default_factory=dict)
    """The stages in short; where one is missing it is made of its places."""
    units: Mapping[Target, int] = field(default_factory=dict)
    """The passage (or, by document, the document) that each piece of evidence that counts stands in, from 0."""
    gains: tuple[int, ...] = ()
    """Grade of each of these, 0-3; passages that are graded and no evidence come behind them."""
    excluded: str = ""
    """Why it has no figures of ranking: unanswerable, expired, no_evidence, acl_excluded; empty where it has."""
    status: Status | None = None
    """What the system did: as told, else told from the words of the answer."""
    told: frozenset[str] = frozenset()
    """What the run tells of any of its answers (fields of the record): what is not told here counts as nothing."""
    access_told: bool = False
    """It is known who asks, and some document is not for everybody."""
    verdict: Verdict | None = None
    """What a person says of the whole answer."""
    flags: frozenset[str] = frozenset()
    """What else is to be known; keys below `score.flag.`."""
