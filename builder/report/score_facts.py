"""What a report of a scored run tells: the same facts for the screen, HTML, Markdown and JSON.

Nothing here is worded yet: a `Line` names its words, so that one set of facts is told in any language.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cached_property

from builder.model.gate import Release
from builder.report.line import Line
from builder.report.score_answer import Told
from builder.report.score_rows import ALL, Row


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What a metric is, for those who read its figure."""

    name: str
    """Name of the metric."""
    definition: Line
    """What it is, in one line."""
    does_not_tell: Line
    """What it does not tell, in one line."""
    better: str = "higher"
    """higher or lower."""
    share: bool = True
    """It lies between 0 and 1."""
    harm: bool = False
    """It counts harm: anything but 0 is one thing too much."""


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
class Behind:
    """One figure that a hint rests on."""

    name: str
    """The metric."""
    value: float
    """Its value."""
    n: int
    """Cases that it rests on."""
    by: str = ALL
    """What the slice is cut by."""
    slice: str = ALL
    """Which one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal:
    """Where to look first, with the figures behind it."""

    line: Line
    """The hint."""
    figures: tuple[Behind, ...] = ()
    """What it rests on."""


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
    share: float
    """alike / families."""
    low: float
    """Lower end of its interval."""
    high: float
    """Upper end."""
    different: tuple[str, ...] = ()
    """The others, by family."""


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


@dataclass(frozen=True, kw_only=True)
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
    release: Release | None = None
    """What the gates say; none where none was asked."""
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

    @cached_property
    def by_slice(self) -> Mapping[tuple[str, str], tuple[Row, ...]]:
        """The rows by what is cut by and slice, in their order."""
        found: dict[tuple[str, str], list[Row]] = {}
        for row in self.rows:
            found.setdefault((row.by, row.slice), []).append(row)
        return {key: tuple(some) for key, some in found.items()}


def rows_of(facts: ScoreFacts, by: str = ALL, slice_: str = ALL) -> tuple[Row, ...]:
    """The rows of one slice, in their order."""
    return facts.by_slice.get((by, slice_), ())


def cuts(facts: ScoreFacts) -> dict[str, tuple[str, ...]]:
    """What there are slices by, with the slices of each; without the one that holds every case."""
    found: dict[str, dict[str, None]] = {}
    for row in facts.rows:
        if row.by != ALL:
            found.setdefault(row.by, {})[row.slice] = None
    return {by: tuple(slices) for by, slices in found.items()}
