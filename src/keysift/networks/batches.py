"""Which documents form a batch, in training and in scoring."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]


def hold_out(positive: NDArray[np.bool_], share: float, rng: np.random.Generator) -> tuple[Numbers, Numbers]:
    """Rows to train on and rows to hold out, the same share of each set; none if a set is too small.

    >>> train, held = hold_out(np.array([True, True, False, False]), 0.5, np.random.default_rng(0))
    >>> len(train), len(held)
    (2, 2)
    """
    kept, held = [], []
    for members in (np.flatnonzero(positive), np.flatnonzero(~positive)):
        shuffled = rng.permutation(members)
        count = min(int(np.ceil(share * len(members))), len(members) - 1)
        held.append(shuffled[:count])
        kept.append(shuffled[count:])
    if not all(map(len, held)):
        return np.arange(len(positive)), np.empty(0, dtype=np.int64)
    return np.sort(np.concatenate(kept)), np.sort(np.concatenate(held))


def batch_rows(positive: NDArray[np.bool_], size: int, balanced: bool, rng: np.random.Generator) -> Iterator[Numbers]:
    """The batches of one epoch; each contains documents of both sets.

    Natural batches take each document once, as it comes; a batch with documents of only one set is skipped, since it
    has no pair. Balanced batches take one half from each set, so documents of the smaller set come up more often.

    >>> positive = np.array([True, False, False, False])
    >>> [positive[rows].sum() for rows in batch_rows(positive, 2, True, np.random.default_rng(0))]
    [np.int64(1), np.int64(1)]
    """
    if not balanced:
        order = rng.permutation(len(positive))
        for start in range(0, len(order), size):
            rows = order[start : start + size]
            if 0 < positive[rows].sum() < len(rows):
                yield rows
        return
    steps, half = -(-len(positive) // size), max(1, size // 2)
    p, n = (_repeat(np.flatnonzero(members), steps * half, rng) for members in (positive, ~positive))
    for step in range(steps):
        part = slice(step * half, (step + 1) * half)
        yield np.concatenate([p[part], n[part]])


def _repeat(members: Numbers, count: int, rng: np.random.Generator) -> Numbers:
    """`count` members; how often each comes up differs by one at most."""
    rounds = -(-count // len(members))
    return np.concatenate([rng.permutation(members) for _ in range(rounds)])[:count]


def scoring_batches(lengths: Numbers, words: int) -> Iterator[Numbers]:
    """Batches of documents of similar length; a padded batch has at most `words` places, or a single document.

    >>> [rows.tolist() for rows in scoring_batches(np.array([3, 1, 9, 2]), words=6)]
    [[1, 3], [0], [2]]
    """
    order = np.argsort(lengths, kind="stable")
    start = 0
    while start < len(order):
        # Sorted, so the last document of a batch is its longest.
        places = np.maximum(1, lengths[order[start : start + words]]) * np.arange(1, min(words, len(order) - start) + 1)
        count = max(1, int(np.searchsorted(places, words, side="right")))
        yield order[start : start + count]
        start += count
