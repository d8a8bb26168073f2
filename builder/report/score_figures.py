"""The charts of a scored run, each with its title, and the table of broken layers."""

from collections.abc import Iterable, Sequence

from builder.report.charts.bars import flip_bar, rank_histogram
from builder.report.charts.curve import Point, recall_curve
from builder.report.charts.latency import latency_chart
from builder.report.charts.layers import layer_map
from builder.report.score_facts import LayerCell, ScoreFacts, rows_of
from builder.report.score_rows import ALL
from builder.report.score_wording import cut_name, flip_lines, layer_name, slice_name
from builder.report.shell import Html, joined, tag, text
from builder.words import Words

_CURVES = ("group_recall", "recall", "hit")
_FIRST = "type"
"""The cut whose map is seen at once."""
_SHOWN = 12
"""Case ids that a cell shows at once."""


def charts(facts: ScoreFacts, say: Words) -> Iterable[Html]:
    """The charts that there are figures for."""
    drawn = (
        ("score.chart.curve", recall_curve(curves(facts), say)),
        ("score.chart.ranks", rank_histogram(facts.ranks, say)),
        ("score.chart.latency", latency_chart(facts.latency, say)),
        ("score.chart.flips", _flips(facts, say)),
    )
    for key, chart in drawn:
        if chart:
            yield joined([tag("h2", text(say(key)), css="part"), tag("div", chart, css="scroll")])


def curves(facts: ScoreFacts) -> dict[str, list[Point]]:
    """Points by metric, in the order of k: what was measured at several k."""
    found: dict[str, list[Point]] = {}
    for row in rows_of(facts):
        name, _, k = row.name.partition("@")
        if name in _CURVES and k.isdigit() and row.value is not None:
            ends = (row.interval.low, row.interval.high) if row.interval else (None, None)
            found.setdefault(name, []).append(Point(int(k), row.value, *ends))
    return {name: sorted(found[name]) for name in _CURVES if name in found}


def layer_sections(facts: ScoreFacts, say: Words) -> Iterable[Html]:
    """All cases, then for each cut the map of broken layers with the case ids below it; the first map is open."""
    cuts = sorted(dict.fromkeys(cell.by for cell in facts.layers), key=lambda by: (by != ALL, by != _FIRST))
    for place, by in enumerate(cuts):
        cells = [cell for cell in facts.layers if cell.by == by]
        table = _layer_table(cells, by, say)
        if by == ALL:
            yield table
        elif place == 1:
            yield joined([tag("h3", text(cut_name(by, say))), _map(cells, by, say), table])
        else:
            yield tag("details", tag("summary", text(cut_name(by, say))), _map(cells, by, say), table)


def _map(cells: list[LayerCell], by: str, say: Words) -> Html:
    layers = {cell.layer: layer_name(cell.layer, say) for cell in cells}
    slices = {cell.slice: slice_name(by, cell.slice, say) for cell in cells}
    return tag("div", layer_map(cells, layers, slices, say), css="scroll")


def _layer_table(cells: list[LayerCell], by: str, say: Words) -> Html:
    rows = [
        tag(
            "tr",
            tag("td", text(layer_name(cell.layer, say)), css="word"),
            tag("td", text(slice_name(by, cell.slice, say)), css="word"),
            tag("td", text(len(cell.case_ids))),
            tag("td", ids(cell.case_ids), css="ids"),
        )
        for cell in cells
    ]
    heads = [tag("th", text(say(f"head.{name}")), css="word") for name in ("layer", "slice", "failing", "cases")]
    table = tag("table", tag("thead", tag("tr", *heads)), tag("tbody", *rows))
    return tag("div", table, css="scroll")


def ids(case_ids: Sequence[str]) -> Html:
    """Case ids; many of them open on demand."""
    if len(case_ids) <= _SHOWN:
        return text(" ".join(case_ids))
    first = text(f"{' '.join(case_ids[:_SHOWN])} +{len(case_ids) - _SHOWN}")
    return tag("details", tag("summary", first), text(f" {' '.join(case_ids[_SHOWN:])}"))


def _flips(facts: ScoreFacts, say: Words) -> Html:
    if facts.flips is None:
        return Html("")
    _, *named = flip_lines(facts.flips, say)
    return joined([flip_bar(facts.flips, say), *(tag("p", text(line), css="faint") for line in named)])
