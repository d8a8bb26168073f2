"""Figures by metric and slice: mean or quantile, cases, interval, and how small a change so many cases can show."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from builder.model.case import Case
from builder.model.snapshot import FrozenDocument
from builder.score.cuts import Cut, cuts_of
from builder.score.grid import Grid, Measure, Part, Places, aggregate_of, clusters_of, grid
from builder.score.records import ALL, AnswerScore, Interval, MetricRow
from builder.score.resolution import smallest_drop
from builder.score.stats import (
    RESAMPLES,
    Floats,
    Resamples,
    design_effect,
    is_rate,
    percentile_intervals,
    quantile,
    wilson,
)

FEW = 20
"""Fewer cases are too few to read much into a figure."""
QUANTILES = {"p50": 0.5, "p90": 0.9, "p95": 0.95, "p99": 0.99}
Bounds = tuple[float, float]
Labels = Mapping[tuple[str, int], Mapping[str, str]]


def rows(
    answers: Sequence[AnswerScore],
    cases: Mapping[str, Case],
    families: Mapping[str, str],
    metrics: Mapping[str, Measure],
    *,
    documents: Sequence[FrozenDocument] = (),
    labels: Labels | None = None,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> tuple[MetricRow, ...]:
    """Every metric on every slice that holds an answer; first the whole set, then slices by name.

    `families` joins cases that are resampled as one (`cuts.families`), `labels` cuts by what only the run tells
    (`cuts.labelled`). The same seed gives the same intervals.
    """
    table = grid(answers, tuple(metrics))
    clusters, count = clusters_of(table.cases, families)
    sheet = Sheet(table, metrics, clusters, Resamples(count, seed, resamples))
    places = _slices(answers, cases, {document.doc_id: document for document in documents}, labels or {})
    return tuple(row for cut, rows_ in places.items() for row in sheet.rows(cut, np.array(rows_, dtype=np.intp)))


def _slices(
    answers: Sequence[AnswerScore],
    cases: Mapping[str, Case],
    documents: Mapping[str, FrozenDocument],
    labels: Labels,
) -> dict[Cut, list[int]]:
    known = {case_id: cuts_of(case, documents) for case_id, case in cases.items()}
    found: dict[Cut, list[int]] = defaultdict(list)
    for row, answer in enumerate(answers):
        for cut in (*known.get(answer.case_id, ()), *labels.get((answer.case_id, answer.repeat), {}).items()):
            found[cut].append(row)
    return {(ALL, ALL): list(range(len(answers))), **dict(sorted(found.items()))}


@dataclass(frozen=True)
class Sheet:
    """Makes rows of one run."""

    table: Grid
    metrics: Mapping[str, Measure]
    clusters: Places
    resamples: Resamples

    def rows(self, cut: Cut, answers: Places) -> Iterator[MetricRow]:
        """The rows of one slice."""
        part = self.table.part(answers)
        owner = self.clusters[part.cases]
        intervals = self._bootstrapped(part, owner) | self._bootstrapped_quantiles(part, answers)
        for column, (name, measure) in enumerate(self.metrics.items()):
            excluded = self.table.excluded(part, column)
            n = int(np.sum(~np.isnan(part.means[:, column])))
            whole = not part.broken[column] and n > 0
            how = aggregate_of(measure)
            figure = self._figure(part, column, answers, how) if whole else None
            yield MetricRow(
                name=name,
                value=figure,
                n=n,
                interval=self._interval(part, column, owner, intervals) if whole and n > 1 else None,
                by=cut[0],
                slice=cut[1],
                few=n < FEW,
                smallest_drop=smallest_drop(n) if _bounded(part.means[:, column]) and how == "mean" else None,
                excluded=excluded,
            )

    def _figure(self, part: Part, column: int, answers: Places, how: str) -> float:
        if how == "mean":
            return float(np.nanmean(part.means[:, column]))
        return quantile(self._told(answers, column)[0], QUANTILES[how])

    def _told(self, answers: Places, column: int) -> tuple[Floats, Places]:
        """The figures of single answers with the family of each: quantiles rest on answers, not on means of cases."""
        values = self.table.numbers[answers, column]
        known = ~np.isnan(values)
        return values[known], self.clusters[self.table.case_of[answers[known]]]

    def _bootstrapped(self, part: Part, owner: Places) -> dict[int, Bounds | None]:
        """Intervals of all means that are no rates, from one look at the shared matrix."""
        columns = [
            column
            for column, measure in enumerate(self.metrics.values())
            if aggregate_of(measure) == "mean" and not is_rate(_known(part.means[:, column]))
        ]
        if not columns or len(part.cases) < 2:
            return {}
        means = self.resamples.means(part.means[:, columns], owner)
        return dict(zip(columns, percentile_intervals(means), strict=True))

    def _bootstrapped_quantiles(self, part: Part, answers: Places) -> dict[int, Bounds | None]:
        """Intervals of all quantiles; those of the same figures, as P50 and P95 of one stage are, from one look."""
        alike: dict[bytes, list[int]] = defaultdict(list)
        for column, measure in enumerate(self.metrics.values()):
            if aggregate_of(measure) != "mean" and not part.broken[column]:
                alike[self.table.numbers[answers, column].tobytes()].append(column)
        hows = [aggregate_of(measure) for measure in self.metrics.values()]
        found: dict[int, Bounds | None] = {}
        for columns in alike.values():
            values, families = self._told(answers, columns[0])
            if len(values) > 1:
                shares = [QUANTILES[hows[column]] for column in columns]
                draws = self.resamples.quantiles(values, families, shares)
                found |= zip(columns, percentile_intervals(draws), strict=True)
        return found

    def _interval(
        self, part: Part, column: int, owner: Places, intervals: Mapping[int, Bounds | None]
    ) -> Interval | None:
        if column in intervals:
            found = intervals[column]
            return found and Interval(low=found[0], high=found[1], how="bootstrap")
        known = ~np.isnan(part.means[:, column])
        low, high = rate_interval(part.means[known, column], owner[known])
        return Interval(low=low, high=high, how="wilson")


def rate_interval(values: Floats, clusters: Places) -> tuple[float, float]:
    """Wilson's interval, as wide as so many cases of so few families deserve."""
    n = len(values) / design_effect(values, clusters)
    return wilson(min(n, float(values.mean()) * n), n)


def _known(values: Floats) -> Floats:
    return values[~np.isnan(values)]


def _bounded(values: Floats) -> bool:
    known = _known(values)
    return bool(np.all((known >= 0) & (known <= 1)))
