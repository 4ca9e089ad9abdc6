from collections.abc import Callable
from typing import Any

import polars as pl
import pytest

from keysift.errors import InputError
from keysift.text.tables import column_of_texts
from keysift.text.tokens import as_documents

PANDAS = pytest.importorskip("pandas")


@pytest.mark.parametrize("make", [pl.DataFrame, PANDAS.DataFrame])
@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ({"id": ["doc-1"], "text": ["a"]}, "documents['text']"),
        ({"id": ["1"], "when": ["2020-01-06"], "said": ["a goal, late in the game"]}, "documents['said']"),
        ({"id": ["1"], "comment_text": ["a"], "user": ["somebody"]}, "documents['comment_text']"),
        ({"text": [1, 2], "said": ["a goal", "rain"]}, "documents['said']"),
        ({"n": [1, 2]}, "documents['n']"),
        ({}, "documents['text']"),
    ],
)
def test_the_column_that_is_the_text(
    make: Callable[[dict[str, list[Any]]], Any], columns: dict[str, list[Any]], expected: str
) -> None:
    assert column_of_texts(make(columns), list(columns)) == expected


@pytest.mark.parametrize("make", [pl.DataFrame, PANDAS.DataFrame])
def test_what_the_sentence_says_is_what_works(make: Callable[[dict[str, list[Any]]], Any]) -> None:
    documents = make({"id": [1, 2], "Title": ["A goal", "Rain"], "Abstract": ["late", None]})
    with pytest.raises(InputError, match="hand in its texts, for example") as caught:
        as_documents(documents)
    example = str(caught.value).rpartition("for example ")[2].removesuffix(".")
    assert as_documents(eval(example)).to_list() == ["A goal late", "Rain "]  # noqa: S307


def test_columns_that_are_numbers() -> None:
    assert column_of_texts(PANDAS.DataFrame([[1, "a goal"]]), [0, 1]) == "documents[1]"
