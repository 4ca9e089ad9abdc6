"""One vector per document; each text is encoded once, chunk by chunk."""

from collections.abc import Callable, Iterator

import numpy as np
import polars as pl
from numpy.typing import NDArray

from keysift.encoding.cache import Keys, VectorCache, content_keys
from keysift.encoding.encoder import Encoder, TextEncoder
from keysift.encoding.precomputed import Precomputed
from keysift.encoding.vector_checks import as_vectors, check_finite
from keysift.errors import InputError, OutputError, warn

CHUNK = 512
"""Documents stored at once: the most that an interrupted run loses."""
BATCH = 128
"""Documents encoded at once: one step of the progress."""

Block = tuple[NDArray[np.intp], NDArray[np.float32]]
"""Rows and their vectors."""


def encode_documents(
    encoder: Encoder, documents: pl.Series, progress: Callable[[float], None] = lambda done: None
) -> NDArray[np.float32]:
    """The vectors of the documents, in order; only texts that are not stored yet are encoded.

    >>> from keysift.encoding.encoder import get_encoder
    >>> lengths = get_encoder(lambda texts: [[len(text), 1] for text in texts])
    >>> encode_documents(lengths, pl.Series(["a goal", "law", "a goal"])).tolist()
    [[6.0, 1.0], [3.0, 1.0], [6.0, 1.0]]
    """
    progress(0.0)
    if isinstance(encoder, Precomputed):
        vectors = encoder.look_up(documents)
    elif documents.is_empty():
        vectors = np.empty((0, 0), dtype=np.float32)
    else:
        vectors = _encode(encoder, documents, progress)
    progress(1.0)
    return vectors


def _encode(encoder: TextEncoder, documents: pl.Series, progress: Callable[[float], None]) -> NDArray[np.float32]:
    cache = None if encoder.identity is None else VectorCache.of(encoder.identity)
    every = content_keys(encoder.identity or "", documents)
    keys, numbers, copies = np.unique(every, return_index=True, return_inverse=True)
    blocks = _blocks(encoder, cache, documents, keys, numbers, progress)
    matrix, _ = fill(blocks, len(keys), encoder, cache)
    return matrix[copies]


def fill(
    blocks: Iterator[Block], count: int, encoder: TextEncoder, cache: VectorCache | None
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """A matrix of `count` rows with the vectors of the blocks, which must have one length, and which rows they fill."""
    matrix = np.empty((count, 0), dtype=np.float32)
    filled = np.full(count, False)
    for rows, vectors in blocks:
        if not filled.any():
            matrix = np.empty((count, vectors.shape[1]), dtype=np.float32)
        if vectors.shape[1] != matrix.shape[1]:
            remedy = "" if cache is None else f"; if the encoder changed, remove {cache.path}"
            raise InputError(
                f"The encoder {encoder.name} returned vectors of length {matrix.shape[1]} and of length"
                f" {vectors.shape[1]}; all must have the same length{remedy}."
            )
        matrix[rows] = vectors
        filled[rows] = True
    return matrix, filled


def _blocks(
    encoder: TextEncoder,
    cache: VectorCache | None,
    documents: pl.Series,
    keys: Keys,
    numbers: NDArray[np.intp],
    progress: Callable[[float], None],
) -> Iterator[Block]:
    """What is stored, then what is encoded now; `numbers` are the documents that the sorted `keys` stand for."""
    missing = np.full(len(keys), True)
    if cache is not None:
        for rows, vectors in cache.find(keys):
            missing[rows] = False
            yield rows, vectors
    new = np.flatnonzero(missing)
    # Texts of similar length waste no padding; the longest come first, so that one that is too long shows at once.
    lengths = documents.gather(numbers[new]).str.len_chars().to_numpy().astype(np.int64)
    new = new[np.argsort(-lengths, kind="stable")]
    done = len(keys) - len(new)
    for start in range(0, len(new), CHUNK):
        rows = new[start : start + CHUNK]
        encoded = []
        for first in range(0, len(rows), BATCH):
            batch = rows[first : first + BATCH]
            vectors = _encode_batch(encoder, documents.gather(numbers[batch]).to_list(), numbers[batch])
            yield batch, vectors  # the length is checked before anything is stored
            encoded.append(vectors)
            done += len(batch)
            progress(done / len(keys))
        if cache is not None:
            cache = _store(cache, keys[rows], np.vstack(encoded))


def _encode_batch(encoder: TextEncoder, texts: list[str], numbers: NDArray[np.intp]) -> NDArray[np.float32]:
    source = f"The result of the encoder {encoder.name}"
    vectors = as_vectors(encoder.encode(texts), source)
    if len(vectors) != len(texts):
        raise InputError(
            f"{source} has shape {vectors.shape} for {len(texts)} texts; it must have shape"
            f" ({len(texts)}, {vectors.shape[1]})."
        )
    check_finite(vectors, numbers, source)
    return vectors


def _store(cache: VectorCache, keys: Keys, vectors: NDArray[np.float32]) -> VectorCache | None:
    """Store vectors; if that fails, warn and go on without a cache."""
    try:
        cache.add(keys, vectors)
    except OutputError as error:
        warn(
            f"The vectors of the documents are not stored and will be computed again next time: {error} Set"
            " KEYSIFT_CACHE to another folder."
        )
        return None
    return cache
