"""What a report of a scored run tells: the same facts for the screen, HTML, Markdown and JSON.

Nothing here is worded yet: a `Line` names its words, so that one set of facts is told in any language.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Literal, Protocol

from builder.words import Words

ALL = "all"
"""The slice that holds every case, and the cut that has only this one."""
FEW = 20
"""Fewer cases than that are too few to lean on."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of words: its key and what fills its places. A value that is a line is worded first."""

    key: str
    """A key of the word lists."""
    values: Mapping[str, object] = field(default_factory=dict)
    """What fills its places."""

    def said(self, say: Words) -> str:
        """The line in words."""
        values = {name: value.said(say) if isinstance(value, Line) else value for name, value in self.values.items()}
        return say(self.key, **values)


class Between(Protocol):
    """An interval."""

    @property
    def low(self) -> float:
        """Lower end."""

    @property
    def high(self) -> float:
        """Upper end."""

    @property
    def how(self) -> str:
        """How it was found: wilson or bootstrap."""


class Row(Protocol):
    """One metric on one slice, as scoring gives it."""

    @property
    def name(self) -> str:
        """Name of the metric."""

    @property
    def value(self) -> float | None:
        """The figure; none where n is 0."""

    @property
    def n(self) -> int:
        """Cases that it rests on."""

    @property
    def interval(self) -> Between | None:
        """Where the true figure may lie."""

    @property
    def by(self) -> str:
        """What the slice is cut by."""

    @property
    def slice(self) -> str:
        """Which slice."""

    @property
    def few(self) -> bool:
        """Too few cases."""

    @property
    def smallest_drop(self) -> float | None:
        """The smallest paired drop that so many cases can show."""

    @property
    def excluded(self) -> Mapping[str, int]:
        """Cases left out, by reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What a metric is, for those who read its figure."""

    name: str
    """Name of the metric."""
    definition: str
    """What it is, in one line."""
    does_not_tell: str
    """What it does not tell, in one line."""
    better: str = "higher"
    """higher or lower."""
    share: bool = True
    """It lies between 0 and 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GateFact:
    """One rule and what came of it."""

    name: str
    """Name of the rule."""
    kind: str
    """hard, statistical, budget, manual."""
    outcome: Literal["pass", "fail", "not_measured", "waived"]
    """What came of it."""
    line: Line
    """What was found and what was wanted."""
    case_ids: tuple[str, ...] = ()
    """Cases that it names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What the gates say of the release."""

    outcome: Literal["release", "do_not_release", "not_judged"]
    """not_judged: no gates were asked."""
    because: tuple[Line, ...] = ()
    """Why."""
    baseline: str = ""
    """The run that it was compared with; empty without one."""
    gates: tuple[GateFact, ...] = ()
    """All rules, failed ones first."""
    roll_back: tuple[str, ...] = ()
    """When to roll back, as the gates file says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerCell:
    """Failing cases of one slice whose earliest broken layer is this one."""

    layer: str
    """The layer."""
    by: str
    """What the slice is cut by."""
    slice: str
    """Which slice."""
    case_ids: tuple[str, ...]
    """The cases."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal:
    """Where to look first, with the figures behind it."""

    line: Line
    """The hint."""
    figures: Mapping[str, float] = field(default_factory=dict)
    """Metric and value."""


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
    """What it is: evidence, unknown, forbidden, wrong_version, or a kind of hard negative."""


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
    """What shows it."""
    question: str = ""
    """What was asked."""
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
    citations: tuple[Piece, ...] | None = None
    """What the answer cites; none: not told."""
    values: Mapping[str, float | None] = field(default_factory=dict)
    """Its figures by metric."""
    flags: tuple[str, ...] = ()
    """What else is to be known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flips:
    """How cases changed against the baseline: case ids."""

    worse: tuple[str, ...] = ()
    """Passed before, fail now."""
    better: tuple[str, ...] = ()
    """Failed before, pass now."""
    passing: int = 0
    """Pass in both."""
    failing: int = 0
    """Fail in both."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranks:
    """At which rank the first evidence stood."""

    counts: Mapping[int, int] = field(default_factory=dict)
    """Answers by rank, from 1."""
    missing: int = 0
    """Answers whose candidates held none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Firm:
    """How firm one metric is over repeats."""

    name: str
    """Name of the metric."""
    n: int
    """Cases asked several times."""
    stable_pass: int | None = None
    """Good each time; none where the metric is no yes or no."""
    flaky: int | None = None
    """Now good, now not."""
    stable_fail: int | None = None
    """Never good."""
    noise_floor: float
    """Two runs of the same system differ by less than this."""
    flaky_cases: tuple[str, ...] = ()
    """Cases whose figure differs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alike:
    """Questions in several styles, and how many are answered as well each time."""

    name: str
    """Name of the metric."""
    families: int
    """Questions in several styles."""
    alike: int
    """Of these: all good, or none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What the figures were measured on."""

    dataset: str
    """The dataset that was frozen."""
    frozen_at: datetime
    """When, UTC."""
    sources: Mapping[str, int]
    """Cases by source."""
    splits: Mapping[str, int]
    """Cases by split; those without one below the empty name."""
    days: tuple[date, date] | None = None
    """First and last day on which a case is asked or begins or ceases to hold; none where none is dated."""
    documents: int = 0
    """Documents of the snapshot."""
    access: tuple[str, ...] = ()
    """What one must have to read them; empty where all is public."""
    config: Mapping[str, object] = field(default_factory=dict)
    """The user's facts about the system."""
    unreviewed: int = 0
    """Cases that nobody approved."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """One use of the test split."""

    run: str
    """The run."""
    at: str
    """When."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Blind:
    """What no case looks at."""

    types: tuple[str, ...] = ()
    """Question types."""
    risks: tuple[str, ...] = ()
    """High-risk topics."""
    documents: tuple[str, ...] = ()
    """Documents."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreFacts:
    """Everything that a report of a scored run tells."""

    run: str
    """Name of the run."""
    snapshot: str
    """Name of the snapshot."""
    snapshot_hash: str
    """Its content hash."""
    cases: int
    """Cases of the snapshot that were to be asked."""
    repeats: int = 1
    """How often each was asked."""
    rows: Sequence[Row]
    """All metrics on all slices."""
    headline: tuple[str, ...]
    """Metrics that are shown first."""
    about: Mapping[str, About] = field(default_factory=dict)
    """What the metrics are, by name as in `rows`."""
    flags: Mapping[str, int] = field(default_factory=dict)
    """Answers with something to be known, by flag."""
    judged: Judged = field(default_factory=lambda: Judged(outcome="not_judged"))
    """What the gates say."""
    layers: tuple[LayerCell, ...] = ()
    """Broken layers by slice."""
    signals: tuple[Signal, ...] = ()
    """Where to look first."""
    failing: tuple[Told, ...] = ()
    """Failing answers, earliest layer first."""
    ranks: Ranks = field(default_factory=Ranks)
    """Ranks of the first evidence."""
    latency: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    """Milliseconds by stage, one an answer."""
    firm: tuple[Firm, ...] = ()
    """How firm the headline metrics are; empty where each case was asked once."""
    alike: tuple[Alike, ...] = ()
    """Questions in several styles."""
    flips: Flips | None = None
    """Against the baseline; none without one."""
    measured: Measured
    """What it was measured on."""
    uses: tuple[Use, ...] = ()
    """Uses of the test split so far, this one included."""
    blind: Blind = field(default_factory=Blind)
    """What no case looks at."""


def rows_of(facts: ScoreFacts, by: str = ALL, slice_: str = ALL) -> tuple[Row, ...]:
    """The rows of one slice, in their order."""
    return tuple(row for row in facts.rows if row.by == by and row.slice == slice_)


def cuts(facts: ScoreFacts) -> dict[str, tuple[str, ...]]:
    """What there are slices by, with the slices of each; without the one that holds every case."""
    found: dict[str, dict[str, None]] = {}
    for row in facts.rows:
        if row.by != ALL:
            found.setdefault(row.by, {})[row.slice] = None
    return {by: tuple(slices) for by, slices in found.items()}
