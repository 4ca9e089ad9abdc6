"""Decisions about a ranking: how many documents are relevant, where to cut, and what to expect of the cut."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from keysift.decide.cuts import CutRule
from keysift.decide.posterior import Expected, Posterior, through_mean
from keysift.decide.prior import PriorEstimate


@dataclass(frozen=True, eq=False)
class Decisions:
    """Where the ranking is cut, why, and what to expect.

    >>> prior = PriorEstimate(0.5, 0.5, 0.5, "given", "as given")
    >>> scores = np.array([2.0, 1.0, 0.0])
    >>> posterior = Posterior(np.array([0.0, 2.0]), np.tile([0.1, 0.9], (3, 1)), "an example")
    >>> from keysift.decide.cuts import Top
    >>> decisions = make_decisions(scores, prior, posterior, Top(1))
    >>> decisions.threshold, decisions.positive(scores).tolist()
    (1.5, [True, False, False])
    """

    prior: PriorEstimate
    posterior: Posterior
    """For every score, the chance that a document with it is relevant."""
    rule: CutRule
    threshold: float
    """A document is positive when its score is above it."""
    expected: Expected
    """What to expect of the cut on the documents it was made for."""

    def positive(self, scores: NDArray[np.float64], empty: NDArray[np.bool_] | None = None) -> NDArray[np.bool_]:
        """Which documents are above the cut; an empty one never is, however low the threshold."""
        above = scores > self.threshold
        return above if empty is None else above & ~empty


def make_decisions(scores: NDArray[np.float64], prior: PriorEstimate, posterior: Posterior, rule: CutRule) -> Decisions:
    """Cut documents with these scores by a rule."""
    threshold = rule.threshold(scores, prior.value, posterior)
    return Decisions(prior, posterior, rule, threshold, posterior.expected(scores, threshold))


def with_prior(posterior: Posterior, prior: PriorEstimate, scores: NDArray[np.float64], basis: str = "") -> Posterior:
    """The same chances, made to agree with another prior."""
    basis = basis or posterior.basis
    return through_mean(posterior.scores, posterior.chances[1], scores, prior.interval, basis)


def cut_again(
    decisions: Decisions, scores: NDArray[np.float64], rule: CutRule, prior: float | None = None
) -> Decisions:
    """Cut the documents of the fit again, by another rule or for another prior; nothing is learned.

    With a prior the chances are made to agree with it, as in a fit with that prior: it becomes their mean.
    """
    if prior is None:
        return make_decisions(scores, decisions.prior, decisions.posterior, rule)
    given = _given(prior)
    return make_decisions(scores, given, with_prior(decisions.posterior, given, scores), rule)


def decide_others(decisions: Decisions, scores: NDArray[np.float64], rule: CutRule, prior: float) -> Decisions:
    """Cut other documents by their own prior: what a score tells stays, only the prior odds change."""
    return make_decisions(scores, _given(prior), decisions.posterior.for_prior(decisions.prior.value, prior), rule)


def _given(prior: float) -> PriorEstimate:
    return PriorEstimate(prior, prior, prior, "given", "as given")
