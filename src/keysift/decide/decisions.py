"""Decisions about a ranking: how many documents are relevant, where to cut, and what to expect of the cut."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from keysift.decide.curves import known, usual
from keysift.decide.cuts import CutRule
from keysift.decide.odds import expit, logit
from keysift.decide.posterior import RAREST, Expected, Interval, Posterior
from keysift.decide.prior import GUESSED, PriorEstimate, given_prior


@dataclass(frozen=True, eq=False)
class Decisions:
    """Where the ranking is cut, why, and what to expect.

    >>> scores = np.array([2.0, 1.0, 0.0])
    >>> posterior = Posterior(np.array([0.0, 2.0]), np.array([[0.1, 0.9]]), np.array([0.5]), 0.0, "an example")
    >>> from keysift.decide.cuts import Top
    >>> decisions = make_decisions(scores, given_prior(0.5), posterior, Top(1))
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
    # A prior that is only a guess is no place to cut: the best cut over all that may be true is.
    share = posterior.best_share(scores) if prior.basis == "estimate" else prior.value
    threshold = rule.threshold(scores, share, posterior)
    return Decisions(prior, posterior, rule, threshold, posterior.expected(scores, threshold))


def decide_by(
    asked: float | str,
    scores: NDArray[np.float64],
    holders: int,
    rule: CutRule,
    measured: bool,
    before: tuple[Interval, Posterior] | None = None,
) -> Decisions:
    """The decisions for the prior that was asked for: a number, "heuristic" (the share of `holders`) or "estimate".

    `measured` tells whether the engine that ranked is the one whose intervals were measured; `before` is what is usual
    for these scores, if you have it already.
    """
    if isinstance(asked, float):
        prior, posterior = given_prior(asked), known(scores, asked)
    else:
        common, posterior = before or usual(scores)
        prior = PriorEstimate(*common, "estimate", GUESSED)
        if asked == "heuristic":
            share = holders / len(scores)
            low, high = min(share, common.low), max(share, common.high)
            prior = PriorEstimate(share, low, high, "heuristic", "a heuristic, the share of pseudo-positives")
            posterior = known(scores, share)
    return make_decisions(scores, prior, replace(posterior, measured=measured), rule)


def with_prior(posterior: Posterior, prior: PriorEstimate, scores: NDArray[np.float64], basis: str = "") -> Posterior:
    """The same chances, made to agree with another prior and its bounds."""
    evenly = (np.arange(len(posterior.chances)) + 0.5) / len(posterior.chances)
    ends = [posterior.tail, 0.5, 1 - posterior.tail]
    odds = logit(np.clip([prior.low, prior.value, prior.high], RAREST, 1 - RAREST))
    return posterior.moved(scores, expit(np.interp(evenly, ends, odds)), basis or posterior.basis)


def cut_again(
    decisions: Decisions, scores: NDArray[np.float64], rule: CutRule, prior: float | None = None
) -> Decisions:
    """Cut the documents of the fit again, by another rule or for another prior; nothing is learned.

    A prior becomes the mean of the chances; what answers have told of them stays.
    """
    before = decisions.posterior
    if prior is None:
        return make_decisions(scores, decisions.prior, before, rule)
    given = given_prior(prior)
    if decisions.prior.basis == "audit":
        return make_decisions(scores, given, with_prior(before, given, scores), rule)
    return decide_by(prior, scores, 0, rule, before.measured)


def decide_others(decisions: Decisions, scores: NDArray[np.float64], rule: CutRule, prior: float) -> Decisions:
    """Cut other documents by their own prior: what a score tells stays, only the prior odds change."""
    posterior = decisions.posterior.for_prior(prior)
    return make_decisions(scores, given_prior(prior), posterior, rule)
