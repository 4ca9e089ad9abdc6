"""How many documents are relevant: an estimate without a label, as an interval.

The ranking of a fold is blind to the keywords that were left out. If they were in relevant documents with one chance a
and in the others with a smaller one b, whatever the blind score h, then the rate of documents that hold them is

    r(h) = b + (a - b) p(h),    p(h) = 1 / (1 + exp(-slope (h - middle)))    the chance to be relevant,

so the curve flattens at both ends: the height at the top is a, at the bottom b, and the mean of p is the prior. The
posterior of (a, b, slope, middle) is summed over a grid. Where documents are of one kind and a mixture of two normal
distributions describes the blind scores, its estimate counts as much; where neighbours can be trusted there are many
topics, the others are not normal, and it is left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from keysift.learning import Blind, Quality
from keysift.posteriors import Interval, Posterior, through_mean

__all__ = ["LEVEL", "PriorEstimate", "estimate_prior", "find_prior"]

LEVEL = 0.9
"""How often the interval should hold the truth."""
DOUBT = 8.0
"""Documents are not independent and the model is not true: evidence counts an eighth of its face value."""
DIVIDED, TOPICS, OPEN = (4.0, 4.0), (0.7, 30.0), (0.7, 3.0)
"""Beta distributions of the prior before anything is seen: in a corpus that divides no part is rare, and of many topics
any one is a small part. Evidence without labels is weak, and the estimate leans on that, so it is said. In a corpus of
topics the interval also holds what a distribution that is open to larger parts makes of the evidence."""
SLOPES = np.exp(np.linspace(np.log(0.5), np.log(10.0), 12))
MIDDLES = np.linspace(-2.5, 4.5, 36)
RATIOS = np.geomspace(1.0, 40.0, 16)
"""How many times as frequent the left-out keywords are in relevant documents as in all."""
LEAKS = np.array([0.0, 0.01, 0.03, 0.06, 0.1, 0.15, 0.25, 0.4, 0.6, 0.85])
"""How frequent they are in the other documents, beside the relevant ones."""
INFORMATIVE = 3.0
"""Keywords were chosen because they tell: a leak of c has a density of (1 - c)^3."""
LEVELS = np.concatenate([np.geomspace(0.0005, 0.1, 40), np.linspace(0.1, 1.0, 61)[1:]])
"""Shares of the ranking, from the top, at which the chance to be relevant is told."""
EDGE = 0.002


@dataclass(frozen=True)
class PriorEstimate:
    """The share of relevant documents, between what it lies, and why."""

    value: float
    low: float
    high: float
    basis: str
    """"given", "heuristic", "estimate" or "audit"."""
    assumes: str
    """In a sentence."""

    @property
    def interval(self) -> Interval:
        """The share and its ends."""
        return Interval(self.value, self.low, self.high)

    def __str__(self) -> str:
        if self.basis == "given":
            return f"{self.value:.3g}, as given"
        return f"{self.value:.3g} (between {self.low:.2g} and {self.high:.2g}, {self.assumes})"


@dataclass(frozen=True, eq=False)
class _Bins:
    """Blind scores in bins: where they are, how many documents, and how many of them hold a left-out keyword."""

    scores: NDArray[np.float64]
    documents: NDArray[np.float64]
    holders: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class _Found:
    """What one fold and one model say: the prior, between what it lies, and the chances at LEVELS."""

    prior: NDArray[np.float64]
    chances: NDArray[np.float64]


def find_prior(
    asked: float | str, quality: Quality | None, scores: NDArray[np.float64], holders: int
) -> tuple[PriorEstimate, Posterior]:
    """The prior as it was asked for: a number, "heuristic" or "estimate"; and with it the chance of every score.

    A network has no blind scores, so its prior is the heuristic unless it is given.
    """
    share = holders / len(scores)
    estimate, posterior = _unknown(scores, share) if quality is None else estimate_prior(quality, scores, holders)
    if asked == "estimate":
        return estimate, posterior
    if asked == "heuristic":
        low, high = min(share, estimate.low), max(share, estimate.high)
        chosen = PriorEstimate(share, low, high, "heuristic", "a heuristic, the share of pseudo-positives")
    else:
        chosen = PriorEstimate(float(asked), float(asked), float(asked), "given", "as given")
    return chosen, _posterior(
        scores,
        posterior.at(np.quantile(scores, 1 - LEVELS)),
        chosen.interval,
        posterior.basis,
    )


def estimate_prior(quality: Quality, scores: NDArray[np.float64], holders: int) -> tuple[PriorEstimate, Posterior]:
    """Estimate the prior from the blind scores of a fit, and with it the chance of every score.

    `scores` are those of the training documents, `holders` of which hold a keyword.
    """
    total = len(scores)
    trust = quality.trust
    before, wider = (
        tuple((1 - trust) * divided + trust * topics for divided, topics in zip(DIVIDED, of_topics, strict=True))
        for of_topics in (TOPICS, OPEN)
    )
    curves, mixtures = [], []
    for blind in quality.blind:
        bins = _bins(blind, (total - holders) / len(blind.others))
        stay = (1 - trust) * max(holders - len(blind.held), 0)  # phi makes fewer documents pseudo-positive
        curves.append(_rate_curve(bins, stay, before, wider))
        mixtures.append(_mixture(bins, stay))
    if not curves:
        return _unknown(scores, holders / total)
    curve = np.asarray(expit(np.mean([logit(found.prior) for found in curves], axis=0)))
    mixture = float(expit(np.mean([logit(found.prior[1]) for found in mixtures])))
    share = 0.5 * (1 - trust)
    value = float((1 - share) * curve[1] + share * mixture)
    near = (mixture, value) if share > 0.05 else (value,)
    low, high = min(float(curve[0]), *near), max(float(curve[2]), *near)
    rankings = "one ranking" if len(curves) == 1 else f"{len(curves)} rankings"
    taken = "any one topic is taken to be a small part" if trust > 0.5 else "neither part is taken to be rare"
    hidden = "some of the keywords" if quality.basis == "keywords" else "the keyword in half of its documents"
    told = f"estimated from {rankings} blind to {hidden}; {taken}"
    estimate = PriorEstimate(value, low, high, "estimate", told)
    chances = (1 - share) * np.mean([found.chances for found in curves], axis=0)
    chances = chances + share * np.mean([found.chances for found in mixtures], axis=0)
    return estimate, _posterior(scores, chances, estimate.interval, "scores blind to the keywords")


def _unknown(scores: NDArray[np.float64], share: float) -> tuple[PriorEstimate, Posterior]:
    """Nothing was left out, so nothing can be told: everything from half the keywords' share to nearly all."""
    low, high = share / 2, max(0.9, share)
    estimate = PriorEstimate(
        share, low, high, "heuristic", "the share of documents with a keyword; there was nothing to estimate it from"
    )
    falling = np.clip(1.5 * share - LEVELS * share, EDGE, 1 - EDGE)
    return estimate, _posterior(scores, falling, estimate.interval, "the share of documents with a keyword alone")


def _posterior(scores: NDArray[np.float64], chances: NDArray[np.float64], priors: Interval, basis: str) -> Posterior:
    """From chances at LEVELS of the ranking to chances at scores."""
    knots, falling = np.quantile(scores, 1 - LEVELS)[::-1], np.minimum.accumulate(chances)[::-1]
    return through_mean(knots, falling, scores, priors, basis)


def _bins(blind: Blind, scale: float, number: int = 40) -> _Bins:
    """Bins of about equally many documents, finer at the top; each of the others stands for `scale` documents."""
    scores = np.concatenate([blind.held, blind.others])
    weights = np.concatenate([np.ones(len(blind.held)), np.full(len(blind.others), scale)])
    mean = np.average(scores, weights=weights)
    deviation = np.sqrt(np.average((scores - mean) ** 2, weights=weights))
    scores = (scores - mean) / max(float(deviation), 1e-12)
    shares = np.concatenate([np.linspace(0, 1, number - 9)[1:-1], 1 - np.geomspace(0.02, 0.0005, 10)])
    edges = np.unique(np.quantile(scores[len(blind.held) :], shares))
    place = np.searchsorted(edges, scores)
    documents = np.asarray(np.bincount(place, weights, len(edges) + 1), dtype=np.float64)
    holders = np.bincount(place[: len(blind.held)], minlength=len(edges) + 1)
    filled = documents > 0
    centres = np.bincount(place, weights * scores, len(edges) + 1)[filled] / documents[filled]
    return _Bins(centres, documents[filled], holders[filled].astype(np.float64))


def _rate_curve(bins: _Bins, stay: float, before: Sequence[float], wider: Sequence[float]) -> _Found:
    """The posterior of the rate curve over the grid; `stay` more documents hold the keywords that stayed.

    `before` and `wider` are Beta distributions of the prior: the interval holds what either makes of the evidence.
    """
    chance = expit(SLOPES[:, None, None] * (bins.scores - MIDDLES[:, None]))  # slopes, middles, bins
    prior = chance @ bins.documents / bins.documents.sum()
    highest = np.unique(np.minimum(bins.holders.sum() / bins.documents.sum() * RATIOS, 0.98))
    evidence = np.empty((*prior.shape, len(highest), len(LEAKS)))
    for column, leak in enumerate(LEAKS):
        rate = highest[:, None] * (leak + (1 - leak) * chance[:, :, None, :])
        rate = np.clip(rate, 1e-9, 1 - 1e-9)
        seen = np.log(rate) @ bins.holders + np.log1p(-rate) @ (bins.documents - bins.holders)
        evidence[..., column] = seen / DOUBT + INFORMATIVE * np.log1p(-leak)
    ends = (1 - LEVEL) / 2, 0.5, (1 + LEVEL) / 2
    open_place = _weights(evidence, prior, wider).sum(axis=(2, 3))
    weight = _weights(evidence, prior, before)
    purity = float((weight * (prior[:, :, None, None] / _there(prior[:, :, None, None], LEAKS))).sum())
    place = weight.sum(axis=(2, 3))
    quantiles, others = (_quantiles(prior.ravel(), one.ravel(), ends) for one in (place, open_place))
    quantiles = np.array([min(quantiles[0], others[0]), quantiles[1], max(quantiles[2], others[2])])
    return _Found(_with_stayed(quantiles, purity, bins, stay), _at_levels(np.tensordot(place, chance, 2), bins))


def _weights(evidence: NDArray[np.float64], prior: NDArray[np.float64], before: Sequence[float]) -> NDArray[np.float64]:
    """How much each place of the grid counts."""
    # The middle is about uniform in the log odds of the prior, which gives a Beta density these exponents.
    total = evidence + (before[0] * np.log(prior) + before[1] * np.log1p(-prior))[:, :, None, None]
    weight = np.exp(total - total.max())
    return np.asarray(weight / weight.sum())


def _there(prior: NDArray[np.float64], leak: NDArray[np.float64]) -> NDArray[np.float64]:
    """The rate of holders, as a multiple of that among relevant documents."""
    return np.asarray(prior + leak * (1 - prior))


def _mixture(bins: _Bins, stay: float, steps: int = 300) -> _Found:
    """Two normal distributions of blind scores, and two rates of left-out keywords, by expectation maximisation."""
    scores, documents, holders = bins.scores, bins.documents, bins.holders
    others, total = documents - holders, documents.sum()
    start = np.where(scores > 1, 0.3, 0.1)
    holding, lacking = start + 0.5, start
    prior = rate = leak = 0.5
    for _ in range(steps):
        relevant = holders * holding + others * lacking
        rest = documents - relevant
        prior = float(np.clip(relevant.sum() / total, EDGE, 1 - EDGE))
        mean, deviation = _moments(scores, relevant)
        other_mean, other_deviation = _moments(scores, rest)
        rate = float(np.clip((holders * holding).sum() / relevant.sum(), 1e-6, 1 - 1e-6))
        leak = float(np.clip((holders * (1 - holding)).sum() / rest.sum(), 1e-6, 1 - 1e-6))
        odds = logit(prior) - np.log(deviation / other_deviation)
        odds = odds - ((scores - mean) / deviation) ** 2 / 2 + ((scores - other_mean) / other_deviation) ** 2 / 2
        holding = expit(odds + np.log(rate / leak))
        lacking = expit(odds + np.log1p(-rate) - np.log1p(-leak))
    chances = (holders * holding + others * lacking) / documents
    purity = rate * prior / (rate * prior + leak * (1 - prior))
    return _Found(_with_stayed(np.full(3, prior), purity, bins, stay), _at_levels(chances, bins))


def _moments(scores: NDArray[np.float64], weights: NDArray[np.float64]) -> tuple[float, float]:
    mean = float(np.average(scores, weights=weights))
    return mean, float(np.sqrt(np.average((scores - mean) ** 2, weights=weights) + 1e-3))


def _with_stayed(prior: NDArray[np.float64], purity: float, bins: _Bins, stay: float) -> NDArray[np.float64]:
    """Documents with a keyword that stayed are not among the blind ones; as many are relevant as of those left out.

    Where there are many topics, documents mention a keyword in passing and look like the relevant ones for it; their
    purity comes out too high, so they are taken to be like all.
    """
    blind = float(bins.documents.sum())
    return np.asarray(np.clip((prior * blind + purity * stay) / (blind + stay), EDGE, 1 - EDGE))


def _at_levels(chances: NDArray[np.float64], bins: _Bins) -> NDArray[np.float64]:
    """From chances in bins to chances at shares of the ranking, from the top."""
    downward = bins.documents[::-1]
    middle = (np.cumsum(downward) - downward / 2) / downward.sum()
    return np.asarray(np.interp(LEVELS, middle, chances[::-1]))


def _quantiles(
    values: NDArray[np.float64], weights: NDArray[np.float64], levels: Sequence[float]
) -> NDArray[np.float64]:
    order = np.argsort(values)
    return np.asarray(np.interp(levels, np.cumsum(weights[order]), values[order]))
