"""All gates on one run."""

from collections.abc import Sequence
from datetime import date

from builder.model.gate import GateOutcome, Release
from builder.score.gates.baseline import Baseline
from builder.score.gates.budget import judge_budget
from builder.score.gates.hygiene import error_share, hygiene
from builder.score.gates.outcome import by_case
from builder.score.gates.rule import Ask
from builder.score.gates.rules import RULES
from builder.score.gates.settings import CaseGate, GatesFile
from builder.score.gates.statistical import judge_statistical
from builder.score.gates.waivers import Waiver, waived
from builder.score.measured import Measured
from builder.score.stats import RESAMPLES
from builder.score.view import View


def judge(
    run: Measured,
    gates: GatesFile,
    baseline: Baseline | None = None,
    waivers: Sequence[Waiver] = (),
    *,
    today: date,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> tuple[GateOutcome, ...]:
    """The outcome of every gate, hard ones first; what is wrong with the measurement itself comes before all."""
    views = _all_views(run)

    def look(gate: CaseGate) -> GateOutcome:
        return by_case(RULES[gate.rule], views, Ask(gate, run.verdicts), waived(waivers, gate.rule, today))

    return (
        *hygiene(run, baseline, waivers, today),
        *(look(gate) for gate in gates.hard),
        *judge_statistical(run, gates, baseline, seed=seed, resamples=resamples),
        *(judge_budget(run, gate) for gate in gates.budget),
        *(look(gate) for gate in gates.manual),
    )


def release(run: Measured, gates: GatesFile, baseline: Baseline | None, outcomes: Sequence[GateOutcome]) -> Release:
    """Whether it may be released, with the exit code that says so."""
    failed = error_share(run)
    return Release(
        run=run.name,
        baseline=baseline and baseline.run,
        approved_by=baseline and baseline.approved_by,
        outcomes=tuple(outcomes),
        broken=gates.max_error_share is not None and failed > gates.max_error_share,
        error_share=failed,
        roll_back=gates.roll_back,
    )


def _all_views(run: Measured) -> tuple[View, ...]:
    """The answers, and an empty one for each case that nothing is known of."""
    there = {view.case.case_id for view in run.views}
    return (*run.views, *(View(case=case) for case_id, case in run.cases.items() if case_id not in there))
