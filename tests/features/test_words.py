import numpy as np
import polars as pl
import pytest
import scipy.sparse as sp
from hypothesis import given

from keysift.features.rows import Tfidf, inverse_document_frequency
from keysift.features.view import SPREAD, Documents, Part
from keysift.features.words import WordView
from tests.features.corpora import WORDS, counted


@given(counts=counted())
def test_a_feature_for_each_word_in_two_or_more_documents(counts: sp.csr_array) -> None:
    fitted = WordView().fit(Documents(counts), WORDS)
    idf = inverse_document_frequency(counts)
    weights = Tfidf(idf)(counts).toarray()[:, idf > 0]
    assert isinstance(fitted.X, sp.csr_array)
    X = fitted.X.toarray()
    assert X.shape == weights.shape == (counts.shape[0], ((counts.toarray() > 0).sum(axis=0) >= 2).sum())
    spread = np.sqrt(weights.var(axis=0).sum())
    if spread > 1e-6:
        assert pytest.approx(weights * SPREAD / spread) == X


def test_no_word_is_in_two_documents() -> None:
    documents = Documents(sp.csr_array(np.eye(3, len(WORDS))))
    fitted = WordView().fit(documents, WORDS)
    assert fitted.X.shape == fitted.transform(documents).shape == (3, 0)
    part = fitted.part(np.zeros(0), WORDS)
    assert isinstance(part, Part)
    assert not part.scores.any()


def test_words_that_are_not_known_have_no_score() -> None:
    counts = sp.csr_array(np.array([[1.0, 1.0], [1.0, 0.0], [0.0, 1.0]]))
    fitted = WordView().fit(Documents(counts), pl.Series("word", ["goal", "law"]))
    part = fitted.part(np.array([1.0, -2.0]), pl.Series("word", ["new", "law", "goal"]))
    assert isinstance(part, Part)
    assert part.rows.known.tolist() == [False, True, True]
    assert part.scores[0] == 0 > part.scores[1] == pytest.approx(-2 * part.scores[2])
