"""Checks on document vectors: a matrix of finite numbers, each vector as long as those of the fit."""

from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from keysift.errors import InputError


def as_vectors(values: Any, source: str) -> NDArray[np.float32]:
    """A matrix with one vector per row, from an array, lists or a column of lists; errors name `source`.

    >>> as_vectors(pl.Series([[1, 2], [3, 4]]), "encoder").tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    >>> as_vectors([1.0, 2.0], "encoder")
    Traceback (most recent call last):
    keysift.errors.InputError: encoder must be an array of shape (documents, length of a vector); got shape (2,).
    """
    array = _array(values, source)
    if array.dtype.kind not in "iuf":
        raise InputError(f"{source} must contain numbers; got an array of {array.dtype}.")
    if array.ndim != 2 or not array.shape[1]:
        raise InputError(
            f"{source} must be an array of shape (documents, length of a vector); got shape {array.shape}."
        )
    with np.errstate(over="ignore"):  # too large for a float32 becomes infinite, and `check_finite` says where
        return np.ascontiguousarray(array, dtype=np.float32)


def _array(values: Any, source: str) -> NDArray[Any]:
    try:
        if isinstance(values, pl.Series) and isinstance(values.dtype, pl.List):
            # All numbers at once: a list of Python lists would take many times the memory.
            widths = values.list.len()
            if values.null_count() or widths.n_unique() > 1:
                raise InputError(
                    f"{source} must contain vectors of the same length; some are missing, longer or shorter."
                )
            return values.explode().to_numpy().reshape(len(values), -1)
        if isinstance(values, pl.Series):
            return values.to_numpy()
        return np.asarray(values.to_list() if hasattr(values, "to_list") else values)
    except InputError:
        raise
    except Exception as error:  # from whatever library the values come from
        raise InputError(
            f"{source} must be an array of numbers, one row per document, all of the same length; got"
            f" {type(values).__name__} ({str(error).splitlines()[0] if str(error) else type(error).__name__})."
        ) from error


def check_finite(vectors: NDArray[np.float32], numbers: NDArray[np.intp], source: str) -> None:
    """Refuse a vector with a number that is not finite; `numbers` are those of the documents.

    >>> check_finite(np.array([[1, np.nan]], dtype=np.float32), np.array([7]), "encoder")
    Traceback (most recent call last):
    keysift.errors.InputError: encoder has NaN or infinity in the vector of document 7; every number must be finite.
    """
    # One sum per row is faster than one test per number; finite numbers may overflow, so it only raises suspicion.
    with np.errstate(over="ignore", invalid="ignore"):
        suspects = np.flatnonzero(~np.isfinite(vectors.sum(axis=1)))
    wrong = suspects[~np.isfinite(vectors[suspects]).all(axis=1)]
    if len(wrong):
        raise InputError(
            f"{source} has NaN or infinity in the vector of document {numbers[wrong].min()}; every number must be"
            " finite."
        )


def check_length(vectors: NDArray[np.float32], length: int) -> NDArray[np.float32]:
    """Return the vectors of new documents if they are as long as those of the fit; no documents fit any length.

    >>> check_length(np.ones((2, 300), dtype=np.float32), 384)
    Traceback (most recent call last):
    keysift.errors.InputError: Got vectors of length 300, but the model was fitted with 384; use the encoder of the fit.
    """
    if not len(vectors):
        return np.empty((0, length), dtype=np.float32)
    if vectors.shape[1] != length:
        raise InputError(
            f"Got vectors of length {vectors.shape[1]}, but the model was fitted with {length}; use the encoder of the"
            " fit."
        )
    return vectors
