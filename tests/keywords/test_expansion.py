from typing import Any

import numpy as np
import polars as pl
import pytest

from keysift.errors import KeywordError
from keysift.keywords.expansion import Expansion, Keyword, expand, keyword_document
from keysift.vectors.glove import load_glove
from keysift.vectors.words import WordVectors

WORDS = ["ice", "hockey", "puck", "goal", "tax", "law", "--", "new york"]
MATRIX = np.random.default_rng(3).normal(size=(len(WORDS), 5)).astype(np.float32)
VECTORS = WordVectors("tiny", pl.Series("word", WORDS), MATRIX)


def near_words(keyword: Keyword) -> list[str]:
    return [near.word for near in keyword.expansions]


def by_hand(own: list[str], count: int, exclude: tuple[str, ...] = ()) -> list[tuple[str, Any]]:
    direction = np.mean([MATRIX[WORDS.index(word)] for word in own], axis=0)
    cosines = MATRIX @ direction / np.linalg.norm(MATRIX, axis=1) / np.linalg.norm(direction)
    order = [row for row in np.argsort(-cosines) if WORDS[row] not in (*own, *exclude)]
    return [(WORDS[row], pytest.approx(float(cosines[row]), abs=1e-6)) for row in order[:count]]


@pytest.mark.parametrize("gamma", range(7))
@pytest.mark.parametrize("text", ["hockey", "Ice-Hockey", "law tax goal"])
def test_gamma_nearest_to_the_mean_of_the_words(text: str, gamma: int) -> None:
    (keyword,) = expand({text: 2.0}, VECTORS, gamma=gamma)
    own = list(keyword.term)
    assert (keyword.text, keyword.weight, keyword.in_vectors) == (text, 2.0, True)
    assert [(near.word, near.similarity) for near in keyword.expansions] == by_hand(own, gamma)
    assert not set(own) & set(near_words(keyword))


def test_vocabulary_smaller_than_gamma() -> None:
    (keyword,) = expand({"hockey": 1.0}, VECTORS, gamma=50)
    assert sorted(near_words(keyword)) == sorted(set(WORDS) - {"hockey"})


def test_words_that_are_never_added() -> None:
    (keyword,) = expand({"hockey": 1.0}, VECTORS, gamma=3, never_add=[" Goal", "tax", "unknown"])
    assert [(near.word, near.similarity) for near in keyword.expansions] == by_hand(["hockey"], 3, ("goal", "tax"))


@pytest.mark.parametrize("text", ["zamboni", "ice zamboni"])
def test_unknown_words_are_not_expanded(text: str) -> None:
    hockey, unknown, law = expand({"hockey": 1.0, text: 1.0, "law": 1.0}, VECTORS, gamma=2)
    assert (unknown.in_vectors, unknown.expansions) == (False, ())
    assert [(near.word, near.similarity) for near in hockey.expansions] == by_hand(["hockey"], 2)
    assert [(near.word, near.similarity) for near in law.expansions] == by_hand(["law"], 2)


def test_expansions_are_looked_for_like_documents() -> None:
    (keyword,) = expand({"hockey": 1.0}, VECTORS, gamma=7)
    terms = {near.word: near.term for near in keyword.expansions}
    assert terms["new york"] == ("new", "york")
    assert terms["--"] == ()


def test_own_tokenizer() -> None:
    letters = WordVectors("letters", pl.Series(list("abc")), np.eye(3, dtype=np.float32))
    (keyword,) = expand({"ab": 1.0}, letters, gamma=2, tokenizer=list)
    assert keyword.term == ("a", "b")
    assert near_words(keyword) == ["c"]


def test_a_keyword_without_a_letter() -> None:
    with pytest.raises(KeywordError, match=r"The keyword '!\?' has no letter or digit"):
        expand({"hockey": 1.0, "!?": 1.0}, VECTORS)


def keyword(text: str, weight: float = 1.0, near: str = "") -> Keyword:
    expansions = tuple(Expansion(word, (word,), 0.5) for word in near.split())
    return Keyword(text, tuple(text.split()), weight, True, expansions)


def test_keyword_document() -> None:
    keywords = [keyword("hockey", 1.0, "puck ice"), keyword("ice hockey", 2.0, "puck hockey"), keyword("ice", 0.5)]
    assert keyword_document(keywords, alpha=3) == {
        ("hockey",): 3 + 2,
        ("puck",): 1 + 2,
        ("ice",): 1 + 3 * 0.5,
        ("ice", "hockey"): 3 * 2,
    }


def test_keyword_document_leaves_out_what_has_no_word() -> None:
    punctuation = Keyword("hockey", ("hockey",), 1.0, True, (Expansion("--", (), 0.5),))
    assert keyword_document([punctuation], alpha=2) == {("hockey",): 2.0}


def test_a_word_of_the_vectors_that_a_tokenizer_splits_keeps_its_own_vector() -> None:
    vectors = load_glove()
    (cpp,) = expand({"C++": 1.0}, vectors, gamma=5)
    assert cpp.term == ("c",)
    assert "compiler" in near_words(cpp)
    assert not {"c", "c++"} & set(near_words(cpp))


def test_keywords_that_look_for_the_same_are_one() -> None:
    (keyword,) = expand({"Hockey": 1.0, "hockey": 2.0}, VECTORS, gamma=0)
    assert (keyword.text, keyword.weight) == ("Hockey", 3.0)


def test_exclusion_looks_at_what_a_word_is_found_with() -> None:
    names = ["hockey", "NHL", "nhl", "Puck", "rink"]
    matrix = np.array([[1, 0], [1, 0.1], [1, 0.2], [1, 0.3], [1, 0.4]], dtype=np.float32)
    vectors = WordVectors("cased", pl.Series(names), matrix)
    (hockey,) = expand({"hockey": 1.0}, vectors, gamma=3, never_add=["nhl", "puck"])
    assert near_words(hockey) == ["rink"]
    (nhl,) = expand({"nhl": 1.0}, vectors, gamma=2)
    assert "NHL" not in near_words(nhl)
