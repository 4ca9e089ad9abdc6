r"""How the chance of being relevant falls along a ranking: a family of curves, and what is known of them.

The height of a document is z = Phi^-1(share of documents below it), so it does not matter how an engine scales its
scores. With a prior pi, a sharpness b and a leak c the chance is

    p(z) = c pi + (1 - c pi) / (1 + exp(-(a + b z))),

where a follows from the mean of p over all documents, which is pi. A share c of the relevant documents is out of the
ranking's sight. Before any answer, pi, b and c are as usual in other corpora (`calibration`); an answer weights every
curve by the chance it gave to that answer, and a prior that is known leaves only the curves through it. Which pi is
likely also follows from the groups that the scores form (`two_groups`).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from keysift.decide.calibration import LEAKS, SHARPNESS, Calibration, shipped
from keysift.decide.odds import expit, logit, normal_quantiles
from keysift.decide.posterior import CURVES, RAREST, Interval, Posterior, masses, quantiles, through_means
from keysift.decide.two_groups import NONE, TwoGroups, two_groups

PRIORS = expit(np.linspace(-7.0, 4.0, 45))
LEVELS = np.concatenate([[0.0], np.geomspace(0.0005, 0.1, 30), np.linspace(0.1, 1.0, 46)[1:]])
"""Shares of the ranking, from the top, at which the chance is given."""


@dataclass(frozen=True, eq=False)
class Family:
    """Curves over the scores of some documents: every shape through each of some priors."""

    knots: NDArray[np.float64]
    chances: NDArray[np.float64]
    """At the knots, a curve a row."""
    priors: NDArray[np.float64]
    """Of each curve."""
    groups: TwoGroups = NONE
    """What the scores tell of the prior, where it is not known."""

    @classmethod
    def over(
        cls, scores: NDArray[np.float64], priors: NDArray[np.float64] = PRIORS, groups: TwoGroups | None = None
    ) -> "Family":
        """The family of these documents; `groups` are those of their scores, if they are known or of other scores.

        >>> family = Family.over(np.arange(10.0), np.array([0.2, 0.4]))
        >>> family.chances.mean(axis=1).round(6).tolist() == family.priors.tolist()
        True
        """
        knots, ordered = np.unique(np.quantile(scores, 1 - LEVELS, method="nearest")), np.sort(scores)
        below = (np.searchsorted(ordered, knots, "left") + np.searchsorted(ordered, knots, "right")) / 2
        prior, sharpness, leak = (one.ravel() for one in np.meshgrid(priors, SHARPNESS, LEAKS, indexing="ij"))
        odds, unseen = sharpness[:, None] * normal_quantiles(below / len(scores)), leak * prior
        seen = through_means(odds, masses(scores, knots), (prior - unseen) / (1 - unseen))
        groups = groups or (two_groups(scores) if len(priors) > 1 else NONE)
        return cls(knots, unseen[:, None] + (1 - unseen)[:, None] * seen, prior, groups)

    def at(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """The chance of each score, a curve a row."""
        place = np.interp(scores, self.knots, np.arange(len(self.knots)))
        lower, upper = np.floor(place).astype(np.int64), np.ceil(place).astype(np.int64)
        return np.asarray(self.chances[:, lower] * (1 - (place - lower)) + self.chances[:, upper] * (place - lower))

    def usual(self, used: Calibration) -> NDArray[np.float64]:
        """How likely each curve is, by other corpora and the groups of these scores.

        In the prior it is a normal density of the log odds, which has the conformal interval as its 90 % interval.
        """
        deviation = used.half_width / float(normal_quantiles([0.95])[0])
        density = np.exp(-(((logit(self.priors) - self.groups.blended(used.log_odds)) / deviation) ** 2) / 2)
        shapes = np.multiply.outer(used.sharpness, used.leaks).ravel()
        return np.asarray(density * np.tile(shapes, len(self.priors) // len(shapes)))

    def thinned(self, weights: NDArray[np.float64], tail: float, basis: str) -> Posterior:
        """So many of the curves, drawn at even steps in the order of their priors, that each is equally likely."""
        order = np.argsort(self.priors, kind="stable")
        upto = np.cumsum(weights[order]) / weights.sum()
        rows = order[np.searchsorted(upto, (np.arange(CURVES) + 0.5) / CURVES)]
        return Posterior(self.knots, self.chances[rows], self.priors[rows], tail, basis)


def usual(
    scores: NDArray[np.float64], used: Calibration | None = None, family: Family | None = None
) -> tuple[Interval, Posterior]:
    """The prior and the chances before any answer: what is usual in other corpora, and how the scores part.

    >>> prior, posterior = usual(np.arange(100.0))
    >>> prior.low < prior.value < prior.high, bool(posterior.at(np.array([99.0])) > posterior.at(np.array([0.0])))
    (True, True)
    """
    used, family = used or shipped(), family or Family.over(scores)
    middle, half = family.groups.blended(used.log_odds), used.half_width
    prior = Interval(*map(float, expit([middle, middle - half, middle + half])))
    return prior, family.thinned(family.usual(used), used.tail, "other corpora")


def known(scores: NDArray[np.float64], prior: float, used: Calibration | None = None) -> Posterior:
    """The chances where the prior is known: only the curves through it.

    >>> round(float(known(np.arange(100.0), 0.2).at(np.arange(100.0)).mean()), 6)
    0.2
    """
    used, family = used or shipped(), Family.over(scores, np.clip([prior], RAREST, 1 - RAREST))
    return family.thinned(family.usual(used), used.told_tail, "other corpora")


def answered(
    scores: NDArray[np.float64],
    asked: NDArray[np.float64],
    answers: NDArray[np.bool_],
    used: Calibration | None = None,
    family: Family | None = None,
) -> tuple[Interval, Posterior]:
    """The prior and the chances after answers about the documents with the scores `asked`.

    >>> scores = np.arange(100.0)
    >>> few, many = (answered(scores, scores[::9], scores[::9] > cut)[0].value for cut in (90, 50))
    >>> few < many
    True
    """
    used, family = used or shipped(), family or Family.over(scores)
    at = family.at(asked)
    evidence = used.weight * (np.log(at) @ answers + np.log1p(-at) @ ~answers)
    weights = family.usual(used) * np.exp(evidence - evidence.max())
    ends = np.array([0.5, used.told_tail, 1 - used.told_tail])
    prior = Interval(*map(float, expit(quantiles(logit(family.priors), weights, ends))))
    told = f"{len(answers):,} answer{'' if len(answers) == 1 else 's'} and other corpora"
    return prior, family.thinned(weights, used.told_tail, told)
