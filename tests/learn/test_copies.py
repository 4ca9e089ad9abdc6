from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

from keysift.config import DEFAULT, LearnConfig
from keysift.features.prepared import silent
from keysift.features.view import Documents
from keysift.learn.copies import Copies, make_copies, replaced
from keysift.pipeline import match
from tests.keywords.six_documents import TEXTS, prepared_six

pytestmark = pytest.mark.filterwarnings("ignore:The keyword '(home runs|ice hockey)' has no vector")


class Numbering:
    """An encoder whose vectors are the numbers of the texts, so that a vector tells which text it is of."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def encode(self, texts: list[str]) -> NDArray[np.float64]:
        for text in texts:
            if text not in self.texts:
                self.texts.append(text)
        return np.array([[self.texts.index(text), 1.0] for text in texts])

    def read(self, documents: Documents) -> list[str]:
        assert documents.vectors is not None
        return [self.texts[int(number)] for number in documents.vectors[:, 0]]


def copies_of(keywords: Any, encoder: Any = None, texts: list[str] = TEXTS, **learning: Any) -> Copies:
    prepared = prepared_six(texts, encoder=encoder, learning=LearnConfig(**learning))
    return make_copies(prepared, match(prepared, keywords), silent)


def test_keywords_are_masked_in_the_counts() -> None:
    prepared = prepared_six()
    matches = match(prepared, ["hockey", "home runs"])
    copies = make_copies(prepared, matches, silent)
    assert matches.holders.tolist() == [0, 1, 3]
    words = prepared.tokens.words.to_list()
    masked = [{words[column] for column in copies.masked.counts[[row]].indices} for row in range(3)]
    assert masked == [{"the", "goalie", "saved", "game"}, {"a", "baseball", "season", "of"}, {"ice", "and", "baseball"}]
    assert copies.masked.counts.shape == (3, len(words))
    assert copies.masked.vectors is None
    assert copies.negated is None


def test_documents_are_encoded_with_their_keywords_masked_and_negated() -> None:
    encoder = Numbering()
    copies = copies_of(["hockey", "ice hockey"], encoder)
    assert encoder.read(copies.masked) == ["the goalie saved the  game", ",  and baseball"]
    assert copies.negated is not None
    assert copies.negated.places.tolist() == [0, 1]
    assert encoder.read(copies.negated.plain) == [TEXTS[0], TEXTS[3]]
    negated = ["the goalie saved the not hockey game", "not Ice hockey, not ice HOCKEY and baseball"]
    assert encoder.read(copies.negated.negated) == negated
    assert encoder.read(copies.negated.masked) == encoder.read(copies.masked)
    assert sorted(encoder.texts) == sorted([*TEXTS, *negated, *encoder.read(copies.masked)])


def test_nothing_is_negated_where_nobody_asks_for_it() -> None:
    encoder = Numbering()
    copies = copies_of(["hockey"], encoder, negation="")
    assert copies.negated is None
    assert encoder.read(copies.masked) == ["the goalie saved the  game", "Ice , ice  and baseball"]
    assert not any("not" in text for text in encoder.texts)
    assert copies_of(["hockey"], Numbering(), most_negated=0).negated is None


def test_vectors_made_elsewhere_stay_as_they_are() -> None:
    vectors = np.arange(12, dtype=np.float32).reshape(6, 2)
    copies = copies_of(["hockey"], vectors)
    assert copies.negated is None
    assert copies.masked.vectors is not None
    assert copies.masked.vectors.tolist() == vectors[[0, 3]].tolist()


def test_another_word_may_negate() -> None:
    encoder = Numbering()
    copies = copies_of(["baseball"], encoder, negation=" $0 no ")
    assert copies.negated is not None
    assert encoder.read(copies.negated.negated)[1] == "Ice hockey, ice HOCKEY and $0 no baseball"


def test_what_plain_words_do_not_find_is_not_negated() -> None:
    encoder, texts = Numbering(), ["c++ is fine", "c++ and more", "nothing", "good c++"]
    prepared = prepared_six(texts, encoder=encoder, tokenizer=str.split)
    copies = make_copies(prepared, match(prepared, ["c++", "good"]), silent)
    assert copies.negated is not None
    assert encoder.read(copies.negated.negated) == ["not good c++"]
    assert copies.negated.places.tolist() == [2]


@pytest.mark.filterwarnings("ignore:The keyword 'baseball' is in no document")
def test_keywords_that_only_words_near_them_find_leave_nothing_to_encode() -> None:
    encoder, texts = Numbering(), ["a goalie", "the hockey game", "a law"]
    prepared = prepared_six(texts, encoder=encoder, gamma=1)
    copies = make_copies(prepared, match(prepared, ["baseball"]), silent)
    assert copies.masked.vectors is not None
    assert copies.masked.vectors.shape == (0, 2)
    assert copies.negated is None
    assert sorted(encoder.texts) == sorted(texts)


def test_many_documents_are_not_all_negated() -> None:
    texts = [f"good {number}" for number in range(1000)] + ["other"] * 5
    encoder = Numbering()
    copies = copies_of(["good"], encoder, texts)
    assert copies.negated is not None
    negated = encoder.read(copies.negated.negated)
    assert len(negated) == len(copies.negated.places) == DEFAULT.most_negated
    assert (negated[0], negated[-1]) == ("not good 0", "not good 999")  # from all over the corpus
    assert encoder.read(copies.negated.masked) == [text.replace("not good", "") for text in negated]


def test_very_many_phrases_are_taken_out() -> None:
    terms = [(f"word{number}", "here") for number in range(500)]
    texts = pl.Series(["a word3 here, and word499 here", "word3 there"])
    assert replaced(texts, terms, "").to_list() == ["a , and ", "word3 there"]


@pytest.mark.parametrize(
    ("text", "terms", "left"),
    [
        ("Tax LAW, tax-law and taxes", [("tax", "law")], ",  and taxes"),
        ("a (b) [c] a+b", [("b",)], "a () [c] a+"),
        ("Été: l'été", [("été",)], ": l'"),
        ("nothing here", [("else",)], "nothing here"),
    ],
)
def test_keywords_are_taken_out_of_texts(text: str, terms: list[tuple[str, ...]], left: str) -> None:
    assert replaced(pl.Series([text]), terms, "").to_list() == [left]


def test_progress_is_told_of_the_copies() -> None:
    told: list[str] = []
    prepared = prepared_six(encoder=Numbering())
    make_copies(prepared, match(prepared, ["hockey"]), lambda stage, done: told.append(stage))
    assert set(told) == {"Encoding variants"}
