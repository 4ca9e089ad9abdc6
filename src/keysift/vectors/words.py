"""Word vectors: a vocabulary and a matrix with a row for each word."""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from keysift.text.vocabulary import locate

QUERIES_AT_ONCE = 32


@dataclass(frozen=True, eq=False)
class WordVectors:
    """Words without repeats, and a vector for each; the matrix may be mapped from disk.

    >>> vectors = WordVectors("tiny", pl.Series(["cat", "dog", "car"]),
    ...                       np.array([[1, 0], [0.8, 0.6], [0, 1]], dtype=np.float32))
    >>> rows, cosines = vectors.nearest(vectors.matrix[:1], 1, banned=[[0]])
    >>> vectors.words[int(rows[0, 0])], round(float(cosines[0, 0]), 3)
    ('dog', 0.8)
    """

    name: str
    words: pl.Series
    matrix: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.words)

    def rows(self, words: pl.Series) -> NDArray[np.int64]:
        """Row of each word, -1 where it has no vector."""
        return locate(words, self.words)

    def nearest(
        self, directions: NDArray[np.float32], count: int, banned: Collection[Collection[int]]
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """The `count` rows with the highest cosine to each direction, best first, without the rows banned for it.

        A zero vector is near nothing. Where there are fewer than `count`, the other places hold row -1.
        """
        norms = np.sqrt(np.einsum("ij,ij->i", self.matrix, self.matrix))
        zero = np.flatnonzero(norms == 0)
        norms[zero] = 1.0
        directions = unit_rows(directions)
        rows = np.full((len(directions), count), -1, dtype=np.int64)
        cosines = np.zeros((len(directions), count), dtype=np.float32)
        bans = [np.fromiter(ban, dtype=np.int64) for ban in banned]
        for start in range(0, len(directions), QUERIES_AT_ONCE):
            block = (directions[start : start + QUERIES_AT_ONCE] @ self.matrix.T) / norms
            block[:, zero] = -np.inf
            block[~directions[start : start + QUERIES_AT_ONCE].any(axis=1)] = -np.inf
            for query, similarity in enumerate(block, start=start):
                similarity[bans[query]] = -np.inf
                best = _top(similarity, count)
                rows[query, : len(best)] = best
                cosines[query, : len(best)] = similarity[best]
        return rows, cosines


def _top(values: NDArray[np.float32], count: int) -> NDArray[np.int64]:
    partly = np.argpartition(-values, count - 1)[:count] if 0 < count < len(values) else np.arange(len(values))
    candidates = partly[np.isfinite(values[partly])]
    return candidates[np.lexsort((candidates, -values[candidates]))][:count]


def unit_rows(matrix: NDArray[np.float32]) -> NDArray[np.float32]:
    """Each row divided by its length; a zero row stays zero.

    >>> unit_rows(np.array([[3.0, 4.0], [0.0, 0.0]], dtype=np.float32)).round(2).tolist()
    [[0.6..., 0.8...], [0.0, 0.0]]
    """
    norms = np.linalg.norm(matrix, axis=1, keepdims=True)
    return np.asarray(matrix / np.where(norms == 0, 1, norms), dtype=np.float32)
