"""The same fit over shards: all pairs of all shards in every step, and only small sums leave a shard.

A step adds up two things over shards: the histograms of the two sets of scores (phase 1 of `keysift.risk.binned`) and
the gradient (phase 3). Between them the histograms are combined (phase 2), which costs the same for a thousand rows
and for a billion. Before them come the lowest and the highest score of each shard, two numbers, which give the grid.
Features may be memory-mapped: a shard reads them block by block.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.errors import InputError, SettingError
from keysift.features.linear import Features, LinearModel
from keysift.learn.linear_fit import History, Vector, descend, scale_by
from keysift.risk.binned import Field, Grid, combine, make_grid, put_on_grid, read_back
from keysift.risk.losses import Loss, check_slope

BLOCK = 1 << 16
"""Rows that are read at a time."""
Each = Callable[[Callable[[Any], Any], Sequence[Any]], Iterable[Any]]
"""Runs a function on every shard and gives the results in order: `map`, or that of a pool of threads."""


class TrainingShard:
    """Rows of features, and the weight of each in the positive and the negative set."""

    def __init__(self, X: Features | NDArray[np.float32], positive: Vector, negative: Vector) -> None:
        if not X.shape[0] == len(positive) == len(negative):
            raise InputError(
                f"A shard needs one weight of each set for every row; got {X.shape[0]} rows, {len(positive)} positive"
                f" and {len(negative)} negative weights."
            )
        self.X, self.positive, self.negative = X, positive, negative
        self._scores = np.zeros(len(positive))

    def sums(self) -> tuple[float, float, Vector]:
        """The weight of each set, and the sum of all rows by their weight in both."""
        weight = self.positive + self.negative
        total = np.zeros(self.X.shape[1])
        for part in self._blocks():
            total += weight[part] @ self.X[part]
        return float(self.positive.sum()), float(self.negative.sum()), total

    def squares(self, mean: Vector) -> Vector:
        """The sum of the squared distances from the mean by the weight in both; of sparse rows, of the squares."""
        weight, total = self.positive + self.negative, np.zeros(self.X.shape[1])
        for part in self._blocks():
            rows = self.X[part]
            total += weight[part] @ (rows.power(2) if sp.issparse(rows) else (rows - mean) ** 2)
        return total

    def is_sparse(self) -> bool:
        """Whether most of the features are zero, and not kept."""
        return sp.issparse(self.X)

    def scores(self, coef: Vector) -> Vector:
        """The score of every row."""
        for part in self._blocks():
            self._scores[part] = self.X[part] @ coef
        return self._scores

    def extremes(self, coef: Vector) -> tuple[float, float]:
        """Score the rows; the lowest and the highest score, by which shards agree on a grid."""
        scores = self.scores(coef)
        return float(scores.min()), float(scores.max())

    def histograms(self, grid: Grid) -> tuple[Vector, Vector]:
        """Phase 1: the scores of both sets on the grid."""
        return put_on_grid(self._scores, self.positive, grid), put_on_grid(self._scores, self.negative, grid)

    def gradient(self, field: Field, grid: Grid) -> Vector:
        """Phase 3: the slope of the risk by each coefficient, at the scores of the last `extremes`."""
        total = np.zeros(self.X.shape[1])
        for part in self._blocks():
            scores = self._scores[part]
            slopes = self.positive[part] * read_back(field.positive_slope, scores, grid)
            slopes += self.negative[part] * read_back(field.negative_slope, scores, grid)
            total += slopes @ self.X[part]
        return total

    def _blocks(self) -> Iterable[slice]:
        return (slice(start, start + BLOCK) for start in range(0, self.X.shape[0], BLOCK))


def fit_sharded(
    shards: Sequence[Any],
    loss: Loss,
    *,
    l2: float = 0.15,
    max_iter: int = 200,
    tol: float = 1e-6,
    standardize: bool = True,
    each: Each = map,
) -> tuple[LinearModel, History]:
    """What `fit_linear` learns from all rows together, from shards; `each` runs the shards' part of every step.

    A shard is a `TrainingShard`, or whatever `each` finds one by: on other machines, say.

    >>> from keysift.risk.losses import get_loss
    >>> from keysift.learn.linear_fit import fit_linear
    >>> X, positive = np.array([[0.0, 1.0], [1.0, 0.0], [0.2, 0.3], [0.9, 0.8]]), np.array([0.0, 1.0, 0.0, 1.0])
    >>> halves = [TrainingShard(X[rows], positive[rows], 1 - positive[rows]) for rows in (slice(0, 2), slice(2, 4))]
    >>> sharded, _ = fit_sharded(halves, get_loss("sigmoid"))
    >>> whole, _ = fit_linear(X, positive > 0, get_loss("sigmoid"))
    >>> bool(np.abs(sharded.coef - whole.coef).max() < 1e-6)
    True
    """
    check_slope(loss)
    if loss.form != "smooth":
        raise SettingError(f"Only smooth losses can be fitted over shards, such as sigmoid; got {loss.name!r}.")
    sums = list(each(TrainingShard.sums, shards))
    above, below = sum(one[0] for one in sums), sum(one[1] for one in sums)
    if not above or not below:
        raise InputError(f"A risk compares two sets; got the weights {above:g} and {below:g} of them.")
    mean = np.asarray(sum(one[2] for one in sums)) / (above + below)
    scale = np.ones(len(mean))
    if standardize:
        squares = sum(each(lambda shard: shard.squares(mean), shards)) / (above + below)
        sparse = any(each(TrainingShard.is_sparse, shards[:1]))
        scale = scale_by(squares - mean**2 if sparse else squares, (1e-13 if sparse else 1e-28) * mean**2)

    def risk_at(w: Vector) -> tuple[float, Vector]:
        ends = list(each(lambda shard: shard.extremes(scale * w), shards))
        grid = make_grid(min(low for low, _ in ends), max(high for _, high in ends))
        sides = list(each(lambda shard: shard.histograms(grid), shards))
        positive, negative = (np.asarray(sum(side[place] for side in sides)) for place in (0, 1))
        field = combine(loss, positive / above, negative / below, grid)
        # Each side was divided by its weight: so are its slopes.
        field = Field(field.value, field.positive_slope / above, field.negative_slope / below)
        gradient = sum(each(lambda shard: shard.gradient(field, grid), shards))
        return field.value, scale * np.asarray(gradient)

    w, history = descend(risk_at, np.zeros(len(mean)), l2=l2, max_iter=max_iter, tol=tol)
    return LinearModel(scale * w, offset=-float(mean @ (scale * w))), history
