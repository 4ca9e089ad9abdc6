import numpy as np
import polars as pl
import pytest

from keysift.errors import InputError, KeywordError
from keysift.learnable import check_documents, check_sets
from keysift.text import tokenize


@pytest.mark.parametrize(
    ("documents", "message"),
    [
        ([], "no document to learn from"),
        (["one"], "only one document"),
        (["", " ", "..."], "All 3 documents are empty"),
        (["a b", "A, b!"], "All 2 documents are identical"),
    ],
)
def test_documents_that_no_ranking_can_tell_apart(documents: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        check_documents(tokenize(pl.Series("text", documents, dtype=pl.String)))


@pytest.mark.parametrize("documents", [["a b", "b a"], ["a", ""], ["a a", "a b", "a a"]])
def test_documents_that_differ(documents: list[str]) -> None:
    check_documents(tokenize(pl.Series("text", documents)))


@pytest.mark.parametrize(("value", "which"), [(True, "without"), (False, "with")])
def test_one_set_alone(value: bool, which: str) -> None:
    with pytest.raises(KeywordError, match=f"The documents {which} a keyword hold no word .* use vectors='corpus'"):
        check_sets(np.array([value, value]), "glove-6b-50d")
