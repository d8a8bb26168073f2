"""Charts: what is drawn is what was measured, and without figures nothing is drawn."""

import re
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.report.charts.bars import flip_bar, rank_histogram
from builder.report.charts.curve import Point, recall_curve
from builder.report.charts.latency import latency_chart, percentile
from builder.report.charts.layers import layer_map
from builder.report.score_facts import Flips, LayerCell, Ranks
from builder.report.score_figures import curves
from builder.words import words
from tests.report.browser import Reader
from tests.report.facts import CURVE, facts

SAY = words("en")


def numbers(svg: str, name: str) -> list[float]:
    return [float(value) for value in re.findall(rf' {name}="([-\d.]+)"', svg)]


def test_the_curve_rises_as_the_figures_do() -> None:
    points = curves(facts())["group_recall"]
    assert [(point.k, point.value) for point in points] == list(CURVE.items())
    svg = recall_curve({"group_recall": points}, SAY)
    heights = numbers(svg, "cy")
    assert len(heights) == 4 and heights == sorted(heights, reverse=True)
    assert "group_recall@5 0.74" in svg and "polygon" in svg


def test_one_point_is_no_curve() -> None:
    assert recall_curve({"recall": [Point(5, 0.5)]}, SAY) == ""
    assert recall_curve({}, SAY) == ""


def test_bars_are_as_tall_as_their_counts() -> None:
    svg = rank_histogram(Ranks(counts={1: 8, 12: 2, 30: 1, 99: 1}, missing=4), SAY)
    tall = dict(zip(re.findall(r"<title>([^<]+): \d+</title>", svg), numbers(svg, "height"), strict=True))
    assert tall["1"] == pytest.approx(4 * tall["11-20"], abs=0.2)
    assert tall["not found"] == pytest.approx(2 * tall["11-20"], abs=0.2)
    assert {"21-50", "&gt; 50"} <= set(tall)
    assert rank_histogram(Ranks(), SAY) == ""
    assert re.search(r'class="axis end" x="640" [^>]+>not found<', svg), "within the drawing"


def test_flips_share_the_bar() -> None:
    svg = flip_bar(Flips(worse=("a",), better=("b", "c"), passing=5, failing=2), SAY)
    assert "pass in both: 5" in svg and "worse now: 1" in svg
    assert flip_bar(Flips(), SAY) == ""


def test_percentiles_by_nearest_rank() -> None:
    values = [float(n) for n in range(1, 101)]
    assert [percentile(values, percent) for percent in (50, 95, 99)] == [50.0, 95.0, 99.0]
    assert percentile([7.0], 50) == 7.0


def test_the_map_is_darkest_where_most_broke() -> None:
    cells = [
        LayerCell(layer="retrieval", by="type", slice="a", case_ids=tuple("abcd")),
        LayerCell(layer="context", by="type", slice="b", case_ids=("e",)),
    ]
    svg = layer_map(cells, {"retrieval": "retrieval", "context": "context"}, {"a": "A", "b": "B"}, SAY)
    assert re.findall(r'class="heat (h\d)"', svg) == ["h4", "h0", "h0", "h1"]
    assert layer_map([], {}, {}, SAY) == ""


@given(
    st.dictionaries(st.text(max_size=20), st.lists(st.floats(), max_size=30), max_size=4),
    st.dictionaries(st.integers(1, 1000), st.integers(0, 10**6), max_size=8),
)
def test_any_figures_can_be_drawn(stages: dict[str, list[float]], counts: dict[int, int]) -> None:
    for svg in (latency_chart(stages, SAY), rank_histogram(Ranks(counts=counts), SAY)):
        found = Reader(svg)
        assert found.open == []
        assert not any("nan" in value or "inf" in value for _, name, value in found.attributes if name != "aria-label")


def test_labels_of_close_lines_stand_apart() -> None:
    svg = recall_curve({name: [Point(1, 0.5), Point(5, 0.9)] for name in ("group_recall", "recall", "hit")}, SAY)
    heights = sorted(float(y) for y in re.findall(r'class="name s\d start" x="[\d.]+" y="([\d.]+)"', svg))
    assert len(heights) == 3 and min(b - a for a, b in pairwise(heights)) >= 15.9


def test_a_figure_that_is_none_is_left_out() -> None:
    full = facts()
    rows = tuple(row.replace(value=None, n=0) for row in full.rows if hasattr(row, "replace"))
    assert curves(replace(full, rows=rows)) == {}
