r"""Where to look, and how much: four strata along the ranking and the number of documents from each.

The cut is a border, so precision needs only the strata above it. Recall is A / (A + B), with A relevant documents above
the cut and B below, and its variance is about

    [B^2 Var(A) + A^2 Var(B)] / (A + B)^4 .

B is spread thinly over many documents, so most of the variance of recall, and of the prevalence, comes from below the
cut; what is just below it is apart from the rest, because relevant documents are dense there.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

STRATA = ("top", "above the cut", "just below", "elusion")
"""The best documents, the others above the cut, the next below it, and the rest."""

EXPECTED = np.array([0.9, 0.6, 0.25, 0.05])
"""Shares of relevant documents to plan with; wrong ones cost precision, never validity."""

IMPORTANCE = (1.5, 1.0, 1.0)
"""Of precision, recall and prevalence. Where nearly all documents above the cut are relevant, few outcomes are likely
and the coverage of an interval comes in steps; more of them make the steps smaller."""


@dataclass(frozen=True, eq=False)
class Allocation:
    """Sizes of the strata and of the samples from them."""

    sizes: NDArray[np.int64]
    taken: NDArray[np.int64]


def stratum_sizes(documents: int, above: int, k: int) -> NDArray[np.int64]:
    """How many documents are in each stratum.

    The top is the first k, but at most half of what is above the cut. Just below is the geometric mean of what is above
    and below the cut, but at most half of what is below: both ways of drawing the line that have a reason, as many
    documents as above and a fixed share of those below, meet in the middle.

    >>> stratum_sizes(10_000, 900, 100).tolist()
    [100, 800, 2862, 6238]
    """
    below = documents - above
    top = min(k, above // 2)
    near = min(round(np.sqrt(above * below)), below // 2)
    return np.array([top, above - top, near, below - near])


def allocate(sizes: NDArray[np.int64], n: int) -> NDArray[np.int64]:
    """How many documents to take from each stratum: something from each, small ones whole, n in all.

    The shares are the mean of three that are each best for one figure (Neyman: size times standard deviation, times
    what the figure makes of it): precision, which counts half as much again, recall and prevalence.

    >>> allocate(np.array([100, 800, 2862, 6238]), 100).tolist()
    [5, 49, 22, 24]
    >>> allocate(np.array([2, 3, 0, 4]), 100).tolist()
    [2, 3, 0, 4]
    """
    n = min(n, int(sizes.sum()))
    spread = sizes * np.sqrt(EXPECTED * (1 - EXPECTED))
    above = np.array([True, True, False, False])
    relevant = sizes * EXPECTED
    others = np.where(above, relevant[~above].sum(), relevant[above].sum())
    figures = [spread * above, spread * others, spread]  # precision, recall, prevalence
    weights = sum(
        weight * figure / figure.sum() for weight, figure in zip(IMPORTANCE, figures, strict=True) if figure.sum() > 0
    )
    least = np.minimum(sizes, max(1, n // 20))
    return _whole(_within(np.asarray(weights, dtype=np.float64), least, sizes, n), sizes, n)


def plan(documents: int, above: int, n: int, k: int) -> Allocation:
    """Sizes and samples.

    >>> plan(20, 4, 8, 100).taken.tolist()
    [2, 2, 3, 1]
    """
    sizes = stratum_sizes(documents, above, k)
    return Allocation(sizes, allocate(sizes, n))


def _within(
    weights: NDArray[np.float64], least: NDArray[np.int64], most: NDArray[np.int64], n: int
) -> NDArray[np.float64]:
    """Shares of n by weight, each kept between its least and its most: c * weight, clipped, for the c that fits."""
    weights = np.maximum(weights, 1e-9 * weights.max())
    low, high = 0.0, float((most / weights).max()) + 1.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if np.clip(middle * weights, least, most).sum() < n else (low, middle)
    return np.asarray(np.clip(high * weights, least, most))


def _whole(wanted: NDArray[np.float64], most: NDArray[np.int64], n: int) -> NDArray[np.int64]:
    """Rounded to whole numbers that add up to n, the largest remainders up."""
    taken = np.floor(wanted + 1e-9).astype(np.int64)
    for place in np.argsort(taken - wanted, kind="stable"):
        if taken.sum() < n and taken[place] < most[place]:
            taken[place] += 1
    return taken
