from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from keysift.errors import InputError, SettingError
from keysift.features.linear import Features
from keysift.learn.linear_fit import fit_linear
from keysift.learn.sharded_fit import TrainingShard, fit_sharded
from keysift.risk.losses import get_loss

SIGMOID = get_loss("sigmoid")


def made(rows: int, seed: int, spread: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = spread * rng.normal(size=(rows, 4))
    return X, X[:, 0] + rng.normal(size=rows) > 0.3 * spread


def shards_of(X: Features, positive: np.ndarray, edges: list[int]) -> list[TrainingShard]:
    weights = positive.astype(np.float64)
    both = zip([0, *edges], [*edges, len(positive)], strict=True)
    return [TrainingShard(X[a:b], weights[a:b], 1 - weights[a:b]) for a, b in both if b > a]


@settings(max_examples=15)
@given(st.integers(0, 1000), st.lists(st.integers(1, 399), max_size=4, unique=True), st.booleans(), st.booleans())
def test_shards_learn_what_memory_learns(seed: int, edges: list[int], sparse: bool, standardize: bool) -> None:
    X, positive = made(400, seed)
    features: Features = sp.csr_array(np.where(np.abs(X) > 0.5, X, 0.0)) if sparse else X
    whole, _ = fit_linear(features, positive, SIGMOID, standardize=standardize, tol=1e-8)
    parts = shards_of(features, positive, sorted(edges))
    ours, history = fit_sharded(parts, SIGMOID, standardize=standardize, tol=1e-8)
    assert ours.coef == pytest.approx(whole.coef, abs=1e-6)
    assert ours.offset == pytest.approx(whole.offset, abs=1e-6)
    assert history.converged


@pytest.mark.long
def test_scores_that_spread_far_get_a_coarser_lattice() -> None:
    X, positive = made(3000, 0, spread=1.0)
    X[0] = 1e5
    whole, _ = fit_linear(X, positive, SIGMOID, standardize=False, max_iter=2)
    ours, _ = fit_sharded(shards_of(X, positive, [1000]), SIGMOID, standardize=False, max_iter=2)
    assert np.isfinite(ours.coef).all()
    assert ours.coef == pytest.approx(whole.coef, rel=0.05, abs=1e-3)


def test_memory_mapped_shards_in_threads(tmp_path: Path) -> None:
    X, positive = made(4000, 1)
    whole, _ = fit_linear(X.astype(np.float32).astype(np.float64), positive, SIGMOID)
    shards, weights = [], positive.astype(np.float64)
    for number in range(4):
        rows = slice(1000 * number, 1000 * number + 1000)
        np.save(tmp_path / f"{number}.npy", X[rows].astype(np.float32))
        mapped = np.load(tmp_path / f"{number}.npy", mmap_mode="r")
        shards.append(TrainingShard(mapped, weights[rows], 1 - weights[rows]))
    with ThreadPoolExecutor(2) as pool:
        ours, _ = fit_sharded(shards, SIGMOID, each=pool.map)
    assert ours.coef == pytest.approx(whole.coef, abs=1e-6)


def test_what_cannot_be_fitted_is_refused() -> None:
    X, positive = made(10, 0)
    with pytest.raises(SettingError, match="Only smooth losses"):
        fit_sharded(shards_of(X, positive, []), get_loss("hinge"))
    with pytest.raises(InputError, match="A risk compares two sets"):
        fit_sharded(shards_of(X, np.ones(10, dtype=bool), []), SIGMOID)
    with pytest.raises(InputError, match="one weight of each set for every row"):
        TrainingShard(X, np.ones(9), np.ones(10))
