"""From a score to the chance that a document is relevant, and on to the precision and recall to expect of a cut."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import polars as pl

LEAST = 1e-4
"""No chance is nearer to 0 or 1 than this, before it is made to agree with a prior."""
RAREST = 1e-6
"""No prior is nearer to 0 or 1."""


class Interval(NamedTuple):
    """A point estimate with its bounds."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        """The estimate and its bounds in percent; bounds that say nothing are left out.

        >>> str(Interval(0.5, 0.4321, 0.6)), str(Interval(0.5, 0.5, 0.5))
        ('50 % (43 to 60)', '50 %')
        """
        value = f"{100 * self.value:.0f} %"
        return value if self.low == self.high else f"{value} ({100 * self.low:.0f} to {100 * self.high:.0f})"


@dataclass(frozen=True)
class Expected:
    """What to expect of a cut."""

    threshold: float
    count: int
    """Documents above the threshold."""
    precision: Interval
    recall: Interval
    f1: Interval


def expected_from(fields: Mapping[str, Any]) -> Expected:
    """Rebuild it from the fields of a model file."""
    intervals = {name: Interval(*map(float, fields[name])) for name in ("precision", "recall", "f1")}
    return Expected(float(fields["threshold"]), int(fields["count"]), **intervals)


@dataclass(frozen=True, eq=False)
class Posterior:
    """The chance that a document is relevant, given its score: known at some scores, linear in between.

    `chances` has three rows: for the lower bound of the prior, for its estimate, and for its upper bound.

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
        """The same for documents with another prior: all odds are multiplied by the ratio of the prior odds."""
        from scipy.special import expit, logit

        return replace(self, chances=expit(logit(self.chances) + logit(new) - logit(old)))

    def expected(self, scores: NDArray[np.float64], threshold: float) -> Expected:
        """What to expect of the cut on documents with these scores."""
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

    def sweep(self, scores: NDArray[np.float64], points: int = 20) -> "pl.DataFrame":
        """What to expect of about `points` cuts, from the top of the ranking to its end; half of them near the top."""
        import polars as pl  # a model is cut again without it

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
    """Stretch and shift the chances to agree with answers, each of which stands for `weights` documents.

    The log odds are multiplied by a slope, fitted by a weighted logistic regression that keeps it near 1. Then they are
    shifted so that the mean chance over `everything`, the scores of all documents, is the prior.
    """
    from scipy.optimize import minimize
    from scipy.special import expit, logit

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
    """Scale the odds at the knots so that the mean chance of all documents is the prior.

    >>> posterior = through_mean(np.array([0.0, 1.0]), np.full(2, 0.5), np.arange(2.0), Interval(0.2, 0.1, 0.3), "")
    >>> posterior.chances[:, 0].round(6).tolist()
    [0.1, 0.2, 0.3]
    """
    from scipy.optimize import brentq
    from scipy.special import expit, logit

    odds = logit(np.clip(chances, LEAST, 1 - LEAST))
    order = np.argsort(scores)
    rising, back = scores[order], np.argsort(order)

    def miss(shift: float, prior: float) -> float:
        # Sorted scores are found several times as fast; the mean is that of the documents' order, to the bit.
        return float(np.interp(rising, knots, expit(odds + shift))[back].mean()) - prior

    wanted = np.clip([priors.low, priors.value, priors.high], RAREST, 1 - RAREST)
    shifts = [brentq(miss, -40.0, 40.0, args=(float(prior),)) for prior in wanted]
    return Posterior(knots, np.stack([expit(odds + shift) for shift in shifts]), basis)


def _interval(values: NDArray[np.float64]) -> Interval:
    """The value of the middle row, with the lowest and highest of the three as bounds."""
    return Interval(float(values[1]), float(values.min()), float(values.max()))
