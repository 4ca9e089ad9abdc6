"""Documents that say the same, so that a person answers one of them."""

import numpy as np
import polars as pl
from numpy.typing import NDArray


def groups(texts: pl.Series) -> NDArray[np.int64]:
    """The group of each document, a number from 0 on; duplicates share theirs.

    >>> groups(pl.Series(["a goal", "rain", "a goal"])).tolist()
    [0, 1, 0]
    """
    first: dict[str, int] = {}
    return np.array([first.setdefault(" ".join(text.split()), len(first)) for text in texts], dtype=np.int64)
