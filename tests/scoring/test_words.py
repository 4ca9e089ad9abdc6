import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

from keysift.errors import KeywordError
from keysift.losses import get_loss
from keysift.models import WordScores
from keysift.scoring import WordScorer, fit_words
from keysift.settings import Settings
from keysift.text import Tokens, count_words, tokenize
from keysift.vectors import WordVectors

WORDS = pl.Series(["goal", "law", "puck", "tax"])
VECTORS = WordVectors("tiny", WORDS, np.array([[1, 0], [0, 1], [0.9, 0.2], [-0.2, 1]], dtype=np.float32))
DOCUMENTS = ["goal puck puck", "goal", "tax law unknown", "law tax", "goal law", "unknown"]
POSITIVE = np.array([True, True, False, False, True, False])


def tokens_of(*documents: str) -> Tokens:
    return tokenize(pl.Series(documents))


def scorer() -> WordScorer:
    return WordScorer(WordScores(WORDS, np.array([2.0, -1.0, 1.5, -3.0])))


def test_the_words_of_a_document_make_its_score_and_explain_it() -> None:
    tokens = tokens_of("Goal, goal, law!", "unknown puck", "unknown")
    prepared = scorer().prepare(tokens)
    assert prepared.toarray().tolist() == [[2, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0]]
    scores = scorer().score(prepared)
    np.testing.assert_allclose(scores, scorer().model.score(prepared))
    moved = scorer().explain(prepared, scores).toarray()
    assert ((moved != 0) == (prepared.toarray() != 0)).all()
    np.testing.assert_allclose(moved.sum(1), scores, rtol=1e-6)
    assert moved[0, 0] == pytest.approx(-4 * moved[0, 1])  # twice, and twice as much


def test_counts_at_hand_are_used() -> None:
    tokens = tokens_of(*DOCUMENTS)
    counts = count_words(tokens)
    assert np.array_equal(scorer().prepare(tokens, counts).toarray(), scorer().prepare(tokens).toarray())
    assert scorer().prepare(tokens, 2 * counts).sum() == 2 * scorer().prepare(tokens).sum()


def test_the_floor_is_below_every_word() -> None:
    assert scorer().floor < -3.0


def test_save_and_restore() -> None:
    arrays, settings = scorer().save()
    again = WordScorer.restore(arrays)
    assert settings == {}
    assert again.words.to_list() == WORDS.to_list()
    assert again.model.scores.tolist() == scorer().model.scores.tolist()
    with pytest.raises(KeyError, match="word_scores"):
        WordScorer.restore({**arrays, "word_scores": arrays["word_scores"][1:]})


def fitted(positive: NDArray[np.bool_]) -> WordScorer:
    tokens = tokens_of(*DOCUMENTS)
    return fit_words(tokens, count_words(tokens), VECTORS, positive, get_loss("sigmoid"), Settings())[0]


def test_fit_tells_the_two_sets_apart() -> None:
    model = fitted(POSITIVE)
    scores = model.score(model.prepare(tokens_of(*DOCUMENTS)))
    assert scores[POSITIVE].min() > scores[[2, 3]].max()
    assert model.words.to_list() == WORDS.to_list()


def test_sets_of_documents_without_any_vector() -> None:
    with pytest.raises(KeywordError, match="documents with a keyword hold no word that has a vector in tiny"):
        fitted(np.array(DOCUMENTS) == "unknown")
