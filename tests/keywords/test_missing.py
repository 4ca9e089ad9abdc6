import re
import warnings

import numpy as np
import polars as pl
import pytest

from keysift.errors import KeysiftWarning
from keysift.keywords.expansion import Keyword
from keysift.keywords.missing import nearest_there, warn_of_missing
from keysift.text.tokens import as_documents, tokenize
from keysift.vectors.words import WordVectors

VECTORS = WordVectors(
    "tiny",
    pl.Series(["hockey", "puck", "goal", "skate", "tax", "hidden"]),
    np.array([[1, 0], [0.9, 0.1], [0.8, 0.3], [0.6, 0.6], [0, 1], [1, 0]], dtype=np.float32),
)
TOKENS = tokenize(as_documents(["puck goal tax zamboni", "skate zambonis puck", "zamboni tax"]))


def keyword(text: str, in_vectors: bool) -> Keyword:
    return Keyword(text, tuple(text.split()), 1.0, in_vectors, ())


@pytest.mark.parametrize(
    ("text", "in_vectors", "documents", "message"),
    [
        ("hockey", True, 0, "'hockey' is in no document; only its expansions are used; {} puck, goal, skate."),
        ("puck", True, 0, "'puck' is in no document; only its expansions are used; {} goal, skate, tax."),
        ("zambonie", False, 0, "'zambonie' is in no document and has no vector; {} zamboni, zambonis."),
        (
            "zamboni",
            False,
            2,
            "'zamboni' has no vector, so it is not expanded; {} zambonis; vectors='corpus' would learn one.",
        ),
        ("qqqq", False, 0, "'qqqq' is in no document and has no vector; {} zambonis, zamboni, tax."),
    ],
)
def test_the_warning_names_the_keyword_and_what_is_there(
    text: str, in_vectors: bool, documents: int, message: str
) -> None:
    one = keyword(text, in_vectors)
    expected = "The keyword " + message.format("the nearest words in the documents:")
    with pytest.warns(KeysiftWarning, match=f"^{re.escape(expected)}$"):
        warn_of_missing([one], {one.term: documents}, TOKENS, VECTORS)


@pytest.mark.parametrize("in_vectors", [True, False])
def test_without_expansions_only_the_documents_matter(in_vectors: bool) -> None:
    one = keyword("hockey" if in_vectors else "zambonie", in_vectors)
    with pytest.warns(KeysiftWarning, match="is in no document and is ignored; the nearest words in the documents: "):
        warn_of_missing([one], {one.term: 0}, TOKENS, VECTORS, expanded=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_of_missing([one], {one.term: 2}, TOKENS, VECTORS, expanded=False)


def test_silent_when_nothing_is_missing() -> None:
    puck = keyword("puck", in_vectors=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_of_missing([puck], {puck.term: 2}, TOKENS, VECTORS)


def test_a_keyword_that_was_dropped_is_not_missing() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_of_missing([keyword("even", in_vectors=True)], {}, TOKENS, VECTORS)


def test_one_warning_for_each() -> None:
    keywords = [keyword("hockey", True), keyword("puck", True), keyword("zambonie", False)]
    with pytest.warns(KeysiftWarning) as caught:
        warn_of_missing(keywords, {("hockey",): 0, ("puck",): 2, ("zambonie",): 0}, TOKENS, VECTORS)
    assert [str(warning.message).split("'")[1] for warning in caught] == ["hockey", "zambonie"]


def test_a_phrase_is_compared_by_the_mean_of_its_words() -> None:
    assert nearest_there(keyword("hockey tax", True), TOKENS, VECTORS, count=1) == ["skate"]


def test_nothing_there_has_a_vector() -> None:
    assert nearest_there(keyword("hockey", True), tokenize(as_documents(["zamboni"])), VECTORS) == []
