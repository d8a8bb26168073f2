"""Recall by k: how much deeper one must look."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from builder.report.charts.svg import label, number, shape, svg
from builder.report.shell import Html
from builder.words import Words

_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 640.0, 260.0, 44.0, 150.0, 14.0, 34.0
_SERIES = ("s0", "s1", "s2")


class Point(NamedTuple):
    """A figure at one k."""

    k: int
    """How many candidates were looked at."""
    value: float
    """The figure, 0 to 1."""
    low: float | None = None
    """Lower end of its interval."""
    high: float | None = None
    """Upper end of its interval."""


def recall_curve(series: Mapping[str, Sequence[Point]], say: Words) -> Html:
    """One line a metric, over the same k; the interval of the first one as a band. Empty without two points."""
    ks = sorted({point.k for points in series.values() for point in points})
    if len(ks) < 2:
        return Html("")
    step = (_WIDTH - _LEFT - _RIGHT) / (len(ks) - 1)
    at = {k: _LEFT + place * step for place, k in enumerate(ks)}
    shown = list(zip(_SERIES, series.items(), strict=False))
    drawn = [*_grid(at), *_band(next(iter(series.values())), at)]
    ends = _apart([_y(points[-1].value) for _, (_, points) in shown])
    for (css, (name, points)), end in zip(shown, ends, strict=True):
        drawn += _line(css, name, points, at, end)
    drawn.append(label(_LEFT - 8, _HEIGHT - _BOTTOM + 17, "k =", css="axis", at="end"))
    return svg(_WIDTH, _HEIGHT, *drawn, told=say("score.chart.curve"))


def _y(value: float) -> float:
    return _TOP + (1 - value) * (_HEIGHT - _TOP - _BOTTOM)


def _grid(at: Mapping[int, float]) -> list[Html]:
    drawn = []
    for percent in (0, 25, 50, 75, 100):
        y = _y(percent / 100)
        drawn.append(shape("line", css="grid", x1=_LEFT, x2=_WIDTH - _RIGHT, y1=y, y2=y))
        drawn.append(label(_LEFT - 8, y + 4, f"{percent / 100:.2f}", css="axis", at="end"))
    return drawn + [label(x, _HEIGHT - _BOTTOM + 17, k, css="axis", at="middle") for k, x in at.items()]


def _band(points: Sequence[Point], at: Mapping[int, float]) -> list[Html]:
    known = [point for point in points if point.low is not None and point.high is not None]
    if len(known) < 2:
        return []
    upper = [f"{number(at[point.k])},{number(_y(point.high or 0.0))}" for point in known]
    lower = [f"{number(at[point.k])},{number(_y(point.low or 0.0))}" for point in reversed(known)]
    return [shape("polygon", css="band", points=" ".join(upper + lower))]


def _line(css: str, name: str, points: Sequence[Point], at: Mapping[int, float], end: float) -> list[Html]:
    path = " ".join(f"{number(at[point.k])},{number(_y(point.value))}" for point in points)
    dots = [
        shape("circle", css=f"dot {css}", cx=at[p.k], cy=_y(p.value), r=4, hint=f"{name}@{p.k} {p.value:.2f}")
        for p in points
    ]
    last = points[-1]
    told = label(at[last.k] + 12, end + 4, f"{name} {last.value:.2f}", css=f"name {css}")
    return [shape("polyline", css=f"curve {css}", points=path), *dots, told]


def _apart(heights: Sequence[float], least: float = 16.0) -> list[float]:
    """Heights of labels, moved down as far as needed so that none covers another; within the drawing."""
    order = sorted(range(len(heights)), key=lambda place: heights[place])
    placed = [heights[place] for place in order]
    for place in range(1, len(placed)):
        placed[place] = max(placed[place], placed[place - 1] + least)
    if placed and (over := placed[-1] - (_HEIGHT - _BOTTOM)) > 0:
        placed = [height - over for height in placed]
    found = [0.0] * len(heights)
    for place, height in zip(order, placed, strict=True):
        found[place] = height
    return found
