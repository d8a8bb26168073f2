"""Lines that all reports share: what is judged beside a ranking figure, what is left out, what repeats tell."""

from dataclasses import replace

import pytest

from builder.report.score_cases import circumstances
from builder.report.score_facts import Alike, Flips
from builder.report.score_figures import ids
from builder.report.score_html import score_html
from builder.report.score_markdown import score_markdown
from builder.report.score_wording import few, firm_lines, flip_lines, judged_share, left_out, signal_line
from builder.score.records import MetricRow
from builder.words import words
from tests.report.browser import Reader
from tests.report.facts import bare, facts, told

SAY = words("en")
JUDGED = {1: 0.9, 5: 0.4, 20: 0.1}


def row(name: str, value: float | None = 0.5, n: int = 30, **fields: object) -> MetricRow:
    return MetricRow.model_validate({"name": name, "value": value, "n": n} | fields)


@pytest.mark.parametrize(
    ("name", "share"),
    [
        ("group_recall@5", 0.4),
        ("ndcg_exp@1", 0.9),
        ("hit@3", None),
        ("mrr", 0.1),
        ("map", 0.1),
        ("judged@5", None),
        ("ref_recall", None),
        ("latency_p95.total", None),
    ],
)
def test_what_is_judged_stands_beside_ranking_figures(name: str, share: float | None) -> None:
    rows = (row(name), *(row(f"judged@{k}", value) for k, value in JUDGED.items()))
    full = replace(bare(), rows=rows, headline=(name,))
    assert judged_share(rows[0], full) == share
    assert ("judged 0.40" in score_html(full, SAY)) == (share == 0.4)
    assert ("judged 0.40" in score_markdown(full, SAY)) == (share == 0.4)


def test_nothing_is_too_few_where_there_is_no_figure() -> None:
    assert few(row("mrr", None, 0, few=True), SAY) == ""
    assert few(row("mrr", 0.5, 3, few=True), SAY) == "too few"


def test_metrics_that_leave_out_the_same_share_a_line() -> None:
    rows = [row("a", excluded={"error": 2}), row("b"), row("c", excluded={"error": 2}), row("d", excluded={"error": 3})]
    assert left_out(rows, SAY) == {"the call failed 2": ["a", "c"], "the call failed 3": ["d"]}


def test_questions_that_are_not_answered_alike_are_named() -> None:
    one = Alike(name="hit@3", families=5, alike=4, share=0.8, low=0.38, high=0.96, different=("m7",))
    same = replace(one, name="mrr")
    other = replace(one, name="claims", different=("m8",))
    lines = firm_lines(replace(bare(), alike=(one, same, other)), SAY)
    assert lines == (
        "hit@3, mrr: 4 of 5 questions in several styles are answered alike (0.80, 95 % 0.38–0.96).",
        "  not alike: m7",
        "claims: 4 of 5 questions in several styles are answered alike (0.80, 95 % 0.38–0.96).",
        "  not alike: m8",
    )


def test_hints_tell_how_many_cases_their_figures_rest_on() -> None:
    line = signal_line(facts().signals[0], SAY)
    assert line.endswith("hit@3 0.50 (n=31)")
    assert line in Reader(score_html(facts(), SAY)).text
    assert "hit\\@3 0.50 (n=31)" in score_markdown(facts(), SAY)


def test_who_asks_when_and_what_was_searched_for_is_told() -> None:
    one = replace(told(), query="整机保修期", asked_by="tenant a")
    lines = ["Searched for: 整机保修期", "Asked by tenant a", "On 2026-05-01"]
    assert list(circumstances(one, SAY)) == lines
    full = replace(facts(), failing=(one,))
    for report in (Reader(score_html(full, SAY)).text, score_markdown(full, SAY)):
        assert [line for line in lines if line not in report] == []


def test_changes_are_counted_and_named() -> None:
    count, worse = flip_lines(Flips(worse=("a", "b", "c"), passing=5), SAY, 2)
    assert count == "pass in both: 5, better now: 0, worse now: 3, fail in both: 0"
    assert worse == "Worse now: a, b and 1 more"
    assert flip_lines(None, SAY) == ()


@pytest.mark.parametrize("count", [0, 12, 13, 500])
def test_no_case_id_is_lost_in_a_cell(count: int) -> None:
    names = [f"m{number:03}" for number in range(count)]
    found = Reader(ids(names))
    assert found.open == []
    assert [word for word in found.text.split() if word.startswith("m")] == names
    assert ("details" in found.tags) == (count > 12)
