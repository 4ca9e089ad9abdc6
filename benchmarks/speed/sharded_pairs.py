"""Ten million documents against ten million, every pair in every step, from memory-mapped shards."""

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keysift.learn.linear_fit import fit_linear
from keysift.learn.sharded_fit import TrainingShard, fit_sharded
from keysift.risk.losses import get_loss

__all__ = ["sharded_pairs"]

FEATURES, SHARDS, SEED = 8, 20, 0


def sharded_pairs(rows: int = 20_000_000, threads: int = 2) -> dict[str, Any]:
    """Half of the rows are positive, with noise; the fit over shards beside the one in memory."""
    loss, size = get_loss("sigmoid"), rows // SHARDS
    with TemporaryDirectory() as folder:
        shards, positive = [], []
        for number in range(SHARDS):
            rng = np.random.default_rng([SEED, number])
            path, label = Path(folder) / f"{number}.npy", np.repeat([True, False], [size // 2, size - size // 2])
            some = rng.normal(size=(size, FEATURES)).astype(np.float32)
            some[:, 0] += label
            np.save(path, some)
            mapped = np.load(path, mmap_mode="r")
            shards.append(TrainingShard(mapped, label.astype(np.float64), 1.0 - label))
            positive.append(label)
        start = time.perf_counter()
        with ThreadPoolExecutor(threads) as pool:
            ours, history = fit_sharded(shards, loss, each=pool.map)
        seconds = time.perf_counter() - start
        X: NDArray[np.float64] = np.concatenate([np.asarray(shard.X, dtype=np.float64) for shard in shards])
        labels = np.concatenate(positive)
        start = time.perf_counter()
        theirs, _ = fit_linear(X, labels, loss)
        whole = time.perf_counter() - start
    pairs = int(labels.sum()) * int((~labels).sum())
    return {
        "figure": "pairs",
        "positives": int(labels.sum()),
        "negatives": int((~labels).sum()),
        "pairs": pairs,
        "steps": history.steps,
        "seconds": seconds,
        "seconds_in_memory": whole,
        "largest_difference": float(np.abs(ours.coef - theirs.coef).max()),
    }
