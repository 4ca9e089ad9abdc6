"""The share of relevant documents: an estimate without labels, with its bounds.

The ranking of a fold is blind to the keywords that were left out. Suppose that they occur in a share a of the relevant
documents and in a smaller share b of the others, whatever the blind score h. Then the rate of documents with them is

    r(h) = b + (a - b) p(h),    p(h) = 1 / (1 + exp(-slope (h - middle)))    the chance to be relevant,

so the curve flattens at both ends: its height is a at the top and b at the bottom, and the mean of p is the prior. The
posterior of (a, b, slope, middle) is summed over a grid. In a corpus that divides into two parts, a mixture of two
normal distributions describes the blind scores, and its estimate counts as much as that of the curve. Where neighbours
can be trusted, there are many topics, so the irrelevant documents are not normal and the mixture is left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from keysift.config import LearnConfig
from keysift.decide.posterior import Interval, Posterior, through_mean
from keysift.errors import SettingError

if TYPE_CHECKING:
    from keysift.learn.quality import Blind, Quality

SLOPES = np.exp(np.linspace(np.log(0.5), np.log(10.0), 12))
MIDDLES = np.linspace(-2.5, 4.5, 36)
RATIOS = np.geomspace(1.0, 40.0, 16)
"""How many times as frequent the left-out keywords are in relevant documents as in all."""
LEAKS = np.array([0.0, 0.01, 0.03, 0.06, 0.1, 0.15, 0.25, 0.4, 0.6, 0.85])
"""How frequent they are in the other documents, as a share of how frequent they are in relevant ones."""
LEVELS = np.concatenate([np.geomspace(0.0005, 0.1, 40), np.linspace(0.1, 1.0, 61)[1:]])
"""Shares of the ranking, from the top, at which the chance to be relevant is given."""
EDGE = 0.002


@dataclass(frozen=True)
class PriorEstimate:
    """The share of relevant documents with its bounds, and where it comes from."""

    value: float
    low: float
    high: float
    basis: str
    """"given", "heuristic", "estimate" or "audit"."""
    assumes: str
    """What the estimate rests on, as a phrase."""

    @property
    def interval(self) -> Interval:
        """The share and its bounds."""
        return Interval(self.value, self.low, self.high)

    def __str__(self) -> str:
        if self.basis == "given":
            return f"{self.value:.3g}, as given"
        return f"{self.value:.3g} (between {self.low:.2g} and {self.high:.2g}, {self.assumes})"


Prior: TypeAlias = float | Literal["heuristic", "estimate", "audit"]
"""The share of relevant documents, or how to find it: "estimate" (without a label), "heuristic" (the share of
pseudo-positives), "audit" (from answers)."""


def check_prior(prior: object) -> Prior:
    """The prior, if it can be used; else an error that says what can.

    >>> check_prior(0.1), check_prior("estimate")
    (0.1, 'estimate')
    """
    if isinstance(prior, str) and prior in ("heuristic", "estimate", "audit"):
        return prior  # type: ignore[return-value]
    if isinstance(prior, int | float | np.number) and not isinstance(prior, bool) and 0 < float(prior) < 1:
        return float(prior)
    raise SettingError(
        f"prior must be a number between 0 and 1 (both excluded), 'estimate', 'heuristic' or 'audit'; got {prior!r}."
    )


@dataclass(frozen=True, eq=False)
class _Bins:
    """Blind scores in bins: the mean score, the number of documents, and how many hold a left-out keyword."""

    scores: NDArray[np.float64]
    documents: NDArray[np.float64]
    holders: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class _Found:
    """The result of one model on one fold: the prior with its bounds, and the chances at LEVELS."""

    prior: NDArray[np.float64]
    chances: NDArray[np.float64]


def find_prior(
    asked: float | str, estimated: tuple[PriorEstimate, Posterior], scores: NDArray[np.float64], holders: int
) -> tuple[PriorEstimate, Posterior]:
    """The prior that was asked for (a number, "heuristic" or "estimate"), and the chance of every score at that prior.

    `estimated` is what `estimate_prior` gave.
    """
    share = holders / len(scores)
    estimate, posterior = estimated
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


def estimate_prior(
    quality: "Quality | None", scores: NDArray[np.float64], holders: int
) -> tuple[PriorEstimate, Posterior]:
    """Estimate the prior from the blind scores of a fit, and with it the chance of every score.

    `scores` are those of the training documents, `holders` of which hold a keyword. A network has no blind scores, so
    its prior is the share of documents with a keyword.
    """
    from scipy.special import expit, logit

    total = len(scores)
    if quality is None:
        return _unknown(scores, holders / total)
    trust, config = quality.trust, quality.config
    before, wider = (
        tuple((1 - trust) * one + trust * other for one, other in zip(config.divided_prior, of_topics, strict=True))
        for of_topics in (config.topics_prior, config.open_prior)
    )
    curves, mixtures = [], []
    for blind in quality.blind:
        bins = _bins(blind, (total - holders) / len(blind.others))
        stay = (1 - trust) * max(holders - len(blind.left_out), 0)  # phi makes fewer documents pseudo-positive
        curves.append(_rate_curve(bins, stay, before, wider, config))
        mixtures.append(_mixture(bins, stay))
    if not curves:
        return _unknown(scores, holders / total)
    curve = np.asarray(expit(np.mean([logit(found.prior) for found in curves], axis=0)))
    mixture = float(expit(np.mean([logit(found.prior[1]) for found in mixtures])))
    share = config.mixture_share * (1 - trust)
    value = float((1 - share) * curve[1] + share * mixture)
    near = (mixture, value) if share > 0.05 else (value,)
    low, high = min(float(curve[0]), *near), max(float(curve[2]), *near)
    rankings = "one ranking" if len(curves) == 1 else f"{len(curves)} rankings"
    taken = "assuming that one topic is a small part of all" if trust > 0.5 else "assuming that neither part is rare"
    hidden = "some of the keywords" if quality.basis == "keywords" else "the keyword in half of its documents"
    told = f"estimated from {rankings} blind to {hidden}; {taken}"
    estimate = PriorEstimate(value, low, high, "estimate", told)
    chances = (1 - share) * np.mean([found.chances for found in curves], axis=0)
    chances = chances + share * np.mean([found.chances for found in mixtures], axis=0)
    return estimate, _posterior(scores, chances, estimate.interval, "scores blind to the keywords")


def _unknown(scores: NDArray[np.float64], share: float) -> tuple[PriorEstimate, Posterior]:
    """Nothing was left out, so the bounds are wide: from half the share of documents with a keyword to nearly all."""
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


def _bins(blind: "Blind", scale: float, number: int = 40) -> _Bins:
    """Bins with about the same number of documents, finer at the top; each of the others counts `scale` times."""
    scores = np.concatenate([blind.left_out, blind.others])
    weights = np.concatenate([np.ones(len(blind.left_out)), np.full(len(blind.others), scale)])
    mean = np.average(scores, weights=weights)
    deviation = np.sqrt(np.average((scores - mean) ** 2, weights=weights))
    scores = (scores - mean) / max(float(deviation), 1e-12)
    shares = np.concatenate([np.linspace(0, 1, number - 9)[1:-1], 1 - np.geomspace(0.02, 0.0005, 10)])
    edges = np.unique(np.quantile(scores[len(blind.left_out) :], shares))
    place = np.searchsorted(edges, scores)
    documents = np.asarray(np.bincount(place, weights, len(edges) + 1), dtype=np.float64)
    holders = np.bincount(place[: len(blind.left_out)], minlength=len(edges) + 1)
    filled = documents > 0
    centres = np.bincount(place, weights * scores, len(edges) + 1)[filled] / documents[filled]
    return _Bins(centres, documents[filled], holders[filled].astype(np.float64))


def _rate_curve(
    bins: _Bins, stay: float, before: Sequence[float], wider: Sequence[float], config: LearnConfig
) -> _Found:
    """The posterior of the rate curve over the grid; `stay` more documents hold the keywords that stayed.

    `before` and `wider` are Beta distributions of the prior: the interval covers the results of both.
    """
    from scipy.special import expit

    chance = expit(SLOPES[:, None, None] * (bins.scores - MIDDLES[:, None]))  # slopes, middles, bins
    prior = chance @ bins.documents / bins.documents.sum()
    highest = np.unique(np.minimum(bins.holders.sum() / bins.documents.sum() * RATIOS, 0.98))
    evidence = np.empty((*prior.shape, len(highest), len(LEAKS)))
    for column, leak in enumerate(LEAKS):
        rate = highest[:, None] * (leak + (1 - leak) * chance[:, :, None, :])
        rate = np.clip(rate, 1e-9, 1 - 1e-9)
        seen = np.log(rate) @ bins.holders + np.log1p(-rate) @ (bins.documents - bins.holders)
        evidence[..., column] = seen / config.evidence_doubt + config.informative * np.log1p(-leak)
    ends = (1 - config.level) / 2, 0.5, (1 + config.level) / 2
    open_place = _weights(evidence, prior, wider).sum(axis=(2, 3))
    weight = _weights(evidence, prior, before)
    purity = float((weight * (prior[:, :, None, None] / _there(prior[:, :, None, None], LEAKS))).sum())
    place = weight.sum(axis=(2, 3))
    quantiles, others = (_quantiles(prior.ravel(), one.ravel(), ends) for one in (place, open_place))
    quantiles = np.array([min(quantiles[0], others[0]), quantiles[1], max(quantiles[2], others[2])])
    return _Found(_with_stayed(quantiles, purity, bins, stay), _at_levels(np.tensordot(place, chance, 2), bins))


def _weights(evidence: NDArray[np.float64], prior: NDArray[np.float64], before: Sequence[float]) -> NDArray[np.float64]:
    """The posterior weight of each point of the grid."""
    # The middle is about uniform in the log odds of the prior, which gives a Beta density these exponents.
    total = evidence + (before[0] * np.log(prior) + before[1] * np.log1p(-prior))[:, :, None, None]
    weight = np.exp(total - total.max())
    return np.asarray(weight / weight.sum())


def _there(prior: NDArray[np.float64], leak: NDArray[np.float64]) -> NDArray[np.float64]:
    """The rate of holders, as a multiple of that among relevant documents."""
    return np.asarray(prior + leak * (1 - prior))


def _mixture(bins: _Bins, stay: float, steps: int = 300) -> _Found:
    """Two normal distributions of blind scores, and two rates of left-out keywords, by expectation maximisation."""
    from scipy.special import expit, logit

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
    total = weights.sum()  # np.average, without its checks
    mean = float((scores * weights).sum() / total)
    return mean, float(np.sqrt(((scores - mean) ** 2 * weights).sum() / total + 1e-3))


def _with_stayed(prior: NDArray[np.float64], purity: float, bins: _Bins, stay: float) -> NDArray[np.float64]:
    """Add the `stay` documents with a keyword that was not left out, which have no blind score.

    They are taken to be as pure as the documents with a left-out keyword. Where there are many topics, documents that
    mention a keyword in passing look relevant because of it and the purity comes out too high; there the caller makes
    `stay` small, so that they count like all others.
    """
    blind = float(bins.documents.sum())
    return np.asarray(np.clip((prior * blind + purity * stay) / (blind + stay), EDGE, 1 - EDGE))


def _at_levels(chances: NDArray[np.float64], bins: _Bins) -> NDArray[np.float64]:
    """From chances in bins to chances at LEVELS, shares of the ranking from the top."""
    downward = bins.documents[::-1]
    middle = (np.cumsum(downward) - downward / 2) / downward.sum()
    return np.asarray(np.interp(LEVELS, middle, chances[::-1]))


def _quantiles(
    values: NDArray[np.float64], weights: NDArray[np.float64], levels: Sequence[float]
) -> NDArray[np.float64]:
    order = np.argsort(values)
    return np.asarray(np.interp(levels, np.cumsum(weights[order]), values[order]))
