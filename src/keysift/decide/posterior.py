"""From a score to the chance that a document is relevant, and on to the precision and recall to expect of a cut."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from keysift.decide.odds import expit, logit

if TYPE_CHECKING:
    import polars as pl

CURVES = 200
"""Curves that stand for all that may be true."""
RAREST = 1e-6
"""No prior is nearer to 0 or 1."""
LEAST = 1e-9
"""No chance is nearer to 0 or 1."""
STEPS, EXACT = 45, 1e-13
"""Steps at most to find a shift, and how near to the wanted mean is near enough."""
SHARES = np.concatenate([np.geomspace(0.001, 0.1, 40), np.linspace(0.1, 1.0, 91)[1:]])
"""Of a ranking, from the top, that are tried as a cut."""


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


@dataclass(frozen=True, eq=False)
class Posterior:
    """The chance that a document is relevant, given its score: known at some scores, linear in between.

    Every row of `chances` is a curve that may be the true one, each as likely as any other. A figure is computed from
    the mean of them; its interval leaves out the share `tail` of the curves at each end.

    >>> posterior = Posterior(np.array([-1.0, 1.0]), np.array([[0.1, 0.7], [0.3, 0.9]]), np.array([0.4, 0.6]), 0.0, "")
    >>> posterior.at(np.array([-2.0, 0.0, 1.0])).round(6).tolist()
    [0.2, 0.5, 0.8]
    """

    scores: NDArray[np.float64]
    """Ascending, no two the same."""
    chances: NDArray[np.float64]
    priors: NDArray[np.float64]
    """The mean of each curve over the documents that it was made for."""
    tail: float
    basis: str
    """What the curves come from, as a phrase."""
    measured: bool = True
    """Whether it was measured how often the intervals hold; where it was not, nobody should be shown one."""

    def at(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """The chance at each score."""
        return np.asarray(np.interp(scores, self.scores, self.chances.mean(axis=0)))

    def for_prior(self, prior: float) -> "Posterior":
        """The same for documents with another prior: all odds are multiplied by the ratio of the prior odds."""
        odds = logit(self.chances) + logit(prior) - logit(self.priors)[:, None]
        return replace(self, chances=expit(odds), priors=np.full(len(self.priors), prior))

    def moved(self, scores: NDArray[np.float64], priors: NDArray[np.float64], basis: str) -> "Posterior":
        """The odds of each curve multiplied so that its mean over these documents is a given prior.

        The priors are ascending, and the curves take them in the order of their own.
        """
        wanted = np.empty(len(priors))
        wanted[np.argsort(self.priors, kind="stable")] = priors
        chances = through_means(logit(self.chances), masses(scores, self.scores), wanted)
        return replace(self, chances=chances, priors=wanted, basis=basis)

    def expected(self, scores: NDArray[np.float64], threshold: float) -> Expected:
        """What to expect of the cut on documents with these scores."""
        above = scores > threshold
        count = int(above.sum())
        there = self.chances @ masses(scores, self.scores) * len(scores)
        found = self.chances @ masses(scores[above], self.scores) * count
        return Expected(
            float(threshold),
            count,
            self._interval(found, np.full(len(found), max(count, 1))),
            self._interval(found, there),
            self._interval(2 * found, count + there),
        )

    def expected_at(self, scores: NDArray[np.float64], thresholds: NDArray[np.float64]) -> list[Expected]:
        """What to expect of each of many cuts, at the price of one pass; the thresholds fall.

        >>> posterior = Posterior(np.array([0.0, 1.0]), np.array([[0.1, 0.9]]), np.array([0.5]), 0.0, "an example")
        >>> scores = np.array([0.0, 0.4, 1.0])
        >>> [at.count for at in posterior.expected_at(scores, np.array([0.5, 0.2]))]
        [1, 2]
        """
        knots, cuts = len(self.scores), len(thresholds)
        first = np.searchsorted(-thresholds, -scores, side="right")  # the first cut that each document is above
        place = np.interp(scores, self.scores, np.arange(knots))
        lower = np.floor(place).astype(np.int64)
        row, size = first * (knots + 1), (cuts + 1) * (knots + 1)
        mass = np.bincount(row + lower, 1 - (place - lower), size) + np.bincount(row + lower + 1, place - lower, size)
        above = np.cumsum(mass.reshape(cuts + 1, knots + 1)[:, :-1], axis=0)
        found, counts = above @ self.chances.T, np.cumsum(np.bincount(first, minlength=cuts + 1))[:, None]
        there, found, counts = found[-1], found[:-1], counts[:-1]
        figures = (
            self._intervals(found, np.maximum(counts, 1)),
            self._intervals(found, there),
            self._intervals(2 * found, counts + there),
        )
        numbers = zip(thresholds.tolist(), counts[:, 0].tolist(), *figures, strict=True)
        return [Expected(*number) for number in numbers]

    def _interval(self, part: NDArray[np.float64], whole: NDArray[np.float64]) -> Interval:
        return self._intervals(part[None, :], whole[None, :])[0]

    def _intervals(self, part: NDArray[np.float64], whole: NDArray[np.float64]) -> list[Interval]:
        """Of shares, a row a figure and a column a curve."""
        whole = np.broadcast_to(whole, part.shape)
        value = part.mean(axis=1) / whole.mean(axis=1)
        low, high = np.quantile(part / whole, [self.tail, 1 - self.tail], axis=1)
        bounds = np.stack([value, np.minimum(low, value), np.maximum(high, value)], axis=1)
        return [Interval(*row) for row in bounds.tolist()]

    def best_share(self, scores: NDArray[np.float64]) -> float:
        """The share of these documents above the cut that has the highest macro F1, in the mean over all curves.

        >>> sharp = Posterior(np.array([0.0, 1.0]), np.array([[0.0, 1.0], [0.0, 0.9]]), np.array([0.2, 0.2]), 0.0, "")
        >>> round(sharp.best_share(np.array([0.0] * 80 + [1.0] * 20)), 3)
        0.2
        """
        ordered = np.sort(scores)[::-1]
        counts = np.unique(np.clip((SHARES * len(scores)).round(), 1, len(scores)).astype(np.int64))
        above = np.stack([masses(ordered[:count], self.scores) * count for count in counts], axis=1)
        found, there = self.chances @ above, (self.chances @ masses(scores, self.scores) * len(scores))[:, None]
        rest, missed = len(scores) - counts, there - found
        macro = found / (counts + there) + (rest - missed) / np.maximum(rest + len(scores) - there, LEAST)
        return float(counts[macro.mean(axis=0).argmax()] / len(scores))

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


def masses(scores: NDArray[np.float64], knots: NDArray[np.float64]) -> NDArray[np.float64]:
    """The share of the documents that each knot stands for: chances at knots, times this, are their mean chance.

    >>> masses(np.array([0.0, 0.5, 9.0]), np.array([0.0, 1.0])).round(3).tolist()
    [0.5, 0.5]
    """
    place = np.interp(scores, knots, np.arange(len(knots)))
    lower = np.floor(place).astype(np.int64)
    whole = np.bincount(lower, 1 - (place - lower), len(knots) + 1) + np.bincount(
        lower + 1, place - lower, len(knots) + 1
    )
    return np.asarray(whole[:-1] / max(len(scores), 1))


def through_means(
    odds: NDArray[np.float64], mass: NDArray[np.float64], means: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Chances from log odds, a curve a row, each shifted so that its mean is the one wanted.

    By Newton's method, and by bisection where that would leave what is known to hold the shift.

    >>> through_means(np.zeros((2, 3)), np.full(3, 1 / 3), np.array([0.1, 0.3])).round(6).tolist()
    [[0.1, 0.1, 0.1], [0.3, 0.3, 0.3]]
    """
    means = np.clip(means, RAREST, 1 - RAREST)
    low = logit(means) - odds.max(axis=1)  # all chances at most the mean
    high = logit(means) - odds.min(axis=1)
    shift = (low + high) / 2
    for _ in range(STEPS):
        chances = expit(odds + shift[:, None])
        short = means - chances @ mass
        if np.abs(short).max(initial=0.0) < EXACT:
            break
        low, high = np.where(short > 0, shift, low), np.where(short > 0, high, shift)
        # A slope is the mean of p (1 - p); where it is nothing the step is infinite, and halves are taken.
        with np.errstate(divide="ignore", invalid="ignore"):
            shift = shift + short / ((chances * (1 - chances)) @ mass)
        shift = np.where((shift > low) & (shift < high), shift, (low + high) / 2)
    return np.asarray(np.clip(expit(odds + shift[:, None]), LEAST, 1 - LEAST))


def quantiles(
    values: NDArray[np.float64], weights: NDArray[np.float64], levels: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Quantiles of weighted values.

    >>> quantiles(np.array([1.0, 2.0, 3.0]), np.ones(3), np.array([0.5])).tolist()
    [2.0]
    """
    distinct, place = np.unique(values, return_inverse=True)
    each = np.bincount(place, weights)
    return np.asarray(np.interp(levels, (np.cumsum(each) - each / 2) / each.sum(), distinct))
