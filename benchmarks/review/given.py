"""The labels that are known before reading begins: one relevant document and one irrelevant, drawn by the seed."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["first_two"]


def first_two(relevant: NDArray[np.bool_], seed: int) -> list[int]:
    """One relevant document and one irrelevant, the same for every program.

    >>> first_two(np.array([False, True, False]), 0)[0]
    1
    """
    rng = np.random.default_rng(seed)
    return [int(rng.choice(np.flatnonzero(relevant))), int(rng.choice(np.flatnonzero(~relevant)))]
