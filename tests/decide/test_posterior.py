import json
from dataclasses import asdict, replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import expit, logit

from keysift.decide.posterior import LEAST, Expected, Interval, Posterior, masses, quantiles, through_means
from keysift.files.typed import restored
from tests.decide.cases import means_of, three_curves

SHARES = st.floats(0.005, 0.995)
SCORES = st.lists(st.one_of(st.floats(-50, 50), st.integers(-3, 3).map(float)), min_size=1, max_size=40).map(np.array)


@st.composite
def posteriors(draw: st.DrawFn) -> tuple[Posterior, NDArray[np.float64], Interval]:
    """A posterior over some scores, with ties, through three priors."""
    scores = draw(SCORES)
    knots = np.unique(scores)
    chances = np.sort(draw(st.lists(st.floats(0, 1), min_size=len(knots), max_size=len(knots))))
    low, value, high = sorted(draw(st.tuples(SHARES, SHARES, SHARES)))
    priors = Interval(value, low, high)
    return three_curves(knots, chances, scores, priors), scores, priors


@given(posteriors())
def test_the_mean_over_the_training_scores_is_the_prior(
    case: tuple[Posterior, NDArray[np.float64], Interval],
) -> None:
    posterior, scores, priors = case
    wanted = [priors.low, priors.value, priors.high]
    assert means_of(posterior, scores) == pytest.approx(wanted, rel=1e-8, abs=2 * LEAST)  # no chance is below LEAST
    assert posterior.at(scores).mean() == pytest.approx(np.mean(posterior.priors))


@given(posteriors())
def test_chances_rise_with_the_score_and_with_the_prior(
    case: tuple[Posterior, NDArray[np.float64], Interval],
) -> None:
    posterior, scores, _ = case
    wide = np.sort(np.concatenate([scores, [scores.min() - 1, scores.max() + 1], scores + 0.3]))
    rows = np.stack([np.interp(wide, posterior.scores, curve) for curve in posterior.chances])
    assert (np.diff(rows, axis=1) >= 0).all()
    assert (np.diff(rows, axis=0) >= -1e-12).all()
    assert (rows >= 0).all()
    assert (rows <= 1).all()


@given(posteriors(), SHARES)
def test_another_prior_moves_all_odds_of_a_curve_alike(
    case: tuple[Posterior, NDArray[np.float64], Interval], prior: float
) -> None:
    posterior, _, _ = case
    there = posterior.for_prior(prior)
    moved = logit(there.chances) - logit(posterior.chances)
    assert moved == pytest.approx(
        np.repeat((logit(prior) - logit(posterior.priors))[:, None], moved.shape[1], 1), abs=1e-4
    )
    assert there.priors.tolist() == [prior] * 3


@given(posteriors(), SHARES, SHARES)
def test_curves_moved_to_other_priors_have_them(
    case: tuple[Posterior, NDArray[np.float64], Interval], one: float, other: float
) -> None:
    posterior, scores, _ = case
    low, high = sorted((one, other))
    moved = posterior.moved(scores, np.array([low, (low + high) / 2, high]), "told")
    assert means_of(moved, scores) == pytest.approx([low, (low + high) / 2, high], rel=1e-8)
    assert (moved.basis, posterior.basis) == ("told", "a test")


def test_another_prior_is_the_rule_of_bayes() -> None:
    """Two normal classes: the chance with another prior is what Bayes says with it."""
    scores = np.linspace(-3, 3, 50)

    def bayes(prior: float) -> NDArray[np.float64]:
        relevant, other = prior * np.exp(-((scores - 1) ** 2) / 2), (1 - prior) * np.exp(-((scores + 1) ** 2) / 2)
        return np.asarray(relevant / (relevant + other))[None, :]

    posterior = Posterior(scores, bayes(0.2), np.array([0.2]), 0.0, "a test").for_prior(0.6)
    assert posterior.chances == pytest.approx(bayes(0.6), rel=1e-9)


@given(posteriors())
def test_going_down_precision_falls_and_recall_rises(
    case: tuple[Posterior, NDArray[np.float64], Interval],
) -> None:
    posterior, scores, _ = case
    cuts = [float(scores.max()), *(float(np.nextafter(score, -np.inf)) for score in np.unique(scores)[::-1])]
    rows = [posterior.expected(scores, cut) for cut in cuts]
    assert rows[0].count == 0
    assert rows[0].precision == rows[0].recall == rows[0].f1 == (0, 0, 0)
    for upper, lower in pairwise(rows[1:]):
        assert upper.count < lower.count
        assert upper.precision.value >= lower.precision.value - 1e-12
        assert upper.recall.value <= lower.recall.value + 1e-12
    for row in rows:
        for interval in (row.precision, row.recall, row.f1):
            assert interval.low <= interval.value <= interval.high
            assert interval.low >= 0
            assert interval.high <= 1 + 1e-12
    assert rows[-1].count == len(scores)
    assert rows[-1].recall == pytest.approx((1, 1, 1))


@settings(max_examples=50)
@given(posteriors(), st.lists(st.floats(-5, 5), min_size=1, max_size=8))
def test_many_cuts_at_once_are_the_same_as_one_by_one(
    case: tuple[Posterior, NDArray[np.float64], Interval], cuts: list[float]
) -> None:
    posterior, scores, _ = case
    falling = np.sort([*cuts, float(scores.max()), float(scores.min())])[::-1]
    for together, alone in zip(
        posterior.expected_at(scores, falling), (posterior.expected(scores, cut) for cut in falling), strict=True
    ):
        assert (together.threshold, together.count) == (alone.threshold, alone.count)
        for name in ("precision", "recall", "f1"):
            assert getattr(together, name) == pytest.approx(getattr(alone, name), abs=1e-9)


def test_expected_by_hand() -> None:
    chances = np.array([[0.0, 0.2, 0.4], [0.1, 0.5, 0.9], [0.2, 0.8, 1.0]])
    posterior = Posterior(np.arange(3.0), chances, np.array([0.2, 0.5, 0.7]), 0.0, "a test")
    expected = posterior.expected(np.array([2.0, 0.0, 1.0, 1.0]), 0.5)
    assert (expected.threshold, expected.count) == (0.5, 3)
    assert expected.precision == pytest.approx((5.3 / 9, 0.8 / 3, 2.6 / 3))
    assert expected.recall == pytest.approx((5.3 / 5.6, 2.6 / 2.8, 1.0))
    assert expected.f1 == pytest.approx((10.6 / 14.6, 1.6 / 3.8, 5.2 / 5.8))
    narrow = replace(posterior, tail=0.5).expected(np.array([2.0, 0.0, 1.0, 1.0]), 0.5)
    assert narrow.precision == pytest.approx((5.3 / 9, 5.3 / 9, 1.9 / 3))  # the median of the curves, and the value


@settings(max_examples=50)
@given(posteriors(), st.integers(2, 30))
def test_the_sweep_goes_from_the_top_to_the_end(
    case: tuple[Posterior, NDArray[np.float64], Interval], points: int
) -> None:
    posterior, scores, _ = case
    sweep = posterior.sweep(scores, points)
    counts, cuts = sweep["count"].to_list(), sweep["cut"].to_list()
    assert 1 <= len(sweep) <= max(points, 2)
    assert counts == sorted(set(counts))
    assert cuts == sorted(set(cuts), reverse=True)
    assert counts == [int((scores > cut).sum()) for cut in cuts]
    assert counts[0] == (scores == scores.max()).sum()
    assert counts[-1] == len(scores)
    for name in ("precision", "recall", "f1"):
        assert (sweep[f"{name}_low"] <= sweep[name]).all()
        assert (sweep[name] <= sweep[f"{name}_high"]).all()
    row = posterior.expected(scores, cuts[0])
    assert sweep.row(0)[2:5] == (row.precision.value, row.precision.low, row.precision.high)


@pytest.mark.parametrize("documents", [1, 3, 100])
def test_a_sweep_of_equal_scores_is_one_cut_below_them(documents: int) -> None:
    for score in (0.0, 0.1, 1.0, -3.0, 1e300):
        posterior = Posterior(np.array([score]), np.full((3, 1), 0.5), np.full(3, 0.5), 0.0, "a test")
        sweep = posterior.sweep(np.full(documents, score))
        assert sweep["count"].to_list() == [documents]
        assert sweep["precision"].to_list() == [0.5]


def test_a_rare_class_stays_rare() -> None:
    scores = np.arange(10.0)
    posterior = three_curves(scores, np.full(10, 0.5), scores, Interval(2e-4, 0.0, 1.0))
    low, value, high = means_of(posterior, scores)
    assert value == pytest.approx(2e-4)
    assert 0 < low < 1e-5
    assert 1 - 1e-5 < high < 1


@given(SCORES, st.lists(st.floats(-60, 60), min_size=1, max_size=9, unique=True))
def test_masses_are_the_mean_of_interpolation(scores: NDArray[np.float64], knots: list[float]) -> None:
    at = np.sort(knots)
    chances = np.linspace(0.1, 0.7, len(at)) ** 2
    assert masses(scores, at) @ chances == pytest.approx(np.interp(scores, at, chances).mean())
    assert masses(np.array([]), at).tolist() == [0.0] * len(at)


@given(st.lists(st.floats(-30, 30), min_size=1, max_size=9), SHARES)
def test_the_shift_is_the_one_that_a_root_finder_finds(odds: list[float], mean: float) -> None:
    row = np.array(odds)
    mass = np.full(len(row), 1 / len(row))
    shift = brentq(lambda one: float(expit(row + one) @ mass) - mean, -60, 60, xtol=1e-12)
    assert through_means(row[None, :], mass, np.array([mean]))[0] == pytest.approx(expit(row + shift), abs=1e-6)


@given(st.lists(st.integers(1, 4), min_size=2, max_size=9))
def test_weighted_quantiles_are_those_of_repeated_values(times: list[int]) -> None:
    values, counts = np.arange(float(len(times))), np.array(times)
    middle = quantiles(values, counts.astype(np.float64), np.array([0.5]))[0]
    repeated = np.repeat(values, counts)
    assert (repeated < middle - 1).mean() <= 0.5 <= (repeated <= middle + 1).mean()
    assert quantiles(values, np.ones(len(values)), np.array([0.5]))[0] == pytest.approx(np.median(values))


def test_expected_is_the_same_from_a_file() -> None:
    scores = np.random.default_rng(0).normal(size=50)
    posterior = three_curves(np.sort(scores), np.linspace(0, 1, 50), scores, Interval(0.3, 0.2, 0.4))
    expected = posterior.expected(scores, 0.1)
    assert restored(Expected, json.loads(json.dumps(asdict(expected))), "expected") == expected
