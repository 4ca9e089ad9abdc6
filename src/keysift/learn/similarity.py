"""Which documents are most similar: cosines of their rows over words, all with all, without a loop over documents."""

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

ROWS, BLOCK = 100, 128
THREADS = 8
"""Each holds the similarity of `ROWS` rows with all documents."""


def most_similar(
    rows: sp.csr_array, columns: sp.csr_array, number: int, *, same: bool
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Where the `number` largest cosines of each row are, and how large, in no order; rows have length one.

    `columns` are the other documents, one a column. If they are the `same` documents, none is its own neighbour.

    >>> rows = sp.csr_array(np.array([[1.0, 0.0], [0.6, 0.8]], dtype=np.float32))
    >>> most_similar(rows, sp.csr_array(rows.T), 1, same=True)[0].ravel().tolist()
    [1, 0]
    """
    number = min(number, columns.shape[1] - same)

    def look(start: int) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        likeness = (rows[start : start + ROWS] @ columns).toarray()
        if same:
            likeness[np.arange(len(likeness)), np.arange(start, start + len(likeness))] = -1.0
        return _largest(likeness, number)

    with ThreadPoolExecutor(max_workers=min(os.cpu_count() or 1, THREADS)) as pool:
        found = list(pool.map(look, range(0, rows.shape[0], ROWS)))
    if not found:
        return np.empty((0, number), dtype=np.int64), np.empty((0, number), dtype=np.float32)
    return np.vstack([one for one, _ in found]), np.vstack([one for _, one in found])


def unit_length(X: sp.csr_array) -> sp.csr_array:
    """Rows of length one; an empty row stays empty."""
    length = np.sqrt(np.asarray(X.multiply(X).sum(axis=1)).ravel())
    return sp.csr_array(sp.diags_array((1 / np.where(length > 0, length, 1)).astype(X.dtype)) @ X)


def heaviest(X: sp.csr_array, number: int) -> sp.csr_array:
    """Only so many of the largest entries of each row; of equal ones the first.

    >>> heaviest(sp.csr_array(np.array([[3.0, 0.0, 1.0, 2.0], [0.0, 5.0, 0.0, 0.0]])), 2).toarray().tolist()
    [[3.0, 0.0, 0.0, 2.0], [0.0, 5.0, 0.0, 0.0]]
    """
    sizes = np.diff(X.indptr)
    row = np.repeat(np.arange(X.shape[0]), sizes)
    order = np.lexsort((-X.data, row))  # by row, then the largest first
    place = np.arange(X.nnz) - np.repeat(X.indptr[:-1], sizes)
    kept = np.zeros(X.nnz, dtype=bool)
    kept[order[place < number]] = True
    ends = np.concatenate([[0], np.cumsum(np.minimum(sizes, number))])
    return sp.csr_array((X.data[kept], X.indices[kept], ends.astype(X.indptr.dtype)), shape=X.shape)


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
