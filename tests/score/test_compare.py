"""Runs against each other: only common and equal cases, with tests that a statistician would accept."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy

from builder.errors import InputError
from builder.model.case import QuestionType
from builder.score.compare import compare, facts_that_differ
from builder.score.measured import measured_hash
from tests import make
from tests.score.measured import METRICS, answers, column, ids, run

RECALL = {"group_recall@5": METRICS["group_recall@5"]}


def test_wins_ties_losses_and_who_flipped() -> None:
    base = run(column([1, 1, 0, 0, 1]), name="base", metrics=RECALL)
    other = run(column([1, 0, 1, 1, 1]), name="other", metrics=RECALL)
    found = compare([base, other], resamples=500)
    (difference,) = found.runs
    row = difference.rows[0]
    assert (row.by, row.n, row.wins, row.ties, row.losses) == ("all", 5, 2, 2, 1)
    assert (row.won, row.lost) == ((ids(5)[2], ids(5)[3]), (ids(5)[1],))
    assert row.difference == pytest.approx(0.2)
    assert row.test == "mcnemar"
    assert row.p == pytest.approx(scipy.binomtest(2, 3).pvalue)
    assert row.few
    assert (found.base, difference.run, difference.common) == ("base", "other", 5)


def test_lower_is_better_belongs_to_the_metric() -> None:
    metrics = {"noise": METRICS["noise"]}
    base = run(column([0.5, 0.5, 0.5], "noise"), metrics=metrics)
    other = run(column([0.2, 0.5, 0.9], "noise"), metrics=metrics)
    row = compare([base, other], resamples=500).runs[0].rows[0]
    assert (row.won, row.lost, row.better) == ((ids(3)[0],), (ids(3)[2],), "lower")


def test_p_of_what_is_no_yes_or_no_is_scipys() -> None:
    random = np.random.default_rng(3)
    left, right = random.random(14).round(3), random.random(14).round(3)
    base, other = (run(column(values.tolist()), metrics=RECALL) for values in (left, right))
    row = compare([base, other], resamples=500).runs[0].rows[0]
    wanted = scipy.permutation_test(
        (right - left,),
        lambda sample, axis: np.mean(sample, axis=axis),
        permutation_type="samples",
        n_resamples=np.inf,
        vectorized=True,
    )
    assert row.test == "sign_flip"
    assert row.p == pytest.approx(wanted.pvalue, abs=1e-12)


def test_families_flip_as_one() -> None:
    values = [0.1 * number for number in range(10)]
    families = {case_id: str(number % 2) for number, case_id in enumerate(ids(10))}
    base = run(column(values), families=families, metrics=RECALL)
    other = run(column([value + 0.05 for value in values]), families=families, metrics=RECALL)
    assert compare([base, other], resamples=500).runs[0].rows[0].p == 0.5, "two families have four flips of signs"


def test_only_common_and_equal_cases() -> None:
    one, two, three, four = ids(4)
    base = run(column([1, 1, 1]), [make.case(one), make.case(two), make.case(three)], metrics=RECALL)
    changed = make.case(two, ground_truth="36 个月。")
    later = answers({case_id: {"group_recall@5": 0.0} for case_id in (one, two, four)})
    other = run(later, [make.case(one), changed, make.case(four)], metrics=RECALL)
    (difference,) = compare([base, other], resamples=500).runs
    assert (difference.common, difference.changed) == (1, (two,))
    assert (difference.only_base, difference.only_run) == (1, 1)
    assert difference.rows[0].n == 1


def test_what_makes_a_case_another_one() -> None:
    case = make.case()
    same = case.replace(tags=("x",), note="looked at", revision=4, risk="refund")
    assert measured_hash(case) == measured_hash(same)
    for change in (
        {"question": "多久？"},
        {"answerable": False},
        {"user_context": {"tenant": "a"}},
    ):
        assert measured_hash(case) != measured_hash(case.replace(**change))


def test_nothing_in_common() -> None:
    base = run(column([1]), metrics=RECALL)
    other = run(answers({"x": {"group_recall@5": 1}}), metrics=RECALL)
    with pytest.raises(InputError, match="no case in common"):
        compare([base, other])
    with pytest.raises(InputError, match="two runs or more"):
        compare([base])
    with pytest.raises(InputError, match="No metric recal@5"):
        compare([base, base], declared=["recal@5"])


def test_more_than_one_config_fact() -> None:
    base = run(column([1]), metrics=RECALL, config={"model": "a", "top_k": 5, "chunk": {"size": 600, "overlap": 0}})
    other = run(column([1]), metrics=RECALL, config={"model": "b", "top_k": 5, "chunk": {"size": 800, "overlap": 0}})
    (difference,) = compare([base, other], resamples=500).runs
    assert difference.facts == {"chunk.size": ("600", "800"), "model": ("a", "b")}
    assert difference.confounded
    assert facts_that_differ({"a": 1}, {"b": 1}) == {"a": ("1", "-"), "b": ("-", "1")}


def test_holm_over_what_was_declared() -> None:
    figures = {case_id: {"group_recall@5": 0.0, "refusal_accuracy": 0.0} for case_id in ids(8)}
    better = {case_id: {"group_recall@5": 1.0, "refusal_accuracy": 1.0} for case_id in ids(8)}
    base, other = run(answers(figures), name="base"), run(answers(better), name="other")
    two = compare([base, other], declared=["group_recall@5", "refusal_accuracy"], resamples=500).runs[0].rows
    one = compare([base, other], declared=["group_recall@5"], resamples=500).runs[0].rows
    p = 2 / 2**8
    assert {row.p_holm for row in two if row.by == "all"} == {2 * p}
    assert {row.name: row.p_holm for row in one if row.by == "all"} == {"group_recall@5": p, "refusal_accuracy": None}
    assert {row.p_holm for row in two if row.by != "all"} == {None}


def test_slices_are_compared_too() -> None:
    cases = [
        make.case(case_id, question_type=QuestionType.CONFLICT if at else QuestionType.MULTI_HOP)
        for at, case_id in enumerate(ids(2))
    ]
    base, other = run(column([1, 0]), cases, metrics=RECALL), run(column([1, 1]), cases, metrics=RECALL)
    rows = {row.slice: row.difference for row in compare([base, other], resamples=500).runs[0].rows if row.by == "type"}
    assert rows == {"multi_hop": 0.0, "conflict": 1.0}


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=2, max_size=15))
@settings(deadline=None, max_examples=40)
def test_there_and_back_is_the_same(pairs: list[tuple[float, float]]) -> None:
    left, right = (run(column([pair[side] for pair in pairs]), metrics=RECALL, resamples=50) for side in (0, 1))
    there = compare([left, right], resamples=200).runs[0].rows[0]
    back = compare([right, left], resamples=200).runs[0].rows[0]
    assert there.difference == pytest.approx(-back.difference)
    assert (there.wins, there.ties, there.losses) == (back.losses, back.ties, back.wins)
    assert there.p == pytest.approx(back.p)
    assert 0 < there.p <= 1
    assert there.wins + there.ties + there.losses == there.n == len(pairs)
