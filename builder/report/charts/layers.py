"""The map of broken layers: layers down, slices across, the darker the more cases."""

from collections.abc import Mapping, Sequence

from builder.report.charts.svg import box, label, svg
from builder.report.score_facts import LayerCell
from builder.report.shell import Html
from builder.words import Words

_LEFT, _TOP, _CELL, _HIGH = 120.0, 26.0, 96.0, 30.0
_MOST = 12
"""Slices that a map shows."""


def layer_map(cells: Sequence[LayerCell], layers: Mapping[str, str], slices: Mapping[str, str], say: Words) -> Html:
    """The map of one cut; `layers` and `slices` name rows and columns in words. Empty without a failing case."""
    counts = {(cell.layer, cell.slice): len(cell.case_ids) for cell in cells}
    most = max(counts.values(), default=0)
    if not most:
        return Html("")
    columns = list(slices.items())[:_MOST]
    drawn = [
        label(_LEFT + (place + 0.5) * _CELL, _TOP - 9, name, css="axis", at="middle", width=13)
        for place, (_, name) in enumerate(columns)
    ]
    for row, (layer, told) in enumerate(layers.items()):
        y = _TOP + row * _HIGH
        drawn.append(label(0, y + 19, told, css="name", width=16))
        for place, (key, name) in enumerate(columns):
            drawn += _cell(_LEFT + place * _CELL, y, counts.get((layer, key), 0), most, f"{told} · {name}")
    return svg(_LEFT + len(columns) * _CELL, _TOP + len(layers) * _HIGH + 2, *drawn, told=say("score.chart.layers"))


def _cell(x: float, y: float, count: int, most: int, where: str) -> list[Html]:
    css = f"heat h{-(-4 * count // most)}"
    drawn = [box(x + 1, y + 1, _CELL - 2, _HIGH - 2, css=css, hint=f"{where}: {count}", rx=3)]
    dark = "on-dark" if 2 * count > most else "value"
    return [*drawn, label(x + _CELL / 2, y + 19, count, css=dark, at="middle")] if count else drawn
