"""Views of documents that are nothing but numbers."""

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from keysift.config import LearnConfig
from keysift.features.linear import Features, LinearModel
from keysift.features.view import Documents
from keysift.learn.view_fit import FitPlan
from keysift.risk.losses import get_loss

PLAN = FitPlan(get_loss("sigmoid"), LearnConfig(l2=0.1, round_l2=0.1, max_iter=50, tol=1e-5))
EVEN = {"near": 1.0, "far": 1.0}


@dataclass(frozen=True, eq=False)
class Numbers:
    """Features that are there already."""

    X: Features
    known: NDArray[np.bool_] | None = None

    def transform(self, documents: Documents) -> Features:
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
