"""A figure within a bound: P95 of the latency, cost. Which side is good belongs to the metric."""

import numpy as np

from builder.model.gate import GateKind, GateOutcome, GateResult
from builder.score.gates.outcome import not_measured
from builder.score.gates.parts import cases_in, faults, label
from builder.score.gates.settings import BudgetGate
from builder.score.grid import aggregate_of, grid, sign
from builder.score.measured import Measured
from builder.score.paired import case_means
from builder.score.slices import QUANTILES
from builder.score.stats import Floats, quantile

_KIND = GateKind.BUDGET


def judge_budget(run: Measured, gate: BudgetGate) -> GateOutcome:
    """One budget: quantiles and sums over answers, means over cases."""
    part = label(gate.metric, gate.slice)
    name = f"{gate.statistic} {part}" if gate.statistic else part
    cases = cases_in(run, gate.slice)
    fault = next(faults(run, name, _KIND, gate.metric, cases), None)
    if fault is not None:
        return fault
    answers = [answer for answer in run.answers if answer.case_id in cases]
    table = grid(answers, (gate.metric,))
    means = np.array(list(case_means(table, 0).values()))
    if len(means) < gate.min_n:
        return not_measured(name, _KIND, "too_few", n=len(means), least=gate.min_n)
    how = gate.statistic or aggregate_of(run.metrics[gate.metric])
    told = table.numbers[:, 0]
    figure = _figure(how, told[~np.isnan(told)], means)
    outcome = GateOutcome(
        gate=name,
        kind=_KIND,
        result=GateResult.PASS,
        why="within",
        values={"figure": f"{figure:.6g}", "limit": f"{gate.limit:g}", "n": str(len(means))},
        n=len(means),
        figure=figure,
        bound=gate.limit,
    )
    if (figure - gate.limit) * sign(run.metrics[gate.metric]) < 0:
        return outcome.replace(result=GateResult.FAIL, why="over")
    return _with_failed(run, outcome, how, int(np.isnan(told).sum()), len(told), cases)


def _with_failed(
    run: Measured, outcome: GateOutcome, how: str, untold: int, calls: int, cases: frozenset[str]
) -> GateOutcome:
    """A call that failed was never fast: where so many failed that the quantile is one of them, it is over."""
    failed = [case_id for case_id, _ in run.failed if case_id in cases]
    if how not in QUANTILES or not untold or min(untold, len(failed)) <= (1 - QUANTILES[how]) * calls:
        return outcome
    values = {"failed": str(len(failed)), "calls": str(calls)}
    return outcome.replace(
        result=GateResult.FAIL, why="over_failed", values=values, figure=None, cases=tuple(sorted(set(failed)))
    )


def _figure(how: str, told: Floats, means: Floats) -> float:
    if how == "sum":
        return float(told.sum())
    return quantile(told, QUANTILES[how]) if how in QUANTILES else float(means.mean())
