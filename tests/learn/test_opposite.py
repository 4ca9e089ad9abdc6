from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

from keysift.config import DEFAULT, LearnConfig
from keysift.features.prepared import Prepared, silent
from keysift.learn.opposite import NONE, Opposite, find_opposite, replaced
from keysift.learn.strength import strength
from keysift.pipeline import match, prepare
from keysift.vectors.words import WordVectors

VECTORS = WordVectors("none", pl.Series("word", ["good", "lovely"]), np.ones((2, 2), dtype=np.float32))
TEXTS = [f"{'good' if number % 4 == 0 else 'some'} item{number}" for number in range(80)]
SIZE = 8


class Moving:
    """An encoder: noise by the text, "good" leads along the first axis, and "not" along one of them."""

    def __init__(self, axis: int) -> None:
        self.axis, self.read = axis, 0

    def __call__(self, texts: list[str]) -> NDArray[np.float64]:
        self.read += len(texts)
        rows = []
        for text in texts:
            row = 0.1 * np.random.default_rng(sum(map(ord, text.removeprefix("not ")))).normal(size=SIZE)
            row[0] += 2.0 * ("good" in text)
            row[self.axis] -= 2.0 * ("not " in text)
            rows.append(row)
        return np.array(rows)


def prepared_with(encoder: Any, texts: list[str] = TEXTS, **learning: Any) -> Prepared:
    return prepare(texts, vectors=VECTORS, encoder=encoder, learning=LearnConfig(**{"negation": "not", **learning}))


def opposite_in(prepared: Prepared, keywords: Any = "good") -> Opposite:
    matches = match(prepared, keywords)
    return find_opposite(prepared, matches, strength(matches), silent)


def test_an_opposite_leads_away_from_the_keywords() -> None:
    opposite = opposite_in(prepared_with(Moving(0)))
    assert opposite.cosine > 0.95
    assert opposite.direction == pytest.approx(2.0 * (np.arange(SIZE) == 0), abs=0.01)


def test_topics_have_none() -> None:
    """What "not" changes has nothing to do with what the keywords are about."""
    assert abs(opposite_in(prepared_with(Moving(5))).cosine) < 0.2


@pytest.mark.parametrize(
    ("encoder", "changes"),
    [
        (None, {}),
        (np.random.default_rng(0).normal(size=(len(TEXTS), 3)), {}),  # only the vectors are known
        (Moving(0), {"negation": ""}),
        (Moving(0), {"fewest_negated": 21}),
        (lambda texts: [[1.0, 2.0]] * len(texts), {}),  # it reads nothing
    ],
)
def test_where_nothing_can_be_negated(encoder: Any, changes: dict[str, Any]) -> None:
    assert opposite_in(prepared_with(encoder, **changes)) is NONE


def test_twenty_copies_are_enough_for_a_limit_of_twenty() -> None:
    assert opposite_in(prepared_with(Moving(0), fewest_negated=20)).cosine > 0.9


@pytest.mark.parametrize("most", [3, 7])
def test_only_so_many_documents_are_negated(most: int) -> None:
    encoder = Moving(0)
    prepared = prepared_with(encoder, most_negated=most)
    prepared.documents()
    read = encoder.read
    assert opposite_in(prepared).cosine > 0.9
    assert encoder.read - read == 2 * most


def test_a_keyword_far_down_is_not_looked_for() -> None:
    texts = [f"{'x' * DEFAULT.negated_characters} {text}" for text in TEXTS]
    assert opposite_in(prepared_with(Moving(0), texts)) is NONE


def test_documents_that_were_not_encoded_have_no_say() -> None:
    prepared = prepared_with(Moving(0))
    vectors = prepared.documents().vectors
    assert vectors is not None
    whole = opposite_in(prepared)
    vectors[[1, 2, 4]] = np.nan
    some = opposite_in(prepared)
    assert some.cosine == pytest.approx(whole.cosine, abs=0.05)
    vectors[:] = np.nan
    assert opposite_in(prepared) is NONE


@pytest.mark.parametrize(
    ("text", "terms", "negated"),
    [
        ("Good, goods", [("good",)], "not Good, goods"),
        ("a home-run here", [("home", "run")], "a not home-run here"),
        ("ice hockey", [("ice",), ("ice", "hockey")], "not ice hockey"),  # the longest first
        ("c++ and (x)", [("(x)",)], "c++ and (x)"),
        ("item", [(f"w{number}",) for number in range(250)] + [("item",)], "not item"),
    ],
)
def test_every_keyword_is_replaced(text: str, terms: list[tuple[str, ...]], negated: str) -> None:
    assert replaced(pl.Series([text]), terms, "not $0").to_list() == [negated]


def test_a_negation_is_taken_as_it_is() -> None:
    texts: list[str] = []

    def encode(given: list[str]) -> list[list[float]]:
        texts.extend(given)
        return [[float(len(text)), 1.0] for text in given]

    opposite_in(prepared_with(encode, negation=" $1 "))
    assert "$1 good item0" in texts
