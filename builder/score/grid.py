"""The figures of a run as one table: answers x metrics, and the mean of each case."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from builder.score.records import AnswerScore, Value
from builder.score.stats import Floats

Places = NDArray[np.intp]
BROKEN = "not_a_number"
"""Why a figure is none: some answer's is no number, and a mean without it would hide that."""
ABSENT = Value(None, "not_scored")


class Measure(Protocol):
    """What statistics, gates and comparisons must know of a metric."""

    @property
    def name(self) -> str:
        """Its name, as in the figures of an answer."""

    @property
    def better(self) -> str:
        """Which way is good: higher or lower."""

    @property
    def layer(self) -> str:
        """The layer that it looks at."""


def aggregate_of(measure: Measure) -> str:
    """How figures become one: mean, unless the metric says p50, p95 or p99."""
    return str(getattr(measure, "aggregate", "mean"))


def sign(measure: Measure) -> int:
    """1 where higher is better, -1 where lower is."""
    return -1 if measure.better == "lower" else 1


@dataclass(frozen=True)
class Part:
    """Some answers, case by case."""

    cases: Places
    """Cases that have an answer here, as places in `Grid.cases`."""
    means: Floats
    """Cases x metrics; NaN where a case is left out."""
    codes: NDArray[np.int16]
    """Cases x metrics: why a case is left out, a place in `Grid.reasons`."""
    broken: Places
    """Answers without a number, by metric."""


@dataclass(frozen=True)
class Grid:
    """All answers of a run."""

    names: tuple[str, ...]
    """Metrics."""
    cases: tuple[str, ...]
    """Case ids."""
    case_of: Places
    """The case of each answer."""
    numbers: Floats
    """Answers x metrics; NaN where an answer is left out, or has no number."""
    codes: NDArray[np.int16]
    """Answers x metrics: why it is left out."""
    reasons: tuple[str, ...]
    """What the codes mean."""
    broken: NDArray[np.bool_]
    """Answers x metrics: NaN or infinite."""

    def part(self, rows: Places) -> Part:
        """The answers at `rows`: a case counts once, with the mean of those of its answers that have a figure."""
        cases, first, owner = np.unique(self.case_of[rows], return_index=True, return_inverse=True)
        numbers, broken = self.numbers[rows], self.broken[rows].sum(axis=0)
        if len(cases) == len(rows):
            return Part(cases, numbers[first], self.codes[rows][first], broken)
        known = ~np.isnan(numbers)
        sums, counts = np.zeros((len(cases), len(self.names))), np.zeros((len(cases), len(self.names)))
        np.add.at(sums, owner, np.where(known, numbers, 0.0))
        np.add.at(counts, owner, known)
        with np.errstate(invalid="ignore"):
            return Part(cases, sums / counts, self.codes[rows][first], broken)

    def excluded(self, part: Part, column: int) -> dict[str, int]:
        """Cases of a part that a metric leaves out, by reason."""
        out = np.isnan(part.means[:, column])
        counts = Counter(self.reasons[code] for code in part.codes[out, column])
        if part.broken[column]:
            counts[BROKEN] = int(part.broken[column])
        return dict(sorted(counts.items()))


def grid(answers: Sequence[AnswerScore], names: Sequence[str]) -> Grid:
    """The table of these metrics; an answer that says nothing of one is left out of it as not_scored."""
    cases = tuple(sorted({answer.case_id for answer in answers}))
    place = {case_id: index for index, case_id in enumerate(cases)}
    reasons: dict[str, int] = {}
    shape = (len(answers), len(names))
    numbers, codes, broken = np.full(shape, np.nan), np.zeros(shape, np.int16), np.zeros(shape, np.bool_)
    for row, answer in enumerate(answers):
        for column, name in enumerate(names):
            value = answer.values.get(name, ABSENT)
            if value.number is None:
                codes[row, column] = reasons.setdefault(value.reason or ABSENT.reason, len(reasons))
            elif isfinite(value.number):
                numbers[row, column] = value.number
            else:
                broken[row, column] = True
                codes[row, column] = reasons.setdefault(BROKEN, len(reasons))
    case_of = np.array([place[answer.case_id] for answer in answers], dtype=np.intp)
    return Grid(tuple(names), cases, case_of, numbers, codes, tuple(reasons), broken)


def clusters_of(cases: Sequence[str], families: Mapping[str, str]) -> tuple[Places, int]:
    """The family of each case as a number, and how many there are; a case without one is its own.

    Where all are of one family nothing could be resampled: then each case is its own.
    """
    names = [families.get(case_id, case_id) for case_id in cases]
    if len(set(names)) < 2:
        names = list(cases)
    _, index = np.unique(np.array(names, dtype=object), return_inverse=True)
    return index.astype(np.intp), len(set(names))
