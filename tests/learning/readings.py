"""Views of documents that are nothing but numbers."""

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from keysift.learning import Plan
from keysift.losses import get_loss
from keysift.models import Features, LinearModel
from keysift.views import Documents

PLAN = Plan(get_loss("sigmoid"), l2=0.1, round_l2=0.1, max_iter=50, tol=1e-5)


@dataclass(frozen=True, eq=False)
class Numbers:
    """Features that are there already."""

    X: Features

    def features(self, documents: Documents) -> Features:
        raise NotImplementedError

    def part(self, coef: NDArray[np.float64], words: pl.Series) -> LinearModel:
        raise NotImplementedError


def two_views(truth: NDArray[np.bool_], distance: float, rng: np.random.Generator) -> dict[str, Numbers]:
    """Each view sees relevant documents so far from the others, in a direction of its own."""
    views = {}
    for name in ("near", "far"):
        X = rng.normal(size=(len(truth), 4))
        X[:, 0] += distance * truth
        views[name] = Numbers(X - X.mean(axis=0))
    return views
