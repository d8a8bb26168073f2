"""Latency by stage: the whole distribution on a logarithmic axis, with P50, P95 and P99. A mean hides the slow ones."""

import math
from collections.abc import Mapping, Sequence

from builder.report.charts.svg import box, label, shape, svg
from builder.report.shell import Html
from builder.words import Words

_WIDTH, _LEFT, _RIGHT, _ROW, _BINS = 640.0, 110.0, 30.0, 64.0, 40
_LONGEST = 1e12
_MARKS = ((50, "P50"), (95, "P95"), (99, "P99"))


def latency_chart(stages: Mapping[str, Sequence[float]], say: Words) -> Html:
    """One row a stage. Empty without a figure; what is no time (negative, endless, no number) is not drawn."""
    known = {name: sorted(value for value in values if 0 <= value < math.inf) for name, values in stages.items()}
    known = {name: values for name, values in known.items() if values}
    if not known:
        return Html("")
    low = math.floor(_log(min(values[0] for values in known.values())))
    high = max(math.ceil(_log(max(values[-1] for values in known.values()))), low + 1)
    drawn = _axis(low, high, len(known) * _ROW)
    for place, (name, values) in enumerate(known.items()):
        drawn += _row(name, values, place * _ROW, low, high)
    return svg(_WIDTH, len(known) * _ROW + 26, *drawn, told=say("score.chart.latency"))


def percentile(values: Sequence[float], percent: int) -> float:
    """The least of the sorted values that `percent` of them do not exceed (nearest rank)."""
    return values[max(0, math.ceil(len(values) * percent / 100) - 1)]


def _log(value: float) -> float:
    """Of milliseconds; what took less than one is drawn as one, and nothing is longer than the longest."""
    return math.log10(min(max(value, 1.0), _LONGEST))


def _x(value: float, low: int, high: int) -> float:
    share = (_log(value) - low) / (high - low)
    return _LEFT + share * (_WIDTH - _LEFT - _RIGHT)


def _axis(low: int, high: int, height: float) -> list[Html]:
    drawn = []
    for power in range(low, high + 1):
        x = _x(10.0**power, low, high)
        drawn.append(shape("line", css="grid", x1=x, x2=x, y1=0, y2=height))
        drawn.append(label(x, height + 16, _told(10.0**power), css="axis", at="middle"))
    return drawn


def _row(name: str, values: Sequence[float], top: float, low: int, high: int) -> list[Html]:
    floor = top + _ROW - 22
    span = (_WIDTH - _LEFT - _RIGHT) / _BINS
    counts = [0] * _BINS
    for value in values:
        counts[min(_BINS - 1, int((_x(value, low, high) - _LEFT) / span))] += 1
    most = max(counts)
    drawn = [label(0, floor, name, css="name", width=14), label(0, floor + 14, f"n = {len(values):,}", css="axis")]
    for place, count in enumerate(counts):
        if count:
            tall = 34 * count / most
            drawn.append(box(_LEFT + place * span, floor - tall, span - 1, tall, css="bar s0", hint=f"{count:,}", rx=1))
    return drawn + _marks(values, floor, low, high)


def _marks(values: Sequence[float], floor: float, low: int, high: int) -> list[Html]:
    told = [(f"{name} {_told(percentile(values, percent))}", percentile(values, percent)) for percent, name in _MARKS]
    drawn = [
        shape("line", css="mark-line", x1=x, x2=x, y1=floor - 36, y2=floor + 4, hint=name)
        for name, value in told
        for x in (_x(value, low, high),)
    ]
    return [*drawn, label(_LEFT, floor + 15, " · ".join(name for name, _ in told), css="axis")]


def _told(value: float) -> str:
    if value >= 1000:
        return f"{value / 1000:.3g} s"
    return f"{value:.3g} ms"
