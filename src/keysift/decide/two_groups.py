"""How far the scores alone part the documents into two groups: a mixture of two normal distributions.

Where the scores have two humps, the upper one is a guess at the relevant documents, and its weight a guess at their
share. Where they have one, any mixture fits as well as any other, and the guess is worth nothing. How much it is worth
is the share of the doubt about a document's group that its score takes away,

    trust = 1 - mean H(group of d | score of d) / H(group),

which is 1 for two humps that do not touch and 0 where the score tells nothing. There is nothing to tune in it.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from keysift.decide.odds import logit

BINS = 400
"""The scores are put on a grid, so that a fit takes the same time for any number of documents."""
STEPS = 300
"""The most steps of expectation and maximisation."""
ENOUGH = 1e-7
"""The steps end where the mean log likelihood grows by less than this."""
FEWEST = 50
"""Fewer documents show no groups."""
NARROWEST = 0.02
"""No group is narrower than this share of the deviation of all scores."""
LOWEST, HIGHEST = 4.0, 5.5
"""Scores that lie farther below or above the median than so many deviations are taken for as far: those of empty
documents, and a few far above all others, which are a group of their own and not all that is relevant."""


@dataclass(frozen=True)
class TwoGroups:
    """The upper of two groups of documents."""

    share: float
    """Of the documents: the weight of the upper group."""
    trust: float
    """The share of the doubt about a document's group that its score takes away; 0 where nothing is known."""

    def blended(self, log_odds: float) -> float:
        """The log odds of the share, as far as it can be trusted, and those of a usual share for the rest.

        >>> TwoGroups(0.5, trust=0.25).blended(-2.0)
        -1.5
        """
        return (1 - self.trust) * log_odds + self.trust * float(logit(self.share)) if self.trust > 0 else log_odds


NONE = TwoGroups(0.5, 0.0)
"""There are no groups to be seen."""


def above_break(scores: NDArray[np.float64]) -> float:
    """The share of the documents above the break of their scores, by the method of Otsu.

    The two parts have the largest variance between them. An empty document, which scores lower than any other can, is
    taken for a low one.

    >>> above_break(np.array([0.0, 0.1, 0.2, 5.0]))
    0.25
    """
    ordered = np.sort(_without_outliers(scores))
    total, below = np.cumsum(ordered), np.arange(1, len(ordered))
    lower, higher = total[:-1] / below, (total[-1] - total[:-1]) / (len(ordered) - below)
    between = below * (len(ordered) - below) * (higher - lower) ** 2
    return float(1 - below[np.argmax(between)] / len(ordered))


def two_groups(scores: NDArray[np.float64]) -> TwoGroups:
    """Fit the two normal distributions, from the break of the scores on.

    >>> rng = np.random.default_rng(0)
    >>> apart = np.concatenate([rng.normal(0, 1, 800), rng.normal(9, 1, 200)])
    >>> found = two_groups(apart)
    >>> round(found.share, 3), found.trust > 0.99
    (0.2, True)
    >>> two_groups(np.zeros(100)).trust
    0.0
    """
    if len(scores) < FEWEST:
        return NONE
    seen = _without_outliers(scores)
    deviation = float(seen.std())
    if not deviation > 1e-9 * max(1.0, float(np.abs(seen).max())):
        return NONE
    seen = (seen - seen.mean()) / deviation
    counts, edges = np.histogram(seen, BINS)
    places, mass = ((edges[:-1] + edges[1:]) / 2)[counts > 0], counts[counts > 0] / len(seen)
    upper = (places > np.quantile(seen, 1 - above_break(seen))).astype(np.float64)
    if upper.all() or not upper.any():
        return NONE
    upper, weight = _fitted(places, mass, upper)
    doubt = _entropy(weight)
    return TwoGroups(weight, max(0.0, 1 - float(mass @ _entropy(upper)) / float(doubt)))


def _fitted(
    places: NDArray[np.float64], mass: NDArray[np.float64], upper: NDArray[np.float64]
) -> tuple[NDArray[np.float64], float]:
    """The chance of the upper group at each place, and its weight, by expectation and maximisation."""
    before = -np.inf
    for _ in range(STEPS):
        sides = np.stack([1 - upper, upper]) * mass
        weights = np.clip(sides.sum(axis=1), 1e-6, None)
        means = sides @ places / weights
        variance = float((sides * (places - means[:, None]) ** 2).sum()) + NARROWEST**2
        logs = np.log(weights)[:, None] - (places - means[:, None]) ** 2 / (2 * variance) - np.log(variance) / 2
        total = np.logaddexp(*logs)
        now = float(mass @ total)
        upper = np.exp(logs[1] - total)
        if now - before < ENOUGH:
            break
        before = now
    if means[0] > means[1]:
        upper = 1 - upper
    return upper, float(np.clip(mass @ upper, 1e-4, 1 - 1e-4))


def _entropy(chance: NDArray[np.float64] | float) -> NDArray[np.float64]:
    known = np.clip(chance, 1e-12, 1 - 1e-12)
    return np.asarray(-(known * np.log(known) + (1 - known) * np.log1p(-known)))


def _without_outliers(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    middle, above = np.quantile(scores, [0.5, 0.84])
    spread = float(above - middle) or float(scores.max() - middle) or 1.0
    return np.clip(scores, middle - LOWEST * spread, middle + HIGHEST * spread)
