"""What each number of `LearnConfig` does to what is learned, where one can say in which direction."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.config import LearnConfig
from keysift.keywords.beliefs import AMBIGUOUS, FITS, UNCLEAR, Belief, agreed, beliefs
from keysift.learn.corrections import correct, with_answers
from keysift.learn.self_training import self_train
from keysift.learn.view_fit import FitPlan, ViewFit, fit_view, fuse
from tests.learn.numbers import EVEN, PLAN, Numbers, two_views

Vector = NDArray[np.float64]
NOTHING = np.zeros(300)


def planned(**changes: Any) -> FitPlan:
    return replace(PLAN, config=replace(PLAN.config, **changes))


def length(fits: dict[str, ViewFit]) -> float:
    """Of the coefficients before scores were standardised."""
    return float(sum(np.linalg.norm(fit.coef * fit.deviation) for fit in fits.values()))


def fit_all(views: dict[str, Numbers], strength: Vector, plan: FitPlan = PLAN) -> dict[str, ViewFit]:
    config = plan.config
    return {name: fit_view(view, strength, plan, l2=config.l2, steps=config.max_iter) for name, view in views.items()}


def case(seed: int = 0) -> tuple[NDArray[np.bool_], Vector, NDArray[np.int8]]:
    rng = np.random.default_rng(seed)
    truth = rng.random(300) < 0.4
    strength = (rng.random(300) < np.where(truth, 0.3, 0.1)).astype(np.float64)
    return truth, strength, np.where(np.arange(300) < 60, truth, -1).astype(np.int8)


def test_a_larger_penalty_makes_smaller_coefficients() -> None:
    truth, strength, _ = case()
    views = two_views(truth, 1.0, np.random.default_rng(0))
    lengths = [length(fit_all(views, strength, planned(l2=l2))) for l2 in (0.05, 0.15, 1.0)]
    assert lengths == sorted(lengths, reverse=True)
    base = fit_all(views, strength)
    rounds = [
        length(self_train(views, base, strength, EVEN, NOTHING, planned(round_l2=l2, rounds=2)))
        for l2 in (0.01, 0.04, 1.0)
    ]
    assert rounds == sorted(rounds, reverse=True)


def test_added_documents_pull_by_their_weight() -> None:
    """Keywords lie along the first axis; documents that self-training adds also lie along the second."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 2))
    X[:40, 0] += 4.0
    X[40:90] += (3.0, 3.0)
    views, strength = {"only": Numbers(X - X.mean(axis=0))}, (np.arange(300) < 40).astype(np.float64)
    base = fit_all(views, strength)
    turned = []
    for weight in (0.05, 0.5, 3.0):
        plan = planned(added_weight=weight, rounds=1)
        coef = self_train(views, base, strength, {"only": 1.0}, NOTHING, plan)["only"].coef
        turned.append(float(coef[1] / coef[0]))
    assert turned == sorted(turned)
    assert turned[-1] > turned[0] + 0.05


def test_answers_pull_by_their_weight() -> None:
    truth, strength, answers = case()
    views = two_views(truth, 0.8, np.random.default_rng(0))
    opposed = np.where(answers >= 0, 1 - answers, answers).astype(np.int8)  # against the rest, so that it shows
    gaps = []
    for weight in (0.1, 1.0, 10.0):
        scores = fuse(fit_all(views, with_answers(strength, opposed, weight)), EVEN)
        gaps.append(float(scores[opposed == 1].mean() - scores[opposed == 0].mean()))
    assert gaps == sorted(gaps)
    assert gaps[-1] > gaps[0] + 0.1


def test_the_penalty_of_the_trust_keeps_the_ranking_of_misleading_keywords() -> None:
    truth, _, answers = case()
    views = two_views(truth, 1.0, np.random.default_rng(0))
    base = fit_all(views, (~truth).astype(np.float64))
    kept = []
    for l2 in (0.2, 2.0, 200.0):
        fits = correct(views, base, EVEN, answers, planned(trust_l2=l2))
        kept.append(float(np.corrcoef(fuse(fits, EVEN), fuse(base, EVEN))[0, 1]))
    assert max(kept[:2]) < 0 < kept[-1]


def test_the_start_of_the_answers_is_how_far_a_first_one_moves_the_ranking() -> None:
    truth, strength, answers = case()
    views = two_views(truth, 1.0, np.random.default_rng(0))
    base = fit_all(views, strength)
    first = np.where(np.arange(300) == np.flatnonzero(answers == 1)[0], 1, -1).astype(np.int8)
    like = []
    for start in (0.0, 0.2, 1.0):
        fits = correct(views, base, EVEN, first, planned(answers_start=start, trust_l2=1e6))
        like.append(float(np.corrcoef(fuse(fits, EVEN), fuse(base, EVEN))[0, 1]))
    assert like == sorted(like, reverse=True)
    assert like[0] == pytest.approx(1.0)


def test_a_penalty_keeps_the_score_by_answers_near_the_mean_difference() -> None:
    truth, strength, answers = case()
    views = two_views(truth, 1.0, np.random.default_rng(0))
    base = {name: replace(fit, scores=0 * fit.scores) for name, fit in fit_all(views, strength).items()}
    said = answers >= 0
    like = []
    for l2 in (0.5, 5.0, 5000.0):
        fits = correct(views, base, EVEN, answers, planned(correction_l2=l2, unread_weight=0.0, correction_tol=1e-9))
        X = views["near"].X
        means = X[said & truth].mean(axis=0) - X[said & ~truth].mean(axis=0)
        like.append(float(np.corrcoef(fits["near"].scores, X @ means)[0, 1]))
    assert like == sorted(like)
    assert like[-1] == pytest.approx(1.0, abs=1e-6)


def test_more_steps_come_nearer_to_the_minimum() -> None:
    truth, strength, _ = case()
    views = two_views(truth, 1.0, np.random.default_rng(0))
    late = fit_all(views, strength)["near"].history
    for changes in ({"max_iter": 1}, {"tol": 0.05}):
        early = fit_all(views, strength, planned(**changes))["near"].history
        assert early is not None
        assert late is not None
        assert early.steps < late.steps
        assert early.gradient_norm[-1] > late.gradient_norm[-1]


def test_ambiguous_is_less_than_this_share_as_far_above_chance() -> None:
    occurrences = sp.csr_array(np.repeat(np.eye(3), 400, axis=0))
    places = np.repeat([0.9, 0.9, 0.75], 400)
    for share, verdict in ((0.5, FITS), (0.6, FITS), (0.7, AMBIGUOUS)):
        assert beliefs(occurrences, places, LearnConfig(ambiguous_below=share))[2].verdict == verdict


def test_keywords_agree_from_this_median_on() -> None:
    found = [Belief(0.65, 90, FITS), Belief(0.64, 80, FITS)]
    assert [one.verdict for one in agreed(found, LearnConfig(agreement=0.64))] == [FITS, FITS]
    assert [one.verdict for one in agreed(found, LearnConfig(agreement=0.66))] == [UNCLEAR, UNCLEAR]


def test_fewer_documents_say_nothing_about_a_keyword() -> None:
    occurrences = sp.csr_array(np.ones((7, 1)))
    verdicts = [
        beliefs(occurrences, np.full(7, 0.9), LearnConfig(fewest_documents=least))[0].verdict for least in (7, 8)
    ]
    assert verdicts == [FITS, "too few documents"]
