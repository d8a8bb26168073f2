"""Bars: at which rank the first evidence stood, and how cases changed against the baseline."""

from collections.abc import Mapping, Sequence

from builder.report.charts.svg import box, label, shape, svg
from builder.report.score_facts import Flips, Ranks
from builder.report.shell import Html
from builder.words import Words

_WIDTH, _HEIGHT, _TOP, _BOTTOM = 640.0, 220.0, 22.0, 36.0
_WORD = 30.0
"""Room for the name of the last bar: a word, wider than its bar."""
_BUCKETS = (*((rank, rank) for rank in range(1, 11)), (11, 20), (21, 50), (51, None))
"""First and last rank of each bar; the last one is open."""


def rank_histogram(ranks: Ranks, say: Words) -> Html:
    """One bar a rank, later ones together, and one for what was not found. Empty without answers."""
    if not ranks.missing and not any(ranks.counts.values()):
        return Html("")
    bars = [(_named(first, last), _within(ranks.counts, first, last), "s0") for first, last in _BUCKETS]
    bars.append((say("score.chart.not_found"), ranks.missing, "s2"))
    return svg(_WIDTH, _HEIGHT, *_columns(bars), told=say("score.chart.ranks"))


def _within(counts: Mapping[int, int], first: int, last: int | None) -> int:
    return sum(count for rank, count in counts.items() if rank >= first and (last is None or rank <= last))


def _named(first: int, last: int | None) -> str:
    if last is None:
        return f"> {first - 1}"
    return str(first) if first == last else f"{first}-{last}"


def _columns(bars: Sequence[tuple[str, int, str]]) -> list[Html]:
    step = (_WIDTH - _WORD) / len(bars)
    floor = _HEIGHT - _BOTTOM
    most = max(count for _, count, _ in bars)
    drawn = [shape("line", css="grid", x1=0, x2=_WIDTH, y1=floor, y2=floor)]
    for place, (name, count, css) in enumerate(bars):
        tall = (floor - _TOP) * count / most
        middle = (place + 0.5) * step
        if count:
            told = f"{name}: {count}"
            drawn.append(box(middle - step * 0.36, floor - tall, step * 0.72, tall, css=f"bar {css}", hint=told))
            drawn.append(label(middle, floor - tall - 6, f"{count:,}", css="value", at="middle"))
        drawn.append(label(middle, floor + 18, name, css="axis", at="middle", width=9))
    drawn[-1] = label(_WIDTH, floor + 18, bars[-1][0], css="axis", at="end", width=9)
    return drawn


def flip_bar(flips: Flips, say: Words) -> Html:
    """One bar: pass in both, got better, got worse, fail in both. Empty without common cases."""
    parts = [
        ("passing", flips.passing, "l4"),
        ("better", len(flips.better), "l3"),
        ("worse", len(flips.worse), "l1"),
        ("failing", flips.failing, "l0"),
    ]
    whole = sum(count for _, count, _ in parts)
    if not whole:
        return Html("")
    drawn, x = [], 0.0
    for place, (name, count, css) in enumerate(parts):
        wide = _WIDTH * count / whole
        told = say(f"score.chart.flip.{name}", count=count)
        if count:
            drawn.append(box(x, 0, max(wide - 2, 1), 26, css=f"fill {css}", hint=told, rx=3))
        drawn.append(box(place * 160, 40, 12, 12, css=f"fill {css}", rx=3))
        drawn.append(label(place * 160 + 18, 51, told, css="axis", width=20))
        x += wide
    return svg(_WIDTH, 62, *drawn, told=say("score.chart.flips"))
