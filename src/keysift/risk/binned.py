"""Any smooth loss over all pairs, in three separate phases that also work shard by shard.

1. `put_on_grid`: each score shares its weight between the two nearest grid points (linear interpolation).
2. `combine`: the two histograms are convolved with the sampled loss and its slope, by fast Fourier transform.
3. `read_back`: each score reads its derivative from the two nearest grid points.

The histograms of shards add up, so the data has to come together in phase 2 only.
With a step of 1/512 the value and the gradient agree with the sum over pairs to about 1e-7 of the largest loss and
slope. Scores that spread over more than 2,048 get a coarser grid; the error grows with the square of its step.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.fft import irfft, next_fast_len, rfft

from keysift.risk.losses import Loss
from keysift.risk.pairs import Risk, pairs_risk
from keysift.risk.sides import Scores, Sides

STEP = 1.0 / 512.0
"""Losses vary on the scale of one, so this step is fine enough for any data."""
MAX_POINTS = 2**20
"""Bounds time and memory for scores that spread over more than MAX_POINTS * STEP = 2048."""
FEW_PAIRS = 10_000_000
"""Up to this many pairs are summed one by one where the grid would be coarse."""

TABLE = 2**17
"""Samples of a loss that are kept, on either side of zero."""
BLOCK = 2**15
"""Scores handled at once: few enough that the intermediate results stay in the processor's cache."""


@dataclass(frozen=True)
class Grid:
    """Evenly spaced points: `low`, `low + step`, ..."""

    low: float
    step: float
    points: int


@dataclass(frozen=True)
class Field:
    """The result of phase 2: the risk, and its derivative at every grid point for a score of weight one."""

    value: float
    positive_slope: NDArray[np.float64]
    negative_slope: NDArray[np.float64]


def make_grid(low: float, high: float) -> Grid:
    """The grid for scores from `low` to `high`; shards agree on it by sharing their extremes.

    >>> make_grid(0.0, 1.0)
    Grid(low=0.0, step=0.001953125, points=514)
    """
    step = max(STEP, (high - low) / (MAX_POINTS - 2))
    return Grid(low, step, int((high - low) / step) + 2)


def put_on_grid(scores: Scores, weights: NDArray[np.float64], grid: Grid) -> NDArray[np.float64]:
    """Phase 1: the weighted histogram, each score shared between the two nearest points.

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
    """Phase 2: both histograms against the sampled loss; its cost does not depend on the number of documents."""
    n = grid.points
    size = next_fast_len(3 * n - 2, real=True)
    # Several transforms at a time take two thirds of the time of one after the other.
    value, slope = rfft(_sampled(loss, grid), size)
    # Reversed, because a negative sees the margin from the other side.
    against_negative, against_positive = rfft(np.stack([negative, positive[::-1]]), size)
    spectra = np.stack([value * against_negative, slope * against_negative, slope * against_positive])
    losses, positive_slope, negative_slope = np.asarray(irfft(spectra, size)[:, n - 1 : 2 * n - 1])
    return Field(float(positive @ losses), positive_slope, -negative_slope[::-1])


def _sampled(loss: Loss, grid: Grid) -> NDArray[np.float64]:
    """Two rows: the loss and its slope at every margin between two points of the grid."""
    widest = grid.points - 1
    most = 1 << widest.bit_length()
    if most > TABLE:
        return _sample(loss, widest, grid.step)
    return _table(loss, most, grid.step)[:, most - widest : most + widest + 1]


def _sample(loss: Loss, most: int, step: float) -> NDArray[np.float64]:
    margins = np.arange(-most, most + 1) * step
    return np.stack([loss.value(margins), loss.slope(margins)])


_table = lru_cache(maxsize=16)(_sample)
"""A fit evaluates the risk a hundred times, each time on a grid of about the same size: the loss is sampled once."""


def read_back(slope: NDArray[np.float64], scores: Scores, grid: Grid) -> NDArray[np.float64]:
    """Phase 3: the derivative at each score, interpolated between the two nearest points.

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
    """The grid point at or below each score, and the distance from it in steps (0 to 1)."""
    places = (scores - grid.low) * (1.0 / grid.step)
    cells = np.minimum(places.astype(np.int64), grid.points - 2)
    return cells, places - cells


def binned_risk(loss: Loss, sides: Sides) -> Risk:
    """All three phases, for data in one place.

    >>> from keysift.risk.losses import get_loss
    >>> round(binned_risk(get_loss("sigmoid"), Sides.of(np.array([1.0]), np.array([-1.0]))).value, 6)
    0.119203
    """
    positive, negative, w, v = sides.positive, sides.negative, sides.positive_weights, sides.negative_weights
    grid = make_grid(
        float(min(positive.min(), negative.min())),
        float(max(positive.max(), negative.max())),
    )
    if grid.step > STEP and len(positive) * len(negative) <= FEW_PAIRS:
        return pairs_risk(loss, sides)
    field = combine(loss, put_on_grid(positive, w, grid), put_on_grid(negative, v, grid), grid)
    return Risk(
        value=field.value,
        positive_gradient=w * read_back(field.positive_slope, positive, grid),
        negative_gradient=v * read_back(field.negative_slope, negative, grid),
    )
