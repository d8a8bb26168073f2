"""Not worse than the approved baseline by a tolerance: shown over common and equal cases, never assumed.

Each gate tests that the run is worse by the tolerance or more; it passes where that can be ruled out, by paired
bootstrap or sign flips over document families, with Holm's correction over all gates of the file. What can neither be
ruled out nor is seen is not measured. A tolerance finer than the cases can show is refused.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from builder.model.gate import GateKind, GateOutcome, GateResult
from builder.score.gates.baseline import Baseline
from builder.score.gates.outcome import refused
from builder.score.gates.parts import cases_in, faults, label
from builder.score.gates.settings import GatesFile, StatisticalGate
from builder.score.grid import clusters_of, grid, sign
from builder.score.measured import Measured
from builder.score.paired import Paired, case_means, paired
from builder.score.resolution import smallest_drop, smallest_shown
from builder.score.stats import RESAMPLES, Floats, Resamples, cluster_sums, holm, sign_flip

_KIND = GateKind.STATISTICAL
_SLACK = 0.0005
"""Resolutions are told with one decimal of a point: 280 cases do for 5 points."""


@dataclass(frozen=True)
class _Held:
    """A run and the baseline that it is held against."""

    run: Measured
    baseline: Baseline
    clusters: Mapping[str, int]
    resamples: Resamples


def judge_statistical(
    run: Measured, gates: GatesFile, baseline: Baseline | None, *, seed: int = 0, resamples: int = RESAMPLES
) -> tuple[GateOutcome, ...]:
    """All statistical gates, each on each of its slices."""
    asked = [(gate, part) for gate in gates.statistical for part in gate.slices]
    if baseline is None:
        return tuple(refused(label(gate.metric, part), _KIND, "no_baseline") for gate, part in asked)
    common = sorted(case_id for case_id, told in baseline.cases.items() if run.hashes.get(case_id) == told)
    index, count = clusters_of(common, run.families)
    clusters = dict(zip(common, map(int, index), strict=True))
    held = _Held(run, baseline, clusters, Resamples(max(1, count), seed, resamples))
    tested = [_tested(held, gate, part) for gate, part in asked]
    adjusted = holm([float("nan") if outcome.p is None else outcome.p for outcome in tested])
    return tuple(_settled(outcome, p, gates.alpha) for outcome, p in zip(tested, adjusted, strict=True))


def _tested(held: _Held, gate: StatisticalGate, part: str) -> GateOutcome:
    """The outcome before Holm: not passed yet; without p it never will."""
    name = label(gate.metric, part)
    cases = cases_in(held.run, part) & held.clusters.keys()
    fault = next(faults(held.run, name, _KIND, gate.metric, cases), None)
    if fault is not None:
        return fault
    before = held.baseline.figures.get(gate.metric, {})
    now = case_means(grid(held.run.answers, (gate.metric,)), 0)
    fault = next(_unlike(name, cases, before, now), None)
    if fault is not None:
        return fault
    pair = paired(before, now, {case_id: held.clusters[case_id] for case_id in cases})
    outcome = _figures(held, gate, name, pair)
    return next(_too_little(outcome, gate, pair), None) or outcome


def _unlike(
    name: str, cases: frozenset[str], before: Mapping[str, float], now: Mapping[str, float]
) -> Iterator[GateOutcome]:
    """The baseline has no figure here, or one of cases that the run has none of: what got lost is no success."""
    judged = cases & before.keys()
    lost = tuple(sorted(judged - now.keys()))
    if not judged:
        yield refused(name, _KIND, "no_figure")
    elif lost:
        found = refused(name, _KIND, "fewer_judged", now=len(judged) - len(lost), before=len(judged))
        yield found.replace(n=len(judged) - len(lost), unknown=lost)


def _figures(held: _Held, gate: StatisticalGate, name: str, pair: Paired) -> GateOutcome:
    way = sign(held.run.metrics[gate.metric])
    draws = held.resamples.means(pair.differences, pair.clusters)
    interval = pair.interval(held.resamples)
    moved = pair.differences * way
    worse = float(moved.mean()) < -gate.tolerance
    outcome = GateOutcome(
        gate=name,
        kind=_KIND,
        result=GateResult.FAIL if worse else GateResult.NOT_MEASURED,
        why="worse" if worse else "cannot_tell",
        n=len(pair.cases),
        cases=tuple(np.array(pair.cases, dtype=object)[moved < 0]),
        figure=float(pair.value.mean()),
        baseline=float(pair.base.mean()),
        difference=float(pair.differences.mean()),
        low=interval and interval[0],
        high=interval and interval[1],
        bound=gate.tolerance,
        p=_p(gate, pair, moved, draws * way, held.resamples.seed),
        smallest_drop=_resolution(pair, draws),
    )
    return outcome.replace(values=_told(outcome))


def _told(outcome: GateOutcome) -> dict[str, str]:
    """The figures as the reason names them."""
    names = ("figure", "baseline", "difference", "low", "high")
    figures = {name: getattr(outcome, name) for name in names} | {"finest": outcome.smallest_drop}
    told = {name: "-" if figure is None else f"{figure:.3f}" for name, figure in figures.items()}
    return told | {"n": str(outcome.n), "tolerance": f"{outcome.bound:g}"}


def _p(gate: StatisticalGate, pair: Paired, moved: Floats, draws: Floats, seed: int) -> float:
    """Of the run being worse by the tolerance or more, and looking as good as this."""
    if gate.test == "sign_flip":
        return sign_flip(cluster_sums(moved + gate.tolerance, pair.clusters), seed=seed, greater=True)
    known = draws[~np.isnan(draws)]
    return (int(np.count_nonzero(known <= -gate.tolerance)) + 1) / (len(known) + 1)


def _resolution(pair: Paired, draws: Floats) -> float | None:
    """What so many cases can show; for what is no share of anything, from how much the differences spread."""
    figures = np.concatenate((pair.base, pair.value))
    if np.all((figures >= 0) & (figures <= 1)):
        return smallest_drop(len(pair.cases))
    return smallest_shown(float(np.nanstd(draws)))


def _too_little(outcome: GateOutcome, gate: StatisticalGate, pair: Paired) -> Iterator[GateOutcome]:
    """Too few cases, or a tolerance that so many cases cannot show."""
    n, finest = len(pair.cases), outcome.smallest_drop
    untold = outcome.replace(p=None, result=GateResult.NOT_MEASURED)
    if n < gate.min_n:
        yield untold.replace(why="too_few", values={"n": str(n), "least": str(gate.min_n)})
    elif finest is None or gate.tolerance < finest - _SLACK:
        yield untold.replace(why="too_fine", refused=True)


def _settled(outcome: GateOutcome, p: float, alpha: float) -> GateOutcome:
    if outcome.p is None:
        return outcome
    if p <= alpha:
        return outcome.replace(result=GateResult.PASS, why="not_worse", p_holm=p, cases=())
    return outcome.replace(p_holm=p)
