"""Words by their place in a vocabulary."""

import numpy as np
import polars as pl
from numpy.typing import NDArray

from keysift.text.tokens import Tokens

FEW = 1_000
"""Fewer words are found faster by one pass over the vocabulary than by an index of it."""


def locate(words: pl.Series, vocabulary: pl.Series) -> NDArray[np.int64]:
    """Row of each word in a vocabulary without repeats, -1 where it is not there.

    >>> locate(pl.Series(["b", "x", "a"]), pl.Series(["a", "b"])).tolist()
    [1, -1, 0]
    """
    places = vocabulary.rename("word").to_frame().with_row_index("row").with_columns(pl.col("row").cast(pl.Int64))
    if len(words) < FEW < len(vocabulary):
        places = places.filter(pl.col("word").is_in(words.implode()))
    found = words.rename("word").to_frame().join(places, on="word", how="left", maintain_order="left")
    return found["row"].fill_null(-1).to_numpy()


def align(tokens: Tokens, vocabulary: pl.Series) -> Tokens:
    """The same documents in the words of another vocabulary; other words are left out.

    >>> from keysift.text.tokens import tokenize
    >>> aligned = align(tokenize(pl.Series(["a b c", "c"])), pl.Series(["c", "a"]))
    >>> aligned.codes.tolist(), aligned.starts.tolist()
    ([1, 0, 0], [0, 2, 3])
    """
    codes = locate(tokens.words, vocabulary).astype(np.int32)[tokens.codes]
    kept = codes >= 0
    before = np.concatenate([[0], np.cumsum(kept)])
    return Tokens(codes=codes[kept], starts=before[tokens.starts], words=vocabulary)
