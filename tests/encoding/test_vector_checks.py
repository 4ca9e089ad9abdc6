from typing import Any

import numpy as np
import polars as pl
import pytest

from keysift.encoding.vector_checks import as_vectors, check_finite, check_length
from keysift.errors import InputError

WANTED = [[1.0, 2.0], [3.0, 4.0]]


class Column:
    """What a pandas column looks like from here."""

    def __init__(self, values: list[Any]) -> None:
        self.values = values

    def to_list(self) -> list[Any]:
        return self.values


@pytest.mark.parametrize(
    "values",
    [
        WANTED,
        [(1, 2), (3, 4)],
        np.array(WANTED),
        np.array(WANTED, dtype=np.float16, order="F"),
        np.array(WANTED, dtype=np.uint8),
        pl.Series(WANTED),
        pl.Series(WANTED, dtype=pl.Array(pl.Float32, 2)),
        pl.DataFrame(WANTED, orient="row"),
        Column(WANTED),
        Column([np.array([1, 2]), np.array([3, 4])]),
    ],
)
def test_every_form_of_a_matrix(values: Any) -> None:
    vectors = as_vectors(values, "encoder")
    assert vectors.dtype == np.float32
    assert vectors.flags.c_contiguous
    assert vectors.tolist() == WANTED


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([1.0, 2.0], r"must be an array of shape \(documents, length of a vector\); got shape \(2,\)\.$"),
        (np.ones((2, 3, 4)), r"got shape \(2, 3, 4\)\.$"),
        (np.ones((2, 0)), r"got shape \(2, 0\)\.$"),
        ([], r"got shape \(0,\)\.$"),
        ([["a"], ["b"]], "must contain numbers; got an array of <U1"),
        (np.ones((2, 2), dtype=bool), "must contain numbers; got an array of bool"),
        ([[1.0], [None]], "must contain numbers; got an array of object"),
        ([[1.0], [1.0, 2.0]], "one row per document, all of the same length; got list"),
        (pl.Series([[1.0], [1.0, 2.0]]), "some are missing, longer or shorter"),
        (pl.Series([[1.0], None]), "some are missing, longer or shorter"),
        (None, "must contain numbers; got an array of object"),
    ],
)
def test_anything_else(values: Any, message: str) -> None:
    with pytest.raises(InputError, match=f"^The vectors .*{message}"):
        as_vectors(values, "The vectors")


def test_what_a_float32_cannot_hold_is_found() -> None:
    vectors = as_vectors([[1.0], [1e300]], "encoder")
    with pytest.raises(InputError, match="document 1"):
        check_finite(vectors, np.arange(2), "encoder")


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_the_first_document_is_named(value: float) -> None:
    vectors = np.ones((4, 3), dtype=np.float32)
    vectors[1, 2] = vectors[3, 0] = value
    with pytest.raises(InputError) as caught:
        check_finite(vectors, np.array([5, 9, 1, 7]), "encoder")
    assert str(caught.value) == (
        "encoder has NaN or infinity in the vector of document 7; every number must be finite."
    )


def test_large_numbers_are_finite() -> None:
    check_finite(np.full((2, 100), np.finfo(np.float32).max), np.arange(2), "encoder")


def test_length() -> None:
    vectors = np.ones((2, 3), dtype=np.float32)
    assert check_length(vectors, 3) is vectors
    assert check_length(np.empty((0, 0), dtype=np.float32), 3).shape == (0, 3)
    with pytest.raises(InputError, match="vectors of length 3, but the model was fitted with 4"):
        check_length(vectors, 4)
