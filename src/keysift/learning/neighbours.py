"""Which documents are alike, and whose neighbours hold a keyword.

Where documents come from conversations or topics, those about one thing share many rare words. A document that holds no
keyword, but whose neighbours do, is then likely to be relevant. Whether that is so can be seen without a label: the
neighbours of documents with some of the keywords should hold the left-out ones (`measure_quality`).
"""

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.learning.across import Split, top_share

__all__ = ["Neighbours", "find_neighbours"]

NEAREST = 20
MOST_DOCUMENTS = 20_000
"""Comparing all with all takes the square of their number; of more documents a sample is compared, and the rest has no
say."""
FREQUENT = 0.1
"""A word in a larger share of the documents does not make two of them alike."""
STEPS, RESTART = 6, 0.1
WIDER = 2.0
"""So many times as many documents are labelled relevant as hold a keyword."""
FEWEST = 0.05
"""And at least this share of them."""
ROWS, BLOCK = 500, 128


class Neighbours:
    """Every document and those most like it: `graph` has rows that add up to one."""

    def __init__(self, graph: sp.csr_array) -> None:
        self.graph = graph

    def held(self, split: Split) -> NDArray[np.float64]:
        """How much of a keyword the neighbours of each document hold."""
        return np.asarray(self.graph @ _seeds(split))

    def split(self, split: Split) -> Split:
        """The documents nearest to those with a keyword, in ever wider circles; the nearer, the more they count.

        Documents that count nothing in the given split, or were compared with none, count nothing here.
        """
        seeds = _seeds(split)
        reached = seeds
        for _ in range(STEPS):
            reached = RESTART * seeds + (1 - RESTART) * (self.graph @ reached)
        counts = (split.weights > 0) & (split.positive | (np.diff(self.graph.indptr) > 0))
        reached = np.where(counts, reached, 0.0)
        positive = top_share(reached, max(WIDER * float(split.positive.mean()), FEWEST)) & (reached > 0)
        weights = np.where(positive, reached / reached[positive].mean(), 1.0)
        return Split(positive, np.where(counts, weights, 0.0))


def find_neighbours(X: sp.csr_array, keep: NDArray[np.int64], rng: np.random.Generator) -> Neighbours:
    """The nearest documents of each by the cosine of their rows, in both directions.

    Of very many documents those in `keep` and a sample of the others are compared.

    >>> X = sp.csr_array(np.array([[1.0, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 1, 1]]))
    >>> find_neighbours(X, np.array([0]), np.random.default_rng(0)).graph.toarray().tolist()
    [[0.0, 1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 1.0, 0.0]]
    """
    documents = _compared(X.shape[0], keep, rng)
    rows = _unit_rows(X[documents].astype(np.float32))
    columns = sp.csr_array(rows.T)
    nearest = min(NEAREST, rows.shape[0] - 1)

    def look(start: int) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        likeness = (rows[start : start + ROWS] @ columns).toarray()
        likeness[np.arange(len(likeness)), np.arange(start, start + len(likeness))] = -1.0  # nobody's own neighbour
        return _largest(likeness, nearest)

    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        found = list(pool.map(look, range(0, rows.shape[0], ROWS)))
    places, values = np.vstack([one for one, _ in found]), np.vstack([one for _, one in found])
    shape = (X.shape[0], X.shape[0])
    start = np.repeat(documents, nearest)
    graph = sp.csr_array((np.maximum(values.ravel(), 0.0), (start, documents[places.ravel()])), shape=shape)
    graph = sp.csr_array(graph + graph.T)
    graph.eliminate_zeros()
    total = np.asarray(graph.sum(axis=1)).ravel()
    return Neighbours(sp.csr_array(sp.diags_array(1 / np.where(total > 0, total, 1.0)) @ graph))


def _seeds(split: Split) -> NDArray[np.float64]:
    return np.where(split.positive, split.weights, 0.0)


def _compared(number: int, keep: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    if number <= MOST_DOCUMENTS:
        return np.arange(number)
    kept = keep if len(keep) <= MOST_DOCUMENTS // 2 else rng.choice(keep, MOST_DOCUMENTS // 2, replace=False)
    others = np.setdiff1d(np.arange(number), keep)
    sample = rng.choice(others, min(MOST_DOCUMENTS - len(kept), len(others)), replace=False)
    return np.sort(np.concatenate([kept, sample]))


def _unit_rows(X: sp.csr_array) -> sp.csr_array:
    """Rows of length one, without the frequent words; an empty row stays empty."""
    documents = np.bincount(X.indices, minlength=X.shape[1])
    rare = documents <= max(FREQUENT * X.shape[0], 2)
    data = np.where(rare[X.indices], X.data, np.float32(0))
    X = sp.csr_array((data, X.indices, X.indptr), shape=X.shape)
    X.eliminate_zeros()
    length = np.sqrt(np.asarray(X.multiply(X).sum(axis=1)).ravel())
    return sp.csr_array(sp.diags_array((1 / np.where(length > 0, length, 1)).astype(np.float32)) @ X)


def _largest(values: NDArray[np.float32], k: int) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Where the k largest values of each row are, and the values, in no order.

    They are in the k blocks with the largest maxima: a look at the maxima spares most of the sorting.

    >>> places, values = _largest(np.array([[3.0, 1, 4, 1, 5, 9, 2, 6]], dtype=np.float32), 2)
    >>> sorted(places[0].tolist())
    [5, 7]
    """
    blocks = -(-values.shape[1] // BLOCK)
    if k < blocks:
        padded = np.full((len(values), blocks * BLOCK), -2.0, dtype=np.float32)
        padded[:, : values.shape[1]] = values
        tiles = padded.reshape(len(values), blocks, BLOCK)
        best = np.argpartition(tiles.max(axis=2), blocks - k, axis=1)[:, blocks - k :]
        candidates = (best[:, :, None] * BLOCK + np.arange(BLOCK)).reshape(len(values), -1)
        values = np.take_along_axis(padded, candidates, axis=1)
    else:
        candidates = np.broadcast_to(np.arange(values.shape[1]), values.shape)
    chosen = np.argpartition(values, values.shape[1] - k, axis=1)[:, values.shape[1] - k :]
    return np.take_along_axis(candidates, chosen, axis=1), np.take_along_axis(values, chosen, axis=1)
