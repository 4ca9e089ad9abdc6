"""A document as the neighbourhoods that it is in: where its sentence vector stands among all others.

A topic is a place where documents gather, and a straight line through the sentence vectors points past it to whatever
lies beyond. So the corpus is laid out in neighbourhoods, and a document belongs to the nearest ones by

    p(c | d) = exp(20 cos(d, c)) / sum over the nearest centres

With p(c | d) / sqrt(p(c)) as features, the difference between the mean of the documents with a keyword and the mean of
all is the score

    sum over c of p(c | d) (p(c | keyword) / p(c) - 1):

how much more often than elsewhere keywords are found around the document.
"""

from dataclasses import dataclass

import numpy as np
import polars as pl
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.features.rows import spread_rows
from keysift.features.view import NEIGHBOURS, Documents, FittedView, NeighbourPart, Role, scale_of

EACH, MOST = 30, 500
"""Documents to a neighbourhood on average, and the most neighbourhoods, in one layout."""
LAYOUTS = 3
"""A corpus is laid out so often, from different starts: where borders fall is chance, and the mean has less of it."""
ROUNDS = 2
"""How often centres move to the middle of the documents that are nearest to them."""
MOVED_BY = 20_000
"""Documents that are enough to move them."""
PENALISED = 3.0
"""How much smaller these features are than those of other views, so that the penalty leaves the mean difference."""


@dataclass(frozen=True, eq=False)
class NeighbourView:
    """Neighbourhoods of the sentence vectors, from an encoder or precomputed."""

    role: Role = NEIGHBOURS
    name: str = "neighbours"

    def fit(self, documents: Documents, words: pl.Series) -> FittedView:
        """Lay the encoded documents out in neighbourhoods; a corpus that is too small for two has none."""
        assert documents.vectors is not None, "the classifier encodes the documents"
        known = ~np.isnan(documents.vectors[:, 0])
        rows = np.flatnonzero(known)
        mean = documents.vectors[rows].mean(axis=0, dtype=np.float64) if len(rows) else np.zeros(0)
        count = min(len(rows) // EACH, MOST)
        if count < 2:
            empty = NeighbourPart(np.zeros((0, documents.vectors.shape[1]), dtype=np.float32), mean, np.zeros(0))
            return FittedNeighbours(sp.csr_array((len(known), 0)), known, empty, np.zeros(0))
        orders = [shuffled(documents, words, rows, seed) for seed in range(LAYOUTS)]
        centres = np.concatenate([lay_out(documents.vectors[order], mean, count) for order in orders])
        part = NeighbourPart(centres, mean, np.zeros(len(centres)))
        belongs = part.belongs(documents.vectors[rows])
        share = np.asarray(belongs.T @ (np.ones(len(rows)) if documents.weights is None else documents.weights[rows]))
        scale = 1 / np.sqrt(np.maximum(share / share.sum(), 1e-9))
        X = _scaled(belongs, scale)
        scale *= scale_of(X, np.asarray(X.mean(axis=0)).ravel()) / PENALISED
        return FittedNeighbours(spread_rows(_scaled(belongs, scale), rows, len(known)), known, part, scale)


@dataclass(frozen=True, eq=False)
class FittedNeighbours:
    """The neighbourhoods of the training documents."""

    X: sp.csr_array
    known: NDArray[np.bool_]
    """Which documents were encoded."""
    places: NeighbourPart
    """The neighbourhoods, before anything is learned of them."""
    scale: NDArray[np.float64]

    def transform(self, documents: Documents) -> sp.csr_array:
        """The same for other documents."""
        assert documents.vectors is not None, "the classifier encodes the documents"
        known = ~np.isnan(documents.vectors[:, 0])
        rows = np.flatnonzero(known)
        return spread_rows(_scaled(self.places.belongs(documents.vectors[rows]), self.scale), rows, len(known))

    def part(self, coef: NDArray[np.float64], words: pl.Series) -> NeighbourPart:
        """A score for every neighbourhood."""
        return NeighbourPart(self.places.centres, self.places.mean, coef * self.scale)


def shuffled(documents: Documents, words: pl.Series, rows: NDArray[np.intp], seed: int) -> NDArray[np.intp]:
    """These documents in an order that looks like chance, and that their words decide.

    Not that in which they came, which should have no say, and not that of their vectors, whose last digits differ
    between processors; only where documents have the same words, the vectors tell them apart.

    >>> words, some = pl.Series(["tax", "law", "goal", "ice"]), np.arange(4)
    >>> documents = Documents(sp.csr_array(np.eye(4)), np.zeros((4, 1), dtype=np.float32))
    >>> turned = Documents(sp.csr_array(np.eye(4)[::-1]), np.zeros((4, 1), dtype=np.float32))
    >>> shuffled(documents, words, some, 7).tolist() == (3 - shuffled(turned, words, some, 7)).tolist()
    True
    """
    assert documents.vectors is not None, "the classifier encodes the documents"
    numbers = (words.hash(seed=seed).to_numpy() % 2**31).astype(np.float64)
    mixed = (documents.counts[rows].astype(np.float64) @ numbers) % 1_000_003
    return rows[np.lexsort((documents.vectors[rows, 0], mixed))]


def lay_out(vectors: NDArray[np.float32], mean: NDArray[np.float64], count: int) -> NDArray[np.float32]:
    """So many centres, each in the middle of the documents that are nearest to it; they start at even steps.

    >>> corners = np.array([[-1, 0], [1, 0], [0, 1], [1, 0.1]], dtype=np.float32)
    >>> lay_out(corners, np.zeros(2), 2).astype(float).round(2).tolist()
    [[-1.0, 0.0], [0.88, 0.48]]
    """
    some = np.unique(np.linspace(0, len(vectors) - 1, min(len(vectors), MOVED_BY)).astype(np.int64))
    unit = NeighbourPart.unit(vectors[some], mean)
    centres = unit[np.linspace(0, len(some) - 1, count).astype(np.int64)]
    for _ in range(ROUNDS):
        nearest = np.concatenate([(block @ centres.T).argmax(axis=1) for block in _blocks(unit)])
        members = sp.csr_array((np.ones(len(unit)), (nearest, np.arange(len(unit)))), shape=(count, len(unit)))
        sums = np.asarray(members @ unit)
        lengths = np.sqrt((sums**2).sum(axis=1, keepdims=True))
        centres = np.where(lengths > 1e-6, sums / np.maximum(lengths, 1e-6), centres)
    return centres.astype(np.float32)


def _blocks(unit: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    return np.array_split(unit, max(1, len(unit) // 4_000))


def _scaled(belongs: sp.csr_array, scale: NDArray[np.float64]) -> sp.csr_array:
    return sp.csr_array((belongs.data * scale[belongs.indices], belongs.indices, belongs.indptr), shape=belongs.shape)
