"""A number for every text by which samples are drawn: the same on every machine, in any order, in any batch."""

import hashlib

import numpy as np
import polars as pl
from numpy.typing import NDArray


def content_hash(texts: pl.Series) -> NDArray[np.uint64]:
    """The first eight bytes of the BLAKE2 hash of each text.

    >>> content_hash(pl.Series(["a goal", "rain"])).tolist()
    [14731804962974774497, 16087700009325496637]
    """
    hashed = b"".join(hashlib.blake2b(text.encode(), digest_size=8).digest() for text in texts)
    return np.frombuffer(hashed, dtype="<u8").astype(np.uint64)
