"""Documents as word numbers, the way a network reads them."""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from keysift.text.tokens import Tokens
from keysift.text.vocabulary import align


@dataclass(frozen=True, eq=False)
class WordIds:
    """The words of document i are `ids[starts[i]:starts[i + 1]]`; word w of the vocabulary has the number w + 1."""

    ids: NDArray[np.int64]
    starts: NDArray[np.int64]

    @property
    def lengths(self) -> NDArray[np.int64]:
        """How many words each document has."""
        return np.diff(self.starts)

    def __len__(self) -> int:
        return len(self.starts) - 1

    def padded(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Some documents as a table (rows, longest), padded with 0.

        >>> WordIds(np.array([5, 6, 7]), np.array([0, 1, 1, 3])).padded(np.array([2, 0])).tolist()
        [[6, 7], [5, 0]]
        """
        lengths = self.lengths[rows]
        places = np.arange(max(1, lengths.max(initial=0)))
        held = places < lengths[:, None]
        table = np.zeros(held.shape, dtype=np.int64)
        table[held] = self.ids[(self.starts[rows][:, None] + places)[held]]
        return table

    def take(self, rows: NDArray[np.int64]) -> "WordIds":
        """Some of the documents.

        >>> WordIds(np.array([5, 6, 7]), np.array([0, 1, 3])).take(np.array([1])).ids.tolist()
        [6, 7]
        """
        lengths = self.lengths[rows]
        starts = np.concatenate([[0], np.cumsum(lengths)])
        places = np.arange(starts[-1]) + np.repeat(self.starts[rows] - starts[:-1], lengths)
        return WordIds(self.ids[places], starts)

    def occlusions(self) -> tuple[NDArray[np.int64], NDArray[np.int64], "WordIds"]:
        """Every document without each of its distinct words: the document, the word, and what remains.

        >>> documents, words, rest = WordIds(np.array([5, 6, 5]), np.array([0, 3])).occlusions()
        >>> documents.tolist(), words.tolist(), rest.ids.tolist(), rest.starts.tolist()
        ([0, 0], [5, 6], [6, 5, 5], [0, 1, 3])
        """
        owners = np.repeat(np.arange(len(self)), self.lengths)
        documents, words = np.unique(np.stack([owners, self.ids]), axis=1)
        whole = self.take(documents)
        kept = whole.ids != np.repeat(words, whole.lengths)
        before = np.concatenate([[0], np.cumsum(kept)])
        return documents, words, WordIds(whole.ids[kept], before[whole.starts])


def number_words(tokens: Tokens, vocabulary: pl.Series, stop_words: Collection[str], most: int | None) -> WordIds:
    """The words of each document that the vocabulary has, as numbers: without stop words, and only the first `most`.

    >>> from keysift.text.tokens import tokenize
    >>> tokens = tokenize(pl.Series(["the puck and the goal", "a goal"]))
    >>> number_words(tokens, pl.Series(["goal", "puck", "the"]), {"the"}, 1).ids.tolist()
    [2, 1]
    """
    known = align(tokens, vocabulary)
    silent = vocabulary.is_in(list(stop_words)).to_numpy()
    kept = ~silent[known.codes]
    if most is not None:
        # For each word, how many kept words of its document come before it.
        before = np.concatenate([[0], np.cumsum(kept)])
        kept &= before[:-1] - np.repeat(before[known.starts[:-1]], known.lengths) < most
    before = np.concatenate([[0], np.cumsum(kept)])
    return WordIds(known.codes[kept].astype(np.int64) + 1, before[known.starts])
