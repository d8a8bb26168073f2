"""Two runs over the same cases: differences case by case."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from builder.score.grid import Grid, Places
from builder.score.stats import (
    Floats,
    Resamples,
    cluster_sums,
    is_rate,
    mcnemar,
    paired_rates,
    percentile_interval,
    sign_flip,
)

_TINY = 1e-9


@dataclass(frozen=True)
class Paired:
    """The figures of one metric in two runs, for cases that both have one of; families are numbers."""

    cases: tuple[str, ...]
    base: Floats
    value: Floats
    clusters: Places

    @property
    def differences(self) -> Floats:
        """Value - base; what is no more than rounding is 0."""
        found = self.value - self.base
        scale = np.maximum(1.0, np.maximum(np.abs(self.value), np.abs(self.base)))
        return np.where(np.abs(found) <= _TINY * scale, 0.0, found)

    @property
    def binary(self) -> bool:
        """All figures of both are 0 or 1."""
        return is_rate(self.base) and is_rate(self.value)

    def at(self, places: Places | NDArray[np.bool_]) -> "Paired":
        """Some of the cases."""
        names = tuple(np.array(self.cases, dtype=object)[places])
        return replace(
            self, cases=names, base=self.base[places], value=self.value[places], clusters=self.clusters[places]
        )

    def interval(self, resamples: Resamples) -> tuple[float, float] | None:
        """Where the difference may lie; none below 2 cases.

        Of a yes or no at least as wide as the closed form: a bootstrap of cases that did not flip knows no doubt.
        """
        if len(self.cases) < 2:
            return None
        drawn = percentile_interval(resamples.means(self.differences, self.clusters))
        if drawn is None or not self.binary:
            return drawn
        moved = self.differences
        low, high = paired_rates(int(np.sum(moved > 0)), int(np.sum(moved < 0)), len(moved))
        return min(drawn[0], low), max(drawn[1], high)

    def test(self, sign: int, seed: int) -> tuple[str, float]:
        """Two-sided p that nothing differs, and the test that it is from."""
        if self.binary:
            moved = self.differences * sign
            return "mcnemar", mcnemar(int(np.sum(moved > 0)), int(np.sum(moved < 0)))
        return "sign_flip", sign_flip(cluster_sums(self.differences, self.clusters), seed=seed)


def case_means(table: Grid, column: int) -> dict[str, float]:
    """The figure of each case that has one."""
    part = table.part(np.arange(len(table.case_of), dtype=np.intp))
    means = part.means[:, column]
    return {table.cases[case]: float(mean) for case, mean in zip(part.cases, means, strict=True) if mean == mean}


def paired(base: Mapping[str, float], value: Mapping[str, float], clusters: Mapping[str, int]) -> Paired:
    """The cases of `clusters` that both have a figure of, by id."""
    cases = tuple(sorted(case_id for case_id in clusters if case_id in base and case_id in value))
    return Paired(
        cases=cases,
        base=np.array([base[case_id] for case_id in cases], dtype=np.float64),
        value=np.array([value[case_id] for case_id in cases], dtype=np.float64),
        clusters=np.array([clusters[case_id] for case_id in cases], dtype=np.intp),
    )
