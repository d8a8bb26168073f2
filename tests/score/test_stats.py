"""Intervals and p values, held against scipy; resolutions, held against simulation."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy

from builder.score.resolution import cases_needed, smallest_drop, smallest_shown
from builder.score.stats import (
    Resamples,
    cluster_sums,
    design_effect,
    holm,
    is_rate,
    mcnemar,
    paired_rates,
    percentile_interval,
    quantile,
    sign_flip,
    wilson,
)

DIFFERENCES = st.lists(st.sampled_from([-1.0, -0.5, -0.25, 0.0, 0.25, 0.5, 1.0, 0.125]), min_size=2, max_size=11)
# Their sums are exact: ties are ties, in scipy too.


def test_fifty_of_fifty() -> None:
    low, high = wilson(50, 50)
    assert (round(low, 3), high) == (0.929, 1.0)


@given(st.integers(1, 400), st.data())
def test_wilson_is_scipys(n: int, data: st.DataObject) -> None:
    good = data.draw(st.integers(0, n))
    wanted = scipy.binomtest(good, n).proportion_ci(method="wilson")
    assert wilson(good, n) == pytest.approx((wanted.low, wanted.high), abs=1e-12)


@pytest.mark.parametrize(("good", "n"), [(0, 0), (3, 2), (-1, 2)])
def test_no_rate(good: int, n: int) -> None:
    with pytest.raises(ValueError, match="no rate"):
        wilson(good, n)


def test_paired_rates_hold_what_they_promise() -> None:
    """Of 4,000 samples of 40 pairs, some 95 % have the true difference of 10 points in their interval."""
    drawn = np.random.default_rng(8).multinomial(40, [0.15, 0.05, 0.8], 4000)
    inside = [low <= 0.1 <= high for low, high in (paired_rates(int(a), int(b), 40) for a, b, _ in drawn)]
    assert 0.93 <= np.mean(inside) <= 0.98
    low, high = paired_rates(0, 0, 8)
    assert low == -high
    assert 0.15 < high < 0.25


# Sign flips


@given(DIFFERENCES)
@settings(deadline=None, max_examples=60)
def test_exact_sign_flips_are_scipys(values: list[float]) -> None:
    differences = np.array(values)
    for greater, alternative in ((False, "two-sided"), (True, "greater")):
        wanted = scipy.permutation_test(
            (differences,),
            lambda sample, axis: np.sum(sample, axis=axis),
            permutation_type="samples",
            n_resamples=np.inf,
            alternative=alternative,
            vectorized=True,
        ).pvalue
        # scipy doubles the smaller side; the distribution is symmetric, so both are the same but for a cap at 1.
        assert sign_flip(differences, greater=greater) == pytest.approx(min(1.0, wanted), abs=1e-12)


def test_twenty_are_counted_not_drawn() -> None:
    differences = np.arange(1, 21) / 20.0
    assert sign_flip(differences, seed=1) == sign_flip(differences, seed=2) == 2 / 2**20


def test_drawn_flips_agree_with_counted_ones() -> None:
    differences = np.random.default_rng(5).normal(0.15, 0.5, 20)
    exact = sign_flip(differences)
    padded = np.concatenate((differences, np.full(1, 1e-12)))  # the 21st makes it draw and changes nothing
    assert sign_flip(padded, draws=20_000, seed=3) == pytest.approx(exact, abs=0.015)


def test_flips_of_nothing() -> None:
    assert np.isnan(sign_flip(np.array([])))
    assert np.isnan(sign_flip(np.array([1.0, np.nan])))
    assert sign_flip(np.zeros(30)) == 1.0


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_is_scipys_binomial_test(wins: int, losses: int) -> None:
    wanted = scipy.binomtest(wins, wins + losses).pvalue if wins + losses else 1.0
    assert mcnemar(wins, losses) == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize(("wins", "losses"), [(1200, 1300), (400, 800), (30_000, 30_400)])
def test_mcnemar_of_many(wins: int, losses: int) -> None:
    assert mcnemar(wins, losses) == pytest.approx(scipy.binomtest(wins, wins + losses).pvalue, rel=1e-6)


def test_mcnemar_is_the_exact_sign_flip_of_a_yes_or_no() -> None:
    for wins, losses in itertools.product(range(7), range(7)):
        differences = np.array([1.0] * wins + [-1.0] * losses + [0.0] * 5)
        assert mcnemar(wins, losses) == pytest.approx(sign_flip(differences))


def test_holm() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx((0.03, 0.06, 0.06, 0.02))
    assert holm([]) == ()


@given(st.lists(st.floats(0, 1), max_size=12))
def test_holm_never_lowers_and_keeps_the_order(ps: list[float]) -> None:
    found = holm(ps)
    assert all(p <= adjusted <= 1 for p, adjusted in zip(ps, found, strict=True))
    assert all(found[a] <= found[b] for a in range(len(ps)) for b in range(len(ps)) if ps[a] < ps[b])


def test_a_figure_that_is_none_still_counts_as_one_of_the_family() -> None:
    found = holm([0.02, float("nan")])
    assert found[0] == 0.04
    assert np.isnan(found[1])


# Bootstrap


def test_bootstrap_is_scipys() -> None:
    values = np.random.default_rng(1).beta(4, 2, 80)
    own = percentile_interval(Resamples(80, 7).means(values, np.arange(80)))
    wanted = scipy.bootstrap((values,), np.mean, method="percentile", n_resamples=9999, random_state=1)
    assert own == pytest.approx(tuple(wanted.confidence_interval), abs=0.004)


def test_families_are_drawn_as_a_whole() -> None:
    values = np.repeat([0.2, 0.4, 0.6, 0.8, 1.0, 0.0], 20)
    alone = percentile_interval(Resamples(120, 0).means(values, np.arange(120)))
    together = percentile_interval(Resamples(6, 0).means(values, np.repeat(np.arange(6), 20)))
    assert alone is not None
    assert together is not None
    assert together[1] - together[0] > 3 * (alone[1] - alone[0])


def test_one_matrix_for_all_metrics_and_slices() -> None:
    random = np.random.default_rng(2)
    table, clusters = random.random((50, 3)), random.integers(0, 10, 50)
    table[::4, 1] = np.nan
    shared = Resamples(10, 3, 400)
    all_at_once = shared.means(table, clusters)
    for metric in range(3):
        known = ~np.isnan(table[:, metric])
        alone = shared.means(table[known, metric], clusters[known])
        np.testing.assert_allclose(all_at_once[:, metric], alone)
    np.testing.assert_array_equal(all_at_once, Resamples(10, 3, 400).means(table, clusters))


def test_resamples_stay_small_with_many_families() -> None:
    assert Resamples(1_000, 0).count == 10_000
    assert Resamples(100_000, 0).count == 400
    assert Resamples(100_000, 0, 50).count == 50


def test_quantiles() -> None:
    values = np.arange(1.0, 21.0)
    assert [quantile(values, share) for share in (0.5, 0.95, 0.99)] == [10.0, 19.0, 20.0]
    draws = Resamples(20, 0, 2000).quantiles(values, np.arange(20), [0.5])[:, 0]
    wanted = np.quantile(np.random.default_rng(0).choice(values, (2000, 20)), 0.5, axis=1, method="inverted_cdf")
    assert float(draws.mean()) == pytest.approx(float(wanted.mean()), abs=0.3)
    assert percentile_interval(np.array([np.nan, np.nan])) is None


def test_design_effect() -> None:
    alike = np.repeat([1.0, 0.0, 1.0, 0.0, 1.0, 1.0], 10)
    assert design_effect(alike, np.repeat(np.arange(6), 10)) > 8
    assert design_effect(alike, np.arange(60)) == pytest.approx(1, abs=0.05)
    assert design_effect(np.ones(9), np.arange(9) // 3) == 1


def test_rates_and_sums() -> None:
    assert is_rate(np.array([0.0, 1.0]))
    assert not is_rate(np.array([0.0, 0.5]))
    assert cluster_sums(np.array([1.0, 2.0, 4.0]), np.array([7, 3, 7])).tolist() == [2.0, 5.0]


# Resolution


@pytest.mark.parametrize(("drop", "about"), [(0.02, 1200), (0.05, 280), (0.10, 110)])
def test_cases_that_a_drop_needs(drop: float, about: int) -> None:
    assert cases_needed(drop) == pytest.approx(about, rel=0.03)
    assert smallest_drop(cases_needed(drop)) == pytest.approx(drop, abs=0.001)


def test_that_many_cases_have_80_percent_power() -> None:
    """5 points down with 2 % opposite flips on 281 cases: an exact test finds it in some 75 to 85 of 100 runs."""
    random = np.random.default_rng(11)
    flips = random.multinomial(281, [0.07, 0.02, 0.91], 4000)
    found = np.mean([mcnemar(int(wins), int(losses)) <= 0.05 for losses, wins, _ in flips])
    assert 0.72 <= found <= 0.86


@given(st.integers(4, 5000))
def test_more_cases_show_smaller_drops(n: int) -> None:
    now, then = smallest_drop(n), smallest_drop(n + 1)
    assert now is not None
    assert then is not None
    assert 0 < then <= now <= 1


def test_too_few_to_show_anything() -> None:
    assert smallest_drop(0) is None
    assert smallest_drop(1) is None
    assert smallest_shown(0.0) == 0
    with pytest.raises(ValueError, match="no drop"):
        cases_needed(0)
