"""What repeats and rewordings tell: how firm a system is, and how much a figure moves although nothing was changed."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import isfinite, sqrt

import numpy as np

from builder.model.case import Case
from builder.model.record import Record
from builder.score.grid import Measure, sign
from builder.score.records import AnswerScore
from builder.score.stats import Floats, is_rate, wilson, z_of


class Stability(Record):
    """One metric over cases that were asked several times."""

    name: str
    """Name of the metric."""
    n: int
    """Cases with at least two figures."""
    stable_pass: int | None = None
    """Good each time; none where the metric is no yes or no."""
    flaky: int | None = None
    """Now good, now not."""
    stable_fail: int | None = None
    """Never good."""
    flaky_cases: tuple[str, ...] = ()
    """Cases whose figure differs between repeats."""
    noise_floor: float
    """Two runs of the same system differ by less than this, 95 times in 100; only what is more means something."""


class Alike(Record):
    """One question in several styles: whether it is answered as well each time."""

    name: str
    """Name of the metric, a yes or no."""
    families: int
    """Questions with at least two styles that have a figure."""
    alike: int
    """Of these: all good, or none."""
    share: float
    """alike / families."""
    low: float
    """Lower end of Wilson's interval."""
    high: float
    """Upper end."""
    different: tuple[str, ...] = ()
    """The others, by family."""


def stability(answers: Sequence[AnswerScore], metrics: Mapping[str, Measure]) -> tuple[Stability, ...]:
    """How firm each metric is; nothing for one that no case has two figures of."""
    found = []
    for name, measure in metrics.items():
        repeated = {case_id: values for case_id, values in _by_case(answers, name).items() if len(values) > 1}
        if repeated:
            found.append(_stable(name, measure, repeated))
    return tuple(found)


def _by_case(answers: Iterable[AnswerScore], name: str) -> dict[str, Floats]:
    found: dict[str, list[float]] = defaultdict(list)
    for answer in answers:
        value = answer.values.get(name)
        if value is not None and value.number is not None and isfinite(value.number):
            found[answer.case_id].append(value.number)
    return {case_id: np.array(values) for case_id, values in found.items()}


def _stable(name: str, measure: Measure, repeated: Mapping[str, Floats]) -> Stability:
    flaky = tuple(sorted(case_id for case_id, values in repeated.items() if np.ptp(values) > 0))
    # Of two runs each case gives one figure: the variance of the difference of their means is twice that of one.
    spread = sum(float(values.var(ddof=1)) for values in repeated.values())
    floor = z_of(0.975) * sqrt(2 * spread) / len(repeated)
    if not all(is_rate(values) for values in repeated.values()):
        return Stability(name=name, n=len(repeated), flaky_cases=flaky, noise_floor=floor)
    passed = sum(case_id not in flaky and good(measure, values[0]) for case_id, values in repeated.items())
    return Stability(
        name=name,
        n=len(repeated),
        stable_pass=passed,
        flaky=len(flaky),
        stable_fail=len(repeated) - len(flaky) - passed,
        flaky_cases=flaky,
        noise_floor=floor,
    )


def good(measure: Measure, value: float) -> bool:
    """Whether a yes or no is on its good side."""
    return (value > 0.5) == (sign(measure) > 0)


def alike(
    answers: Sequence[AnswerScore], cases: Mapping[str, Case], metrics: Mapping[str, Measure]
) -> tuple[Alike, ...]:
    """For each yes or no: the share of questions in several styles whose answers are all good, or all not."""
    found = (_alike(name, _by_case(answers, name), cases) for name in metrics)
    return tuple(one for one in found if one is not None)


def _alike(name: str, figures: Mapping[str, Floats], cases: Mapping[str, Case]) -> Alike | None:
    if not all(is_rate(values) for values in figures.values()):
        return None
    kin: dict[str, list[Floats]] = defaultdict(list)
    for case_id, values in figures.items():
        if case_id in cases:
            kin[cases[case_id].kin].append(values)
    several = {family: np.concatenate(values) for family, values in kin.items() if len(values) > 1}
    if not several:
        return None
    different = tuple(sorted(family for family, values in several.items() if np.ptp(values) > 0))
    same = len(several) - len(different)
    low, high = wilson(same, len(several))
    return Alike(
        name=name,
        families=len(several),
        alike=same,
        share=same / len(several),
        low=low,
        high=high,
        different=different,
    )
