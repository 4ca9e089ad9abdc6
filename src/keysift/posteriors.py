"""From a score to the chance that a document is relevant, and from there to what a cut may be expected to give."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.optimize import brentq, minimize
from scipy.special import expit, logit

__all__ = ["Expected", "Interval", "Posterior", "expected_from", "recalibrated", "through_mean"]

LEAST = 1e-4
"""No chance is nearer to 0 or 1 than this, before it is made to agree with a prior."""
RAREST = 1e-6
"""No prior is nearer to 0 or 1."""


class Interval(NamedTuple):
    """A value, and between what it lies with the level that its maker states."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        """In percent.

        >>> str(Interval(0.5, 0.4321, 0.6))
        '50 % (43 to 60)'
        """
        return f"{100 * self.value:.0f} % ({100 * self.low:.0f} to {100 * self.high:.0f})"


@dataclass(frozen=True)
class Expected:
    """What a cut may be expected to give."""

    threshold: float
    count: int
    """So many documents are above it."""
    precision: Interval
    recall: Interval
    f1: Interval


def expected_from(fields: Mapping[str, Any]) -> Expected:
    """From what a model file holds."""
    intervals = {name: Interval(*map(float, fields[name])) for name in ("precision", "recall", "f1")}
    return Expected(float(fields["threshold"]), int(fields["count"]), **intervals)


@dataclass(frozen=True, eq=False)
class Posterior:
    """The chance that a document is relevant, given its score: known at some scores, with lines between.

    `chances` has three rows: if there are as few relevant documents as the interval of the prior allows, the estimate,
    and if there are as many.

    >>> posterior = Posterior(np.array([-1.0, 1.0]), np.array([[0.1, 0.7], [0.2, 0.8], [0.3, 0.9]]), "an example")
    >>> posterior.at(np.array([-2.0, 0.0, 1.0])).tolist()
    [0.2, 0.5, 0.8]
    """

    scores: NDArray[np.float64]
    """Ascending."""
    chances: NDArray[np.float64]
    basis: str

    def at(self, scores: NDArray[np.float64], row: int = 1) -> NDArray[np.float64]:
        """The chance at each score."""
        return np.asarray(np.interp(scores, self.scores, self.chances[row]))

    def for_prior(self, old: float, new: float) -> "Posterior":
        """The same for documents of which another share is relevant: all odds change by the ratio of the priors'."""
        return replace(self, chances=expit(logit(self.chances) + logit(new) - logit(old)))

    def expected(self, scores: NDArray[np.float64], threshold: float) -> Expected:
        """What the cut gives on documents with these scores."""
        above = scores > threshold
        count = int(above.sum())
        chances = [self.at(scores, row) for row in range(3)]
        found = np.array([chance[above].sum() for chance in chances])
        there = np.array([chance.sum() for chance in chances])
        precision = found / count if count else np.zeros(3)
        return Expected(
            float(threshold),
            count,
            _interval(precision),
            _interval(found / there),
            _interval(2 * found / (count + there)),
        )

    def sweep(self, scores: NDArray[np.float64], points: int = 20) -> pl.DataFrame:
        """What about so many cuts give, from the top of the ranking to its end: half of them dense at the top."""
        ordered = np.unique(scores)[::-1]
        half = max(-(-points // 2), 2)
        spread = np.concatenate(
            [np.geomspace(1, len(ordered), half), np.linspace(1, len(ordered), points - half + 2)[1:-1]]
        )
        counts = np.unique(spread.round().astype(int))
        rows = []
        for place in counts:
            lowest = float(ordered[place - 1])
            below = float(ordered[place]) if place < len(ordered) else float(np.nextafter(lowest, -np.inf))
            middle = below + (lowest - below) / 2
            expected = self.expected(scores, middle if middle < lowest else below)
            row: dict[str, float | int] = {"cut": expected.threshold, "count": expected.count}
            for name in ("precision", "recall", "f1"):
                interval: Interval = getattr(expected, name)
                row |= {name: interval.value, f"{name}_low": interval.low, f"{name}_high": interval.high}
            rows.append(row)
        return pl.DataFrame(rows)


def recalibrated(
    posterior: Posterior,
    scores: NDArray[np.float64],
    answers: NDArray[np.int8],
    weights: NDArray[np.float64],
    everything: NDArray[np.float64],
    priors: Interval,
    basis: str,
) -> Posterior:
    """Stretched and shifted to agree with answers, each of which stands for `weights` documents.

    The log odds are multiplied by a slope, from weighted logistic regression that holds it near 1, and shifted so
    that the mean over `everything`, the scores of all documents, is the prior.
    """
    odds = logit(np.clip(posterior.at(scores), LEAST, 1 - LEAST))
    weights = weights / weights.mean()

    def loss(line: NDArray[np.float64]) -> float:
        fitted = line[0] + line[1] * odds
        surprise = weights @ (np.logaddexp(0, fitted) - answers * fitted)
        return float(surprise + (line[1] - 1) ** 2 + 0.01 * line[0] ** 2)

    slope = max(float(minimize(loss, np.array([0.0, 1.0])).x[1]), 0.1)
    chances = expit(slope * logit(np.clip(posterior.chances[1], LEAST, 1 - LEAST)))
    return through_mean(posterior.scores, chances, everything, priors, basis)


def through_mean(
    knots: NDArray[np.float64],
    chances: NDArray[np.float64],
    scores: NDArray[np.float64],
    priors: Interval,
    basis: str,
) -> Posterior:
    """Multiply the odds at the knots by what makes the mean chance of all documents the prior.

    >>> posterior = through_mean(np.array([0.0, 1.0]), np.full(2, 0.5), np.arange(2.0), Interval(0.2, 0.1, 0.3), "")
    >>> posterior.chances[:, 0].round(6).tolist()
    [0.1, 0.2, 0.3]
    """
    odds = logit(np.clip(chances, LEAST, 1 - LEAST))

    def miss(shift: float, prior: float) -> float:
        return float(np.interp(scores, knots, expit(odds + shift)).mean()) - prior

    wanted = np.clip([priors.low, priors.value, priors.high], RAREST, 1 - RAREST)
    shifts = [brentq(miss, -40.0, 40.0, args=(float(prior),)) for prior in wanted]
    return Posterior(knots, np.stack([expit(odds + shift) for shift in shifts]), basis)


def _interval(values: NDArray[np.float64]) -> Interval:
    """The middle row, and the least and most of the three."""
    return Interval(float(values[1]), float(values.min()), float(values.max()))
