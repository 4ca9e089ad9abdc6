import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from keysift.encoding.cache import content_keys
from keysift.encoding.precomputed import Precomputed, locate_keys
from keysift.errors import InputError

DOCUMENTS = pl.Series(["one", "two", "two", "three"])
VECTORS = np.arange(8, dtype=np.float32).reshape(4, 2)


def test_rows_are_those_of_the_fit_and_later_found_by_text() -> None:
    encoder = Precomputed(VECTORS)
    assert encoder.look_up(DOCUMENTS) is VECTORS
    assert encoder.look_up(DOCUMENTS) is VECTORS  # the second "two" keeps its own vector
    assert encoder.look_up(pl.Series(["three", "two", "one", "two"])).tolist() == VECTORS[[3, 1, 0, 1]].tolist()
    assert encoder.look_up(DOCUMENTS.head(0)).shape == (0, 2)


@pytest.mark.parametrize("rows", [3, 5])
def test_one_vector_a_document(rows: int) -> None:
    encoder = Precomputed(np.ones((rows, 2), dtype=np.float32))
    with pytest.raises(InputError, match=f"^Got {rows} vectors for 4 documents; give one vector per document"):
        encoder.look_up(DOCUMENTS)


def test_not_finite() -> None:
    vectors = VECTORS.copy()
    vectors[2, 1] = np.nan
    with pytest.raises(InputError, match="in the vector of document 2;"):
        Precomputed(vectors).look_up(DOCUMENTS)


def test_another_document_has_no_vector() -> None:
    encoder = Precomputed(VECTORS)
    encoder.look_up(DOCUMENTS)
    with pytest.raises(InputError) as caught:
        encoder.look_up(pl.Series(["two", "a new one", "another"]))
    assert str(caught.value) == (
        "Document 1 ('a new one') has no vector: the vectors given belong to the documents of the fit; pass the"
        " vectors of other documents with embeddings=."
    )


@given(st.lists(st.text("ab", max_size=3)), st.lists(st.text("ab", max_size=3)))
def test_keys_are_located_like_texts(texts: list[str], table: list[str]) -> None:
    keys = content_keys("", pl.Series(texts, dtype=pl.String))
    sorted_keys = np.unique(content_keys("", pl.Series(table, dtype=pl.String)))
    rows = locate_keys(keys, sorted_keys)
    assert (rows >= 0).tolist() == [text in table for text in texts]
    assert (sorted_keys[rows[rows >= 0]] == keys[rows >= 0]).all()
