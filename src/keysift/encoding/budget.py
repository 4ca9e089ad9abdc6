"""As many documents as can be encoded in a given time, the most wanted first."""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from keysift.encoding.cache import VectorCache, content_keys
from keysift.encoding.encode import encode_documents, fill
from keysift.encoding.encoder import Encoder
from keysift.encoding.precomputed import Precomputed

TRIAL = 8
"""Documents on which the speed is first measured."""
STEP = 512
"""The most documents between two looks at the clock."""
LOOK = 1.0
"""Seconds between two looks at the clock."""


@dataclass(frozen=True, eq=False)
class PartlyEncoded:
    """The vectors of some of the documents."""

    rows: NDArray[np.intp]
    """The numbers of the documents that have a vector, from the smallest."""
    vectors: NDArray[np.float32]
    """Their vectors, in the order of `rows`."""
    seconds_per_document: float | None
    """What encoding took, as measured; None if too few documents were encoded to tell."""
    left_out: int
    """How many documents have no vector."""


def encode_within(
    encoder: Encoder,
    documents: pl.Series,
    order: NDArray[np.integer],
    seconds: float,
    progress: Callable[[float], None] = lambda done: None,
    clock: Callable[[], float] = time.perf_counter,
) -> PartlyEncoded:
    """Vectors for the documents that are stored, and for as many others as fit into the time.

    `order` has the numbers of the documents from the most wanted on; those that are not in it are not encoded. The
    first document also pays for loading the model. From the second on the speed is measured, and a step is begun only
    if it should end in time. How many documents that makes depends on the machine and what else it does; each vector
    depends on its document alone.

    >>> from keysift.encoding.encoder import get_encoder
    >>> lengths = get_encoder(lambda texts: [[len(text), 1] for text in texts])
    >>> texts = pl.Series(["a goal", "law", "a goal"])
    >>> part = encode_within(lengths, texts, np.array([0]), seconds=60)
    >>> part.rows.tolist(), part.vectors.tolist(), part.left_out
    ([0, 2], [[6.0, 1.0], [6.0, 1.0]], 1)
    >>> encode_within(lengths, texts, np.arange(3), seconds=0).left_out
    3
    """
    progress(0.0)
    if isinstance(encoder, Precomputed):
        vectors = encode_documents(encoder, documents, progress)
        return PartlyEncoded(np.arange(len(documents)), vectors, None, 0)
    # Documents with the same text share a key, and are encoded once.
    every = content_keys(encoder.identity or "", documents)
    keys, firsts, copies = np.unique(every, return_index=True, return_inverse=True)
    cache = None if encoder.identity is None else VectorCache.of(encoder.identity)
    blocks = [] if cache is None else list(cache.find(keys))
    known = np.isin(np.arange(len(keys)), np.concatenate([np.empty(0, dtype=np.intp), *(rows for rows, _ in blocks)]))
    asked = pl.Series(copies[order], dtype=pl.Int64).unique(maintain_order=True).to_numpy()
    watch = _Watch(seconds, clock)
    wanted = asked[~known[asked]]
    while size := watch.affordable(len(wanted)):
        now, wanted = wanted[:size], wanted[size:]
        blocks.append((now, encode_documents(encoder, documents.gather(firsts[now]))))
        watch.count(size)
        progress(watch.share(len(wanted)))
    matrix, filled = fill(iter(blocks), len(keys), encoder, cache)
    rows = np.flatnonzero(filled[copies])
    progress(1.0)
    return PartlyEncoded(rows, matrix[copies[rows]], watch.pace, len(documents) - len(rows))


def alternating(first: NDArray[np.integer], documents: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """All documents in the order in which they are wanted: one of `first` and one of all in turn, both at random.

    Documents with a keyword alone would teach nothing: what they are compared with has to be encoded as well.

    >>> alternating(np.array([7, 8]), 9, np.random.default_rng(0)).tolist()[:4:2]
    [7, 8]
    """
    chosen, rest = rng.permutation(first), rng.permutation(documents)
    places = np.concatenate([2 * np.arange(len(chosen)), 2 * np.arange(len(rest)) + 1])
    return np.asarray(np.concatenate([chosen, rest])[np.argsort(places)], dtype=np.int64)


class _Watch:
    """The time that is left, and how many documents should fit into it."""

    def __init__(self, seconds: float, clock: Callable[[], float]) -> None:
        self.seconds = seconds
        self.clock = clock
        self.started = self.last = clock()
        self.measured = 0.0
        """Seconds without the first document, which waits for the model."""
        self.done = 0

    @property
    def pace(self) -> float | None:
        """Seconds per document."""
        return self.measured / (self.done - 1) if self.done > 1 else None

    def affordable(self, most: int) -> int:
        """How many of the `most` documents to encode before the next look at the clock; none if the time is up."""
        left = self.seconds - (self.clock() - self.started)
        if left <= 0:
            return 0
        if self.done == 0:
            return min(most, 1)
        if not self.pace:
            return min(most, TRIAL)
        return min(most, STEP, max(1, int(LOOK / self.pace)), int(left / self.pace))

    def count(self, documents: int) -> None:
        """Note that so many documents have been encoded since the last look at the clock."""
        now = self.clock()
        if self.done:
            self.measured += now - self.last
        self.last = now
        self.done += documents

    def share(self, left: int) -> float:
        """How much of the work is done: of the time or of the documents, whichever comes first."""
        return min(1.0, max((self.last - self.started) / self.seconds, self.done / (self.done + left)))
