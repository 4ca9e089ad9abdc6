from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.special import logit

from keysift.decide.cuts import AtPrior, CutRule, MaxF1, Top, cut_rule
from keysift.decide.decisions import Decisions, cut_again, decide_others, make_decisions, with_prior
from keysift.decide.posterior import Interval
from keysift.decide.prior import PriorEstimate
from tests.decide.cases import means_of, three_curves

RULES: list[Any] = ["prior", "max_f1", ("precision", 0.55), ("recall", 0.6), ("top", 5), 0.3]
SHARES = st.floats(0.01, 0.99)


def scores_of(number: int = 60, seed: int = 0) -> NDArray[np.float64]:
    return np.random.default_rng(seed).normal(size=number)


def decisions_of(rule: CutRule, prior: float = 0.3, number: int = 60) -> Decisions:
    scores = scores_of(number)
    estimate = PriorEstimate(prior, prior / 2, (1 + prior) / 2, "audit", "a test")
    knots = np.sort(scores)
    posterior = three_curves(knots, np.linspace(0.01, 0.99, number), scores, estimate.interval)
    return make_decisions(scores, estimate, posterior, rule)


@pytest.mark.parametrize("rule", RULES)
def test_documents_above_the_threshold_are_positive_but_for_empty_ones(rule: Any) -> None:
    decisions, scores = decisions_of(cut_rule(rule)), scores_of()
    positive = decisions.positive(scores)
    assert positive.tolist() == (scores > decisions.threshold).tolist()
    assert decisions.expected == decisions.posterior.expected(scores, decisions.threshold)
    assert decisions.expected.count == positive.sum()
    empty = np.arange(60) % 2 == 0
    assert decisions.positive(scores, empty).tolist() == (positive & ~empty).tolist()


@pytest.mark.parametrize("first", RULES)
@pytest.mark.parametrize("second", RULES)
def test_another_rule_is_the_rule_from_the_start(first: Any, second: Any) -> None:
    again, expected = (
        cut_again(decisions_of(cut_rule(first)), scores_of(), cut_rule(second)),
        decisions_of(cut_rule(second)),
    )
    assert (again.threshold, again.expected, again.prior) == (expected.threshold, expected.expected, expected.prior)
    assert again.rule == cut_rule(second)


@given(prior=SHARES)
def test_another_prior_becomes_the_mean_of_the_chances(prior: float) -> None:
    before = decisions_of(AtPrior())
    chances = before.posterior.chances.copy()
    again = cut_again(before, scores_of(), MaxF1(), prior)
    assert again.posterior.at(scores_of()).mean() == pytest.approx(prior, rel=1e-6)
    assert again.prior == PriorEstimate(prior, prior, prior, "given", "as given")
    assert before.posterior.chances.tolist() == chances.tolist()
    assert before.prior.value == 0.3
    counts = [cut_again(before, scores_of(), AtPrior(), share).expected.count for share in (prior / 2, prior)]
    assert counts == sorted(counts)


@given(prior=SHARES)
def test_other_documents_keep_what_a_score_tells(prior: float) -> None:
    """Only the prior odds change: the odds of every score are multiplied by the same factor."""
    before = decisions_of(AtPrior())
    new = scores_of(30, seed=1)
    there = decide_others(before, new, AtPrior(), prior)
    moved = logit(there.posterior.chances) - logit(before.posterior.chances)
    assert moved == pytest.approx(np.repeat(moved[:, :1], moved.shape[1], axis=1), abs=1e-4)
    assert moved[1, 0] == pytest.approx(logit(prior) - logit(0.3), abs=1e-4)
    assert there.prior.value == prior
    assert abs(there.positive(new).sum() - prior * 30) <= 0.5 + 1e-9


def test_the_bounds_of_a_prior_are_those_of_the_chances() -> None:
    before = decisions_of(Top(3))
    bounds = PriorEstimate(0.4, 0.2, 0.7, "audit", "a test")
    posterior = with_prior(before.posterior, bounds, scores_of(), "told")
    low, value, high = means_of(posterior, scores_of())
    assert value == pytest.approx(0.4)
    assert 0.2 < low < value < high < 0.7  # of few curves none is at the very end
    assert posterior.basis == "told"
    assert with_prior(before.posterior, bounds, scores_of()).basis == before.posterior.basis
    assert bounds.interval == Interval(0.4, 0.2, 0.7)
