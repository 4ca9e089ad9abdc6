"""Any smooth loss, over all pairs, in three separate phases that also work shard by shard.

1. `put_on_grid`: each score gives its weight to the two grid points beside it (linear weights).
2. `combine`: the two histograms meet the sampled loss and its slope by fast Fourier transform.
3. `read_back`: each score reads its derivative from the two grid points beside it.

Histograms of shards simply add up, so phase 2 is the only place where the data has to come together.
With the step of 1/512 the value and the gradient agree with the sum over pairs to about 1e-7 of the largest loss and
slope. Scores that spread wider than 2,048 get a coarser grid, and the error grows with the square of its step.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.fft import irfft, next_fast_len, rfft

from keysift.losses import Loss
from keysift.risk.pairs import Risk, Scores, Weights, normalised, pairs_risk

__all__ = ["Field", "Grid", "binned_risk", "combine", "make_grid", "put_on_grid", "read_back"]

STEP = 1.0 / 512.0
"""Losses vary on the scale of one, so this step is fine enough whatever the data."""
MAX_POINTS = 2**20
"""Bounds time and memory for scores that spread wider than MAX_POINTS * STEP = 2048."""
FEW_PAIRS = 10_000_000
"""So many pairs are summed one by one, if the grid would have to be coarse."""

BLOCK = 2**15
"""Scores handled in one go: few enough that the intermediate results stay in the processor's cache."""


@dataclass(frozen=True)
class Grid:
    """Equidistant points: `low`, `low + step`, ..."""

    low: float
    step: float
    points: int


@dataclass(frozen=True)
class Field:
    """What phase 2 leaves on the grid: the risk, and its derivative at every point for a unit of weight."""

    value: float
    positive_slope: NDArray[np.float64]
    negative_slope: NDArray[np.float64]


def make_grid(low: float, high: float) -> Grid:
    """The grid for scores between `low` and `high`; shards agree on it by sharing their extremes.

    >>> make_grid(0.0, 1.0)
    Grid(low=0.0, step=0.001953125, points=514)
    """
    step = max(STEP, (high - low) / (MAX_POINTS - 2))
    return Grid(low, step, int((high - low) / step) + 2)


def put_on_grid(scores: Scores, weights: NDArray[np.float64], grid: Grid) -> NDArray[np.float64]:
    """Phase 1: the weighted histogram, each score shared between its two neighbours.

    >>> put_on_grid(np.array([0.25]), np.array([1.0]), Grid(0.0, 1.0, 3)).tolist()
    [0.75, 0.25, 0.0]
    """
    histogram = np.zeros(grid.points)
    for part in _blocks(len(scores), grid):
        cells, upper = _place(scores[part], grid)
        share = weights[part] * upper
        histogram += np.bincount(cells, weights[part] - share, grid.points)
        histogram[1:] += np.bincount(cells, share, grid.points)[:-1]
    return histogram


def combine(loss: Loss, positive: NDArray[np.float64], negative: NDArray[np.float64], grid: Grid) -> Field:
    """Phase 2: both histograms against the sampled loss; independent of the number of documents."""
    n = grid.points
    margins = np.arange(1 - n, n) * grid.step
    size = next_fast_len(3 * n - 2, real=True)
    value, slope = rfft(loss.value(margins), size), rfft(loss.slope(margins), size)
    against_negative = rfft(negative, size)
    # Turned round, because a negative sees the margin from the other side.
    against_positive = rfft(positive[::-1], size)

    def middle(spectrum: NDArray[np.complex128]) -> NDArray[np.float64]:
        return np.asarray(irfft(spectrum, size)[n - 1 : 2 * n - 1])

    return Field(
        value=float(positive @ middle(value * against_negative)),
        positive_slope=middle(slope * against_negative),
        negative_slope=-middle(slope * against_positive)[::-1],
    )


def read_back(slope: NDArray[np.float64], scores: Scores, grid: Grid) -> NDArray[np.float64]:
    """Phase 3: the derivative at each score, between its two neighbours.

    >>> read_back(np.array([0.0, 4.0, 8.0]), np.array([0.25]), Grid(0.0, 1.0, 3)).tolist()
    [1.0]
    """
    result = np.empty(len(scores))
    for part in _blocks(len(scores), grid):
        cells, upper = _place(scores[part], grid)
        low = slope[cells]
        result[part] = low + upper * (slope[cells + 1] - low)
    return result


def _blocks(size: int, grid: Grid) -> Iterator[slice]:
    step = max(BLOCK, grid.points)  # a block costs at least one pass over the grid
    return (slice(start, start + step) for start in range(0, size, step))


def _place(scores: Scores, grid: Grid) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The grid point at or below each score, and how far the score is towards the next (0 to 1)."""
    places = (scores - grid.low) * (1.0 / grid.step)
    cells = np.minimum(places.astype(np.int64), grid.points - 2)
    return cells, places - cells


def binned_risk(
    loss: Loss,
    positive: Scores,
    negative: Scores,
    positive_weights: Weights = None,
    negative_weights: Weights = None,
) -> Risk:
    """The three phases in a row, for data in one place.

    >>> from keysift.losses import get_loss
    >>> round(binned_risk(get_loss("sigmoid"), np.array([1.0]), np.array([-1.0])).value, 6)
    0.119203
    """
    w = normalised(positive_weights, len(positive))
    v = normalised(negative_weights, len(negative))
    grid = make_grid(
        float(min(positive.min(), negative.min())),
        float(max(positive.max(), negative.max())),
    )
    if grid.step > STEP and len(positive) * len(negative) <= FEW_PAIRS:
        return pairs_risk(loss, positive, negative, positive_weights, negative_weights)
    field = combine(loss, put_on_grid(positive, w, grid), put_on_grid(negative, v, grid), grid)
    return Risk(
        value=field.value,
        positive_gradient=w * read_back(field.positive_slope, positive, grid),
        negative_gradient=v * read_back(field.negative_slope, negative, grid),
    )
