import json
from dataclasses import asdict
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.special import expit

from keysift.decide.posterior import Interval, Posterior, expected_from, recalibrated, through_mean

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
    return through_mean(knots, chances, scores, priors, "a test"), scores, priors


@given(posteriors())
def test_the_mean_over_the_training_scores_is_the_prior(
    case: tuple[Posterior, NDArray[np.float64], Interval],
) -> None:
    posterior, scores, priors = case
    means = [posterior.at(scores, row).mean() for row in range(3)]
    assert means == pytest.approx([priors.low, priors.value, priors.high], rel=1e-8)


@given(posteriors())
def test_chances_rise_with_the_score_and_with_the_prior(
    case: tuple[Posterior, NDArray[np.float64], Interval],
) -> None:
    posterior, scores, _ = case
    wide = np.sort(np.concatenate([scores, [scores.min() - 1, scores.max() + 1], scores + 0.3]))
    rows = np.stack([posterior.at(wide, row) for row in range(3)])
    assert (np.diff(rows, axis=1) >= 0).all()
    assert (np.diff(rows, axis=0) >= -1e-12).all()
    assert (rows >= 0).all()
    assert (rows <= 1).all()


@given(posteriors(), SHARES, SHARES)
def test_another_prior_and_back(case: tuple[Posterior, NDArray[np.float64], Interval], old: float, new: float) -> None:
    posterior, _, _ = case
    assert posterior.for_prior(old, old).chances == pytest.approx(posterior.chances, rel=1e-9)
    there = posterior.for_prior(old, new)
    assert there.for_prior(new, old).chances == pytest.approx(posterior.chances, rel=1e-6, abs=1e-12)
    if new > old:
        assert (there.chances >= posterior.chances - 1e-12).all()


def test_another_prior_is_the_rule_of_bayes() -> None:
    """Two normal classes: the chance with another prior is what Bayes says with it."""
    scores = np.linspace(-3, 3, 50)

    def bayes(prior: float) -> NDArray[np.float64]:
        relevant, other = prior * np.exp(-((scores - 1) ** 2) / 2), (1 - prior) * np.exp(-((scores + 1) ** 2) / 2)
        return np.tile(relevant / (relevant + other), (3, 1))

    posterior = Posterior(scores, bayes(0.2), "a test").for_prior(0.2, 0.6)
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


def test_expected_by_hand() -> None:
    chances = np.array([[0.0, 0.2, 0.4], [0.1, 0.5, 0.9], [0.2, 0.8, 1.0]])
    expected = Posterior(np.arange(3.0), chances, "a test").expected(np.array([2.0, 0.0, 1.0, 1.0]), 0.5)
    assert (expected.threshold, expected.count) == (0.5, 3)
    assert expected.precision == pytest.approx((1.9 / 3, 0.8 / 3, 2.6 / 3))
    assert expected.recall == pytest.approx((1.9 / 2.0, 2.6 / 2.8, 1.0))
    assert expected.f1 == pytest.approx((3.8 / 5, 1.6 / 3.8, 5.2 / 5.8))


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
        posterior = Posterior(np.array([score]), np.full((3, 1), 0.5), "a test")
        sweep = posterior.sweep(np.full(documents, score))
        assert sweep["count"].to_list() == [documents]
        assert sweep["precision"].to_list() == [0.5]


def test_a_rare_class_stays_rare() -> None:
    scores = np.arange(10.0)
    posterior = through_mean(scores, np.full(10, 0.5), scores, Interval(2e-4, 0.0, 1.0), "a test")
    assert posterior.at(scores).mean() == pytest.approx(2e-4)
    assert 0 < posterior.at(scores, 0).mean() < 1e-5
    assert 1 - 1e-5 < posterior.at(scores, 2).mean() < 1


def audited(slope: float, documents: int = 4000) -> tuple[NDArray[np.float64], NDArray[np.int8], Posterior]:
    """Scores whose log odds are `slope` times what the posterior says, and answers."""
    rng = np.random.default_rng(0)
    scores = rng.normal(scale=2, size=documents)
    answers = (rng.random(documents) < expit(slope * scores)).astype(np.int8)
    knots = np.linspace(-10, 10, 201)
    return scores, answers, Posterior(knots, np.tile(expit(knots), (3, 1)), "a test")


@pytest.mark.parametrize("slope", [0.5, 1.0, 2.0])
def test_answers_stretch_the_posterior(slope: float) -> None:
    scores, answers, posterior = audited(slope)
    share = float(answers.mean())
    priors = Interval(share, share - 0.1, share + 0.1)
    sample = slice(0, 1000)
    stretched = recalibrated(posterior, scores[sample], answers[sample], np.ones(1000), scores, priors, "1,000 answers")
    truth = expit(slope * scores)
    assert np.abs(stretched.at(scores) - truth).mean() < 0.02
    assert stretched.basis == "1,000 answers"
    means = [stretched.at(scores, row).mean() for row in range(3)]
    assert means == pytest.approx([priors.low, priors.value, priors.high])


def test_an_answer_of_weight_two_is_two_answers() -> None:
    scores, answers, posterior = audited(0.6, 60)
    priors = Interval(0.4, 0.3, 0.5)
    twice = np.arange(60) % 3 == 0
    places = np.concatenate([np.arange(60), np.flatnonzero(twice)])
    # The penalty holds the slope as if the weights had a mean of one.
    weighted = recalibrated(posterior, scores, answers, 1.0 + twice, scores, priors, "a")
    ordinary = recalibrated(posterior, scores, answers, np.ones(60), scores, priors, "a")
    repeated = recalibrated(posterior, scores[places], answers[places], np.ones(80), scores, priors, "a")
    assert weighted.at(scores) == pytest.approx(repeated.at(scores), abs=0.01)
    assert (
        np.abs(weighted.at(scores) - repeated.at(scores)).max()
        < np.abs(weighted.at(scores) - ordinary.at(scores)).max()
    )


@pytest.mark.parametrize("answer", [0, 1])
def test_answers_of_one_kind_and_answers_upside_down_keep_the_order(answer: int) -> None:
    scores, answers, posterior = audited(1.0, 200)
    priors = Interval(0.3, 0.2, 0.4)
    for given_answers in (np.full(200, answer, dtype=np.int8), (1 - answers).astype(np.int8)):
        new = recalibrated(posterior, scores, given_answers, np.ones(200), scores, priors, "a")
        assert np.isfinite(new.chances).all()
        assert (np.diff(new.chances, axis=1) >= 0).all()
        assert new.chances[1, -1] > new.chances[1, 0]


def test_expected_is_the_same_from_a_file() -> None:
    scores = np.random.default_rng(0).normal(size=50)
    posterior = through_mean(np.sort(scores), np.linspace(0, 1, 50), scores, Interval(0.3, 0.2, 0.4), "a test")
    expected = posterior.expected(scores, 0.1)
    assert expected_from(json.loads(json.dumps(asdict(expected)))) == expected
