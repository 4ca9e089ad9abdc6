"""Vectors that were made elsewhere: a row for each document of the fit."""

from dataclasses import dataclass, field

import numpy as np
import polars as pl
from numpy.typing import NDArray

from keysift.encoding.cache import Keys, content_keys, locate_keys
from keysift.encoding.checks import check_finite
from keysift.errors import InputError

__all__ = ["Precomputed"]


@dataclass(eq=False)
class Precomputed:
    """Vectors, and hashes of the documents they belong to: the first it is asked for, those of the fit.

    From then on it knows these documents by their text, in any order, and no other. Of documents with the same text
    but different vectors, the first counts, unless all documents come in the order of the fit.

    >>> encoder = Precomputed(np.array([[1, 0], [0, 1]], dtype=np.float32))
    >>> encoder.look_up(pl.Series(["a goal", "a law"])).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    >>> encoder.look_up(pl.Series(["a law"])).tolist()
    [[0.0, 1.0]]
    """

    vectors: NDArray[np.float32]
    name: str = "precomputed"
    _keys: Keys | None = field(default=None, init=False, repr=False)

    def look_up(self, documents: pl.Series) -> NDArray[np.float32]:
        """The vector of each document."""
        keys = content_keys(self.name, documents)
        if self._keys is None:
            if len(self.vectors) != len(documents):
                raise InputError(
                    f"Got {len(self.vectors)} vectors for {len(documents)} documents; give one vector a document, in"
                    " the same order."
                )
            check_finite(self.vectors, np.arange(len(documents)), "The array of vectors")
            self._keys = keys
        if np.array_equal(keys, self._keys):
            return self.vectors
        known, first = np.unique(self._keys, return_index=True)
        rows = locate_keys(keys, known)
        if (rows < 0).any():
            number = int(np.flatnonzero(rows < 0)[0])
            raise InputError(
                f"Document {number} ({documents[number][:40]!r}) has no vector: the vectors given are those of the"
                " documents of the fit; hand in the vectors of other documents with embeddings=."
            )
        return self.vectors[first[rows]]
