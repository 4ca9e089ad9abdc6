"""Documents as a model over views reads them: counts of words, sentence vectors and neighbourhoods, other words."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.features.rows import spread_rows

BLOCK = 5_000
"""Documents scored at a time: weights of words take far more room than scores."""


@dataclass(frozen=True, eq=False)
class Readable:
    """Documents as a `ViewScorer` reads them."""

    counts: sp.csr_array
    """Over the words of its vocabulary."""
    vectors: NDArray[np.float32] | None = None
    """NaN in the rows of documents that were not encoded."""
    never_seen: NDArray[np.float64] | None = None
    """What words beyond the vocabulary add by their spelling (`keysift.features.characters.words_never_seen`)."""

    belongs: sp.csr_array | None = None
    """How far each document belongs to each neighbourhood, where these count; it is the same whatever they score."""

    def take(self, documents: NDArray[np.int64] | slice) -> "Readable":
        """Only some of the documents."""
        vectors = None if self.vectors is None else self.vectors[documents]
        never_seen = None if self.never_seen is None else self.never_seen[documents]
        belongs = None if self.belongs is None else self.belongs[documents]
        return Readable(self.counts[documents], vectors, never_seen, belongs)

    def spread(self, places: NDArray[np.int64], documents: int) -> "Readable":
        """The same among so many documents, at these places; the others are empty.

        >>> some = Readable(sp.csr_array(np.array([[2.0], [3.0]])), np.ones((2, 1), dtype=np.float32))
        >>> spread = some.spread(np.array([0, 2]), 3)
        >>> spread.counts.toarray().ravel().tolist(), spread.vectors.ravel().tolist()
        ([2.0, 0.0, 3.0], [1.0, nan, 1.0])
        """
        vectors = None
        if self.vectors is not None:
            vectors = np.full((documents, self.vectors.shape[1]), np.nan, dtype=np.float32)
            vectors[places] = self.vectors
        never_seen = None
        if self.never_seen is not None:
            never_seen = np.zeros((documents, 2))
            never_seen[places] = self.never_seen
        belongs = None if self.belongs is None else spread_rows(self.belongs, places, documents)
        return Readable(spread_rows(self.counts, places, documents), vectors, never_seen, belongs)

    def blocks(self) -> Iterator["Readable"]:
        """Some documents at a time."""
        for start in range(0, self.counts.shape[0], BLOCK):
            yield self.take(slice(start, start + BLOCK))
