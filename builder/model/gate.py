"""Gates: rules that a run must pass, and what came of them."""

from enum import StrEnum

from pydantic import Field

from builder.model.record import Record


class GateKind(StrEnum):
    """What a gate rests on."""

    HARD = "hard"
    """Not one case may break it."""
    STATISTICAL = "statistical"
    """Not worse than the approved baseline by more than a tolerance."""
    BUDGET = "budget"
    """A figure within bounds."""
    MANUAL = "manual"
    """A person must have looked."""
    HYGIENE = "hygiene"
    """The measurement itself."""


class GateResult(StrEnum):
    """What came of a gate."""

    PASS = "pass"
    FAIL = "fail"
    NOT_MEASURED = "not_measured"
    """Nobody can tell: not passed."""


class GateOutcome(Record):
    """One gate on one run."""

    gate: str
    """The rule, or the metric with what it is looked at on: `group_recall@5`, `recall@5 risk=refund`."""
    kind: GateKind
    """What it rests on."""
    result: GateResult
    """pass, fail, not_measured."""
    why: str
    """A key of the word lists below `gates.why.`."""
    values: dict[str, str] = Field(default_factory=dict)
    """What the reason speaks of."""
    refused: bool = False
    """The gate cannot be judged as it is asked (unknown metric, no baseline figure, …): exit 3."""
    n: int = 0
    """Cases that it rests on."""
    cases: tuple[str, ...] = ()
    """Cases that break it."""
    unknown: tuple[str, ...] = ()
    """Cases of which nobody can tell."""
    because: dict[str, str] = Field(default_factory=dict)
    """Why, of each of these cases; keys of the word lists below `gates.case.`."""
    waived: tuple[str, ...] = ()
    """Cases that a waiver lets pass."""
    figure: float | None = None
    """The run's figure."""
    baseline: float | None = None
    """The baseline's, over the same cases."""
    difference: float | None = None
    """Figure - baseline."""
    low: float | None = None
    """Lower end of its interval."""
    high: float | None = None
    """Upper end."""
    bound: float | None = None
    """Tolerance, or the budget."""
    p: float | None = None
    """Of the run being worse than the baseline by the tolerance or more."""
    p_holm: float | None = None
    """The same, corrected for all statistical gates."""
    smallest_drop: float | None = None
    """The smallest drop that so many cases can show."""

    @property
    def passed(self) -> bool:
        """It passed; what was not measured did not."""
        return self.result is GateResult.PASS


class Release(Record):
    """What all gates say together."""

    run: str
    """The run."""
    baseline: str | None = None
    """The approved run that it was held against."""
    approved_by: str | None = None
    """Who approved that."""
    outcomes: tuple[GateOutcome, ...]
    """All of them."""
    broken: bool = False
    """More calls failed than the gates file allows: nothing was measured, exit 4."""
    error_share: float = 0
    """Share of calls that failed."""
    roll_back: tuple[str, ...] = ()
    """When to go back, from the gates file."""

    @property
    def released(self) -> bool:
        """There are gates, and every one passed."""
        return bool(self.outcomes) and not self.broken and all(outcome.passed for outcome in self.outcomes)

    @property
    def exit_code(self) -> int:
        """0 released; 4 the measurement is broken; 3 a gate cannot be judged as it is asked; else 1."""
        if self.broken:
            return 4
        if not self.outcomes or any(outcome.refused for outcome in self.outcomes):
            return 3
        return 0 if self.released else 1
