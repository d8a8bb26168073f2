"""builder compare: what differs between runs, over common and equal cases only."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np

from builder.errors import InputError
from builder.model.comparison import CompareRow, Comparison, RunDifference
from builder.score.grid import aggregate_of, clusters_of, grid, sign
from builder.score.measured import Measured
from builder.score.paired import Paired, case_means, paired
from builder.score.records import ALL
from builder.score.resolution import smallest_drop
from builder.score.slices import FEW
from builder.score.stats import RESAMPLES, Resamples, holm

Cut = tuple[str, str]


def compare(
    runs: Sequence[Measured], *, declared: Sequence[str] = (), seed: int = 0, resamples: int = RESAMPLES
) -> Comparison:
    """Every run against the first. Quantiles (P95) are not compared case by case and stay out.

    `declared` are the metrics that were named before anybody looked: their p values on the slice of all are corrected
    together, over all runs. None named: all of them are the family.

    Raises:
        InputError: fewer than two runs, a metric that no run has, or no common case.
    """
    if len(runs) < 2:
        raise InputError("compare_one")
    names = tuple(name for name, measure in runs[0].metrics.items() if aggregate_of(measure) == "mean")
    unknown = [name for name in declared if name not in names]
    if unknown:
        like = get_close_matches(unknown[0], names, n=6, cutoff=0.4) or names
        raise InputError("compare_metric", metric=unknown[0], known=", ".join(like))
    family = tuple(declared) or names
    base, *others = runs
    found = [_against(base, other, names, seed, resamples) for other in others]
    return Comparison(base=base.name, declared=family, seed=seed, resamples=resamples, runs=_corrected(found, family))


@dataclass(frozen=True)
class _Pair:
    """Two runs and the cases that may be compared."""

    base: Measured
    other: Measured
    clusters: Mapping[str, int]
    resamples: Resamples


def _against(base: Measured, other: Measured, names: Sequence[str], seed: int, resamples: int) -> RunDifference:
    both = sorted(base.cases.keys() & other.cases.keys())
    common = [case_id for case_id in both if base.hashes[case_id] == other.hashes[case_id]]
    if not common:
        raise InputError("compare_nothing", base=base.name, run=other.name)
    index, count = clusters_of(common, base.families)
    clusters = dict(zip(common, map(int, index), strict=True))
    pair = _Pair(base, other, clusters, Resamples(count, seed, resamples))
    return RunDifference(
        run=other.name,
        common=len(common),
        changed=tuple(case_id for case_id in both if case_id not in clusters),
        only_base=len(base.cases.keys() - other.cases.keys()),
        only_run=len(other.cases.keys() - base.cases.keys()),
        facts=facts_that_differ(base.config, other.config),
        rows=tuple(_rows(pair, names)),
    )


def facts_that_differ(base: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
    """Config facts that are not the same, dotted; what one of them does not say is `-`."""
    left, right = _flat(base), _flat(other)
    return {
        name: (left.get(name, "-"), right.get(name, "-"))
        for name in sorted(left.keys() | right.keys())
        if left.get(name) != right.get(name)
    }


def _flat(facts: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in facts.items():
        if isinstance(value, Mapping):
            found |= _flat(value, f"{prefix}{name}.")
        else:
            found[f"{prefix}{name}"] = str(value)
    return found


def _rows(pair: _Pair, names: Sequence[str]) -> Iterator[CompareRow]:
    left, right = grid(pair.base.answers, names), grid(pair.other.answers, names)
    for column, name in enumerate(names):
        if left.broken[:, column].any() or right.broken[:, column].any():
            continue  # a mean without what is no number would hide it; the rows of the run itself say so
        whole = paired(case_means(left, column), case_means(right, column), pair.clusters)
        for cut, places in _slices(pair.base, whole.cases).items():
            yield _row(pair, name, cut, whole.at(np.array(places, dtype=np.intp)))


def _slices(base: Measured, cases: Sequence[str]) -> dict[Cut, list[int]]:
    found: dict[Cut, list[int]] = defaultdict(list)
    for place, case_id in enumerate(cases):
        for cut in base.cuts.get(case_id, ()):
            found[cut].append(place)
    whole: dict[Cut, list[int]] = {(ALL, ALL): list(range(len(cases)))} if cases else {}
    return whole | dict(sorted(found.items()))


def _row(pair: _Pair, name: str, cut: Cut, some: Paired) -> CompareRow:
    measure = pair.base.metrics[name]
    test, p = some.test(sign(measure), pair.resamples.seed)
    moved = some.differences * sign(measure)
    interval = some.interval(pair.resamples)
    won, lost = (tuple(np.array(some.cases, dtype=object)[side]) for side in (moved > 0, moved < 0))
    whole = cut == (ALL, ALL)
    bounded = bool(np.all((some.base >= 0) & (some.base <= 1) & (some.value >= 0) & (some.value <= 1)))
    return CompareRow(
        name=name,
        by=cut[0],
        slice=cut[1],
        better=measure.better,
        n=len(some.cases),
        base=float(some.base.mean()),
        value=float(some.value.mean()),
        difference=float(some.differences.mean()),
        low=interval and interval[0],
        high=interval and interval[1],
        test=test,
        p=p,
        wins=len(won),
        ties=len(some.cases) - len(won) - len(lost),
        losses=len(lost),
        smallest_drop=smallest_drop(len(some.cases)) if bounded else None,
        few=len(some.cases) < FEW,
        won=won if whole else (),
        lost=lost if whole else (),
    )


def _corrected(runs: Sequence[RunDifference], family: Sequence[str]) -> tuple[RunDifference, ...]:
    """Holm's p for the declared metrics on the slice of all."""
    members = [(run, row) for run in runs for row in run.rows if row.by == ALL and row.name in family]
    adjusted = dict(zip((id(row) for _, row in members), holm([row.p for _, row in members]), strict=True))
    return tuple(
        run.replace(
            rows=tuple(
                row.model_copy(update={"p_holm": adjusted[id(row)]}) if id(row) in adjusted else row for row in run.rows
            )
        )
        for run in runs
    )
