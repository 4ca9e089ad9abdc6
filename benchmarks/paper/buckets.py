"""Batches of documents of similar length, as the authors' code makes them; a reading, tried on 20NG."""

from collections.abc import Callable, Iterator

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from keysift.networks.minibatch import batch_risk
from keysift.networks.optimizers import make_optimizer
from keysift.networks.training import Training
from keysift.networks.word_ids import WordIds
from keysift.risk.losses import Loss

__all__ = ["bucketed_rows", "fit_in_buckets"]

POOL = 100
"""So many batches are sorted by length together."""


def bucketed_rows(lengths: NDArray[np.int64], size: int, rng: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    """Every document once: shuffled, sorted by length within pools of a hundred batches, the batches shuffled again.

    >>> sorted(rows.tolist() for rows in bucketed_rows(np.array([9, 1, 8, 2]), 2, np.random.default_rng(0)))
    [[1, 3], [2, 0]]
    """
    order = rng.permutation(len(lengths))
    batches = []
    for start in range(0, len(order), POOL * size):
        pool = order[start : start + POOL * size]
        pool = pool[np.argsort(lengths[pool], kind="stable")]
        batches += [pool[first : first + size] for first in range(0, len(pool), size)]
    for number in rng.permutation(len(batches)):
        yield batches[number]


def fit_in_buckets(
    network: nn.Module,
    documents: WordIds,
    lengths: NDArray[np.int64],
    positive: NDArray[np.bool_],
    loss: Loss,
    plan: Training,
    *,
    seed: int,
    watch: Callable[[int, nn.Module], None],
) -> None:
    """What `fit_network` does without held-out documents, on batches by `lengths`, those before any padding."""
    rng = np.random.default_rng(seed)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        optimizer = make_optimizer(plan, network)
        for epoch in range(1, plan.epochs_of(len(documents)) + 1):
            network.train()
            for rows in bucketed_rows(lengths, plan.batch_size, rng):
                if 0 < positive[rows].sum() < len(rows):
                    scores = network(torch.from_numpy(documents.padded(rows)))
                    optimizer.zero_grad()
                    batch_risk(loss, scores, torch.from_numpy(positive[rows])).backward()  # type: ignore[no-untyped-call]
                    optimizer.step()
            watch(epoch, network)
    network.eval()
