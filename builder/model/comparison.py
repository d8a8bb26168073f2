"""Comparisons: what differs between runs over the same cases, and whether it can be chance."""

from pydantic import Field

from builder.model.record import Record


class CompareRow(Record):
    """One metric on one slice: a run against the first one."""

    name: str
    """Name of the metric."""
    by: str
    """What the slice is cut by; all."""
    slice: str
    """Which one of these."""
    better: str
    """Which way is good: higher or lower."""
    n: int
    """Cases that both runs have a figure of."""
    base: float
    """The first run's mean over these."""
    value: float
    """This run's."""
    difference: float
    """Value - base."""
    low: float | None = None
    """Lower end of the difference's interval, by bootstrap over families; none below 2 cases."""
    high: float | None = None
    """Upper end."""
    test: str
    """Where p comes from: mcnemar for a yes or no, else sign_flip (families flip as one)."""
    p: float
    """Two-sided."""
    p_holm: float | None = None
    """Holm's p within the declared family; none: not declared, to look around only."""
    wins: int
    """Cases where this run is better."""
    ties: int
    """Cases where both are alike."""
    losses: int
    """Cases where it is worse."""
    smallest_drop: float | None = None
    """The smallest drop that so many cases can show with 80 % power."""
    few: bool = False
    """Fewer than 20 cases: read with care."""
    won: tuple[str, ...] = ()
    """The cases, on the slice of all: flipped to the better, …"""
    lost: tuple[str, ...] = ()
    """… and to the worse."""


class RunDifference(Record):
    """One run against the first."""

    run: str
    """The run."""
    common: int
    """Cases that both were asked and that are equal in all that they are measured by."""
    changed: tuple[str, ...] = ()
    """Cases of both that are measured by something else now: left out."""
    only_base: int = 0
    """Cases that only the first run was asked."""
    only_run: int = 0
    """Cases that only this run was asked."""
    facts: dict[str, tuple[str, str]] = Field(default_factory=dict)
    """Config facts that differ, the first run's and this one's. With several nobody can say which one mattered."""
    rows: tuple[CompareRow, ...]
    """By metric and slice."""

    @property
    def confounded(self) -> bool:
        """More than one config fact differs."""
        return len(self.facts) > 1


class Comparison(Record):
    """Runs against the first of them."""

    base: str
    """The first run."""
    declared: tuple[str, ...]
    """Metrics of the family that Holm's p counts."""
    seed: int
    """Seed of resamples and flips."""
    resamples: int
    """How many of them."""
    runs: tuple[RunDifference, ...]
    """The others."""
