"""Intervals and tests: Wilson, bootstrap over families with one shared matrix, paired sign flips, McNemar, Holm.

numpy only. Sources: Wilson 1927; Efron & Tibshirani 1993 (percentile bootstrap; clusters are resampled as a whole);
Fisher 1935 (sign flips); McNemar 1947 (exact form: a binomial test); Holm 1979; Kish 1965 (design effect).
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb, lgamma, log, sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
LEVEL = 0.95
RESAMPLES = 10_000
EXACT = 20
"""Up to so many differences all flips of their signs are counted, none is drawn."""
_CELLS = 20_000_000
"""Most cells of a resample matrix; with more families there are fewer resamples, never fewer than 400."""
_FEWEST = 400
_BLOCK = 500
_SUMS = 4_000_000
"""Cells of a table of running sums: no more than stays near the processor."""
_COUNTED = 1000
"""Above so many the binomial coefficients are taken from their logarithms."""
_TINY = 1e-9


def z_of(share: float) -> float:
    """The standard normal quantile."""
    return NormalDist().inv_cdf(share)


def wilson(good: float, n: float, level: float = LEVEL) -> tuple[float, float]:
    """Wilson's interval of a rate: 50 of 50 is [.929, 1].

    Raises:
        ValueError: n is not above 0, or good is not within 0 and n.
    """
    if not (n > 0 and 0 <= good <= n):
        raise ValueError(f"no rate: {good} of {n}")
    z = z_of(0.5 + level / 2)
    rate, square = good / n, z * z
    middle = (rate + square / (2 * n)) / (1 + square / n)
    half = z * sqrt(rate * (1 - rate) / n + square / (4 * n * n)) / (1 + square / n)
    low = 0.0 if good == 0 else max(0.0, middle - half)
    return low, 1.0 if good == n else min(1.0, middle + half)


def paired_rates(wins: int, losses: int, n: int, level: float = LEVEL) -> tuple[float, float]:
    """The interval of a difference of two rates over the same n cases, half a case added to each cell.

    Agresti & Min 2005.
    """
    z, whole = z_of(0.5 + level / 2), n + 2
    middle = (wins - losses) / whole
    half = z * sqrt((wins + losses + 1) - (wins - losses) ** 2 / whole) / whole
    return max(-1.0, middle - half), min(1.0, middle + half)


def design_effect(values: Floats, clusters: NDArray[np.intp]) -> float:
    """How much wider a rate's interval is because cases of one family resemble each other; at least 1.

    1 where nothing can be told: all values alike, or fewer than two families.
    """
    n, mean = len(values), float(values.mean())
    known, index = np.unique(clusters, return_inverse=True)
    plain = mean * (1 - mean) / n
    if len(known) < 2 or plain < _TINY / n:
        return 1.0
    residuals = np.bincount(index, weights=values - mean)
    clustered = float(residuals @ residuals) / n**2 * len(known) / (len(known) - 1)
    return max(1.0, clustered / plain)


def is_rate(values: Floats) -> bool:
    """True where every value is 0 or 1."""
    return bool(np.all((np.abs(values) < _TINY) | (np.abs(values - 1) < _TINY)))


@dataclass(frozen=True)
class Resamples:
    """One matrix of resamples, shared by all metrics, slices and runs: how often each family is drawn in each."""

    clusters: int
    """Families."""
    seed: int
    """Recorded beside every figure that rests on it."""
    asked: int = RESAMPLES
    """Resamples where the families are not too many."""

    @property
    def count(self) -> int:
        """Resamples."""
        return max(min(self.asked, _FEWEST), min(self.asked, _CELLS // max(1, self.clusters)))

    @cached_property
    def weights(self) -> NDArray[np.uint16]:
        """How often each family is drawn: resamples x families."""
        random = np.random.default_rng(self.seed)
        drawn = np.zeros((self.count, self.clusters), dtype=np.uint16)
        for row in drawn:
            row[:] = np.bincount(random.integers(0, self.clusters, self.clusters), minlength=self.clusters)
        return drawn

    def means(self, values: Floats, clusters: NDArray[np.intp]) -> Floats:
        """The mean of each resample; NaN where it drew no case.

        `values` is cases, or cases x metrics, with NaN where a case is left out; `clusters` is each case's family.
        """
        table = values.reshape(len(values), -1)
        known = ~np.isnan(table)
        drawn, index = np.unique(clusters, return_inverse=True)
        sums, counts = (_by_cluster(part, index, len(drawn)) for part in (np.where(known, table, 0.0), known))
        # Most metrics leave out the same cases: each such count is drawn once.
        counts, alike = np.unique(counts, axis=1, return_inverse=True)
        alike, whole = alike.ravel(), len(drawn) == self.clusters
        means = np.empty((self.count, table.shape[1]))
        for at in range(0, self.count, _BLOCK):
            rows = self.weights[at : at + _BLOCK]
            block = (rows if whole else rows[:, drawn]).astype(np.float64)
            with np.errstate(invalid="ignore", divide="ignore"):
                means[at : at + _BLOCK] = (block @ sums) / (block @ counts)[:, alike]
        return means[:, 0] if values.ndim == 1 else means

    def quantiles(self, values: Floats, clusters: NDArray[np.intp], shares: Sequence[float]) -> Floats:
        """Quantiles of each resample, resamples x shares; NaN where it drew no case. No value is NaN."""
        order = np.argsort(values, kind="stable")
        ranked, owner = values[order], clusters[order]
        found = np.full((self.count, len(shares)), np.nan)
        wide = max(_BLOCK, _SUMS // len(owner))
        for at in range(0, self.count, wide):
            sums = self._running(owner, slice(at, at + wide))
            drawn = np.flatnonzero(sums[-1])
            for column, share in enumerate(shares):
                wanted = np.maximum(np.ceil(share * sums[-1] - _TINY), 1).astype(sums.dtype)
                found[at + drawn, column] = ranked[_first_at_least(sums, wanted)[drawn]]
        return found

    @cached_property
    def _by_family(self) -> NDArray[np.uint16]:
        """The weights, families x resamples: a family's row is added at once."""
        return np.ascontiguousarray(self.weights.T)

    def _running(self, owner: NDArray[np.intp], resamples: slice) -> NDArray[np.unsignedinteger]:
        """How many cases some resamples draw up to each place: places x resamples, as narrow as they fit."""
        most = self.clusters * int(np.bincount(owner).max())
        drawn = self._by_family[:, resamples]
        sums = np.empty((len(owner), drawn.shape[1]), np.promote_types(np.uint16, np.min_scalar_type(most)))
        before: NDArray[np.unsignedinteger] = np.zeros_like(sums[0])
        for place, family in enumerate(owner.tolist()):
            before = np.add(before, drawn[family], out=sums[place])
        return sums


def _first_at_least(sums: NDArray[np.unsignedinteger], wanted: NDArray[np.unsignedinteger]) -> NDArray[np.intp]:
    """For each column, which ascends, the first place that is not below what is wanted of it: all are halved at once.

    The last place where all are below it.
    """
    count, width = sums.shape
    flat, columns = sums.ravel(), np.arange(width)
    below = np.zeros(width, np.intp)
    for bit in reversed(range(count.bit_length())):
        last = np.minimum(below + (1 << bit), count) - 1
        below += (flat.take(last * width + columns) < wanted).astype(np.intp) << bit
    places: NDArray[np.intp] = np.minimum(below, count - 1)
    return places


def _by_cluster(table: NDArray[np.float64] | NDArray[np.bool_], index: NDArray[np.intp], clusters: int) -> Floats:
    sums = np.zeros((clusters, table.shape[1]))
    np.add.at(sums, index, table.astype(np.float64))
    return sums


def quantile(values: Floats, share: float) -> float:
    """The value that `share` of the values do not exceed (nearest rank): P95 of 20 values is the 19th."""
    ranked = np.sort(values)
    return float(ranked[max(0, int(np.ceil(share * len(ranked) - _TINY)) - 1)])


def percentile_interval(draws: Floats, level: float = LEVEL) -> tuple[float, float] | None:
    """The middle `level` of the resamples; none where none of them has a figure."""
    return percentile_intervals(draws[:, np.newaxis], level)[0]


def percentile_intervals(draws: Floats, level: float = LEVEL) -> list[tuple[float, float] | None]:
    """The same for each column of resamples x figures; those with the same gaps in one go."""
    ends = [50 * (1 - level), 50 * (1 + level)]
    known = ~np.isnan(draws.T)
    alike: dict[bytes, list[int]] = defaultdict(list)
    for column, told in enumerate(known):
        alike[told.tobytes()].append(column)
    found: list[tuple[float, float] | None] = [None] * len(known)
    for columns in alike.values():
        told = known[columns[0]]
        if told.any():
            lows, highs = np.percentile(draws[told][:, columns].T.copy(), ends, axis=1)
            for column, low, high in zip(columns, lows, highs, strict=True):
                found[column] = float(low), float(high)
    return found


def cluster_sums(values: Floats, clusters: NDArray[np.intp]) -> Floats:
    """The sum of each family: what is flipped as a whole."""
    _, index = np.unique(clusters, return_inverse=True)
    return np.asarray(np.bincount(index, weights=values), dtype=np.float64)


def sign_flip(differences: Floats, *, seed: int = 0, draws: int = RESAMPLES, greater: bool = False) -> float:
    """The p value of the mean being 0, by flipping signs; exact for at most 20 differences that are not 0.

    Two-sided, or with `greater` that the mean is above 0. 1 where all differences are 0 and NaN where there are none.
    """
    if not len(differences) or np.isnan(differences).any():
        return float("nan")
    moved = differences[differences != 0]
    if not len(moved):
        return 1.0
    size = float(np.abs(moved).sum())
    seen = float(moved.sum()) if greater else abs(float(moved.sum()))
    least = seen - _TINY * size
    if len(moved) <= EXACT:
        sums = _all_sums(moved)
        return int(np.count_nonzero((sums if greater else np.abs(sums)) >= least)) / len(sums)
    random = np.random.default_rng(seed)
    hits = 0
    for at in range(0, draws, _BLOCK):
        signs = random.integers(0, 2, (min(_BLOCK, draws - at), len(moved)), dtype=np.int8) * 2 - 1
        sums = signs.astype(np.float64) @ moved
        hits += int(np.count_nonzero((sums if greater else np.abs(sums)) >= least))
    return (hits + 1) / (draws + 1)


def _all_sums(values: Floats) -> Floats:
    """The sums under all flips of signs."""
    sums = np.zeros(1)
    for value in values:
        sums = np.concatenate((sums + value, sums - value))
    return sums


def mcnemar(wins: int, losses: int) -> float:
    """Two-sided exact p that wins and losses are equally likely; 1 where there are none of them."""
    n, rare = wins + losses, min(wins, losses)
    if n == 0:
        return 1.0
    if n <= _COUNTED:
        return min(1.0, 2 * sum(comb(n, k) for k in range(rare + 1)) / (1 << n))
    logs = [lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) - n * log(2) for k in range(rare + 1)]
    return min(1.0, 2 * float(np.exp(np.array(logs)).sum()))


def holm(ps: Sequence[float]) -> tuple[float, ...]:
    """Holm's p values for a family, in the order given; one that is NaN stays NaN and still counts as one of them."""
    order = sorted(range(len(ps)), key=lambda place: (ps[place] != ps[place], ps[place]))
    adjusted, least = [float("nan")] * len(ps), 0.0
    for rank, place in enumerate(order):
        if ps[place] == ps[place]:
            least = max(least, min(1.0, (len(ps) - rank) * ps[place]))
            adjusted[place] = least
    return tuple(adjusted)
