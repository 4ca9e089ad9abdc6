"""Views of documents that are nothing but numbers, and examples among such documents."""

from dataclasses import dataclass

import numpy as np
import polars as pl
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.config import DEFAULT, LearnConfig
from keysift.features.linear import Features, LinearModel
from keysift.features.view import Documents
from keysift.learn.cotraining import FitPlan
from keysift.learn.nearest import Nearest, find_examples, fit_nearest, widened
from keysift.risk.losses import get_loss

PLAN = FitPlan(get_loss("sigmoid"), LearnConfig(l2=0.1, round_l2=0.1, max_iter=50, tol=1e-5))


@dataclass(frozen=True, eq=False)
class Numbers:
    """Features that are there already."""

    X: Features

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


def nearest_of(
    counts: sp.csr_array,
    values: NDArray[np.float64],
    weight: float,
    *,
    words: int | None = None,
    silent: NDArray[np.bool_] | None = None,
    documents: NDArray[np.int64] | None = None,
    config: LearnConfig = DEFAULT,
) -> Nearest | None:
    """A score by example, some or all of the documents being examples; `values` are those of all."""
    total, size = counts.shape
    words, silent = words or size, np.zeros(size, dtype=bool) if silent is None else silent
    documents = np.arange(total) if documents is None else documents
    examples = find_examples(counts, silent, documents, words, config)
    similar = examples.similar(widened(counts, words))
    return fit_nearest(examples, similar, values[documents], weight, config.example_sample)
