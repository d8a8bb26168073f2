"""One answer beside everything that it is judged by."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from builder.report.line import Line


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A passage as it stood in one stage, or a piece of evidence."""

    name: str
    """Its id, or the document."""
    text: str = ""
    """Its text, as far as it is known."""
    rank: int | None = None
    """From 1."""
    marks: tuple[str, ...] = ()
    """What it is: evidence, unknown, forbidden, wrong_version, not_counted, or negative:REASON."""
    notes: tuple[Line, ...] = ()
    """What else is to be known of it: ranks, lost words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimFact:
    """One claim and what is said of it."""

    text: str
    """The claim."""
    verdict: str
    """right, wrong, undecided."""
    critical: bool = False
    """Wrong here means wrong altogether."""
    must_not: bool = False
    """It must not be there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One answer beside everything that it is judged by."""

    case_id: str
    """The case."""
    repeat: int = 1
    """Which time it was asked."""
    layer: str = ""
    """The earliest layer to blame; empty where none is."""
    why: tuple[Line, ...] = ()
    """What shows it, and what may have led to it."""
    looked: tuple[Line, ...] = ()
    """What is said of each layer, in their order."""
    question: str = ""
    """What was asked."""
    query: str = ""
    """What was searched for, where it is another text."""
    turns: tuple[str, ...] = ()
    """Earlier turns, oldest first."""
    asked_by: str = ""
    """Who asks, as far as access depends on it."""
    as_of: date | None = None
    """The day on which it is asked."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """source, type, style, risk, split."""
    reference: str = ""
    """The reference answer."""
    answer: str | None = None
    """What the system answered; none: nothing."""
    status: str = ""
    """What it did."""
    problem: str = ""
    """Why there is no answer."""
    claims: tuple[ClaimFact, ...] = ()
    """Claims with their verdicts."""
    evidence: tuple[Piece, ...] = ()
    """What the answer stands in."""
    stages: Mapping[str, tuple[Piece, ...]] = field(default_factory=dict)
    """Passages by stage; a stage that the system did not tell is not there."""
    context_text: str | None = None
    """What the model really read."""
    marked: tuple[tuple[int, int], ...] = ()
    """Where the evidence stands in it, in order."""
    citations: tuple[Piece, ...] | None = None
    """What the answer cites; none: not told."""
    values: Mapping[str, float | None] = field(default_factory=dict)
    """Its figures by metric."""
    flags: tuple[str, ...] = ()
    """What else is to be known."""
