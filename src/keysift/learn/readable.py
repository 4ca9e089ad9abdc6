"""Documents as a model over views reads them: counts of words, sentence vectors, and what their spelling adds."""

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
    spelled: NDArray[np.float64] | None = None
    """What the character n-grams add to each score."""

    def take(self, documents: NDArray[np.int64] | slice) -> "Readable":
        """Only some of the documents."""
        vectors = None if self.vectors is None else self.vectors[documents]
        return Readable(self.counts[documents], vectors, None if self.spelled is None else self.spelled[documents])

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
        spelled = None
        if self.spelled is not None:
            spelled = np.zeros(documents)
            spelled[places] = self.spelled
        return Readable(spread_rows(self.counts, places, documents), vectors, spelled)

    def blocks(self) -> Iterator["Readable"]:
        """Some documents at a time."""
        for start in range(0, self.counts.shape[0], BLOCK):
            yield self.take(slice(start, start + BLOCK))
