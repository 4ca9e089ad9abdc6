import polars as pl
import pytest

from keysift.errors import InputError
from keysift.learn.checks import check_documents
from keysift.text.tokens import tokenize


@pytest.mark.parametrize(
    ("documents", "message"),
    [
        ([], "no document to learn from"),
        (["one"], "only one document"),
        (["", " ", "..."], "All 3 documents are empty"),
        (["a b", "A, b!"], "All 2 documents are identical"),
        (["a b", "", "a b", "..."], "All 2 documents are identical"),
        (["a", "", ""], r"All documents but one are empty \(2\); a ranking needs at least two"),
    ],
)
def test_documents_that_no_ranking_can_tell_apart(documents: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        check_documents(tokenize(pl.Series("text", documents, dtype=pl.String)))


@pytest.mark.parametrize("documents", [["a b", "b a"], ["a", "", "b"], ["a a", "a b", "a a"]])
def test_documents_that_differ(documents: list[str]) -> None:
    check_documents(tokenize(pl.Series("text", documents)))
