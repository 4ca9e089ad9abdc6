"""Vectors made elsewhere: one row for each document of the fit."""

from dataclasses import dataclass, field

import numpy as np
import polars as pl
from numpy.typing import NDArray

from keysift.encoding.cache import Keys, content_keys
from keysift.encoding.vector_checks import check_finite
from keysift.errors import InputError


@dataclass(eq=False)
class Precomputed:
    """Vectors, and hashes of the documents they belong to.

    The first documents asked for are those of the fit. From then on they are found by their text, in any order, and no
    other document has a vector. If documents with the same text have different vectors, the first counts, unless all
    documents come in the order of the fit.

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
                    f"Got {len(self.vectors)} vectors for {len(documents)} documents; give one vector per document, in"
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
                f"Document {number} ({documents[number][:40]!r}) has no vector: the vectors given belong to the"
                " documents of the fit; pass the vectors of other documents with embeddings=."
            )
        return self.vectors[first[rows]]


def locate_keys(keys: Keys, table: Keys) -> NDArray[np.intp]:
    """The row of each key in a sorted table without repeats, -1 where it is missing.

    >>> table = np.sort(content_keys("", pl.Series(["a", "b", "c"])))
    >>> (table[locate_keys(content_keys("", pl.Series(["b"])), table)] == content_keys("", pl.Series(["b"]))).item()
    True
    >>> locate_keys(content_keys("", pl.Series(["x"])), table).tolist()
    [-1]
    """
    if not len(table):
        return np.full(len(keys), -1, dtype=np.intp)
    places = np.minimum(np.searchsorted(table, keys), len(table) - 1)
    return np.where(table[places] == keys, places, -1)
