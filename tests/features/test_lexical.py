import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given

from keysift.features.lexical import LsaView, TfidfView
from keysift.features.rows import Tfidf, inverse_document_frequency
from keysift.features.view import Documents, Part
from tests.features.corpora import WORDS, counted

COUNTS = sp.csr_array(np.random.default_rng(0).poisson(0.8, size=(30, len(WORDS))).astype(np.float64))


@given(counts=counted())
def test_a_word_a_feature_but_for_stop_words(counts: sp.csr_array) -> None:
    fitted = TfidfView(frozenset({"the", "tax"})).fit(Documents(counts), WORDS)
    idf = inverse_document_frequency(counts)
    kept = (idf > 0) & ~WORDS.is_in(["the", "tax"]).to_numpy()
    weights = Tfidf(idf)(counts).toarray()[:, kept]  # stop words lengthen a document all the same
    assert isinstance(fitted.X, sp.csr_array)
    X = fitted.X.toarray()
    scale = np.divide(X, weights, out=np.full_like(X, np.nan), where=weights > 0)
    assert X.shape == weights.shape
    if X.any():
        assert np.nanstd(scale) == pytest.approx(0.0, abs=1e-9)


def test_stop_words_get_no_score() -> None:
    fitted = TfidfView(frozenset({"the"})).fit(Documents(COUNTS), WORDS)
    part = fitted.part(np.ones(len(WORDS) - 1), WORDS)
    assert isinstance(part, Part)
    assert (part.scores == 0).tolist() == [word == "the" for word in WORDS]


def test_lsa_is_the_best_of_its_size() -> None:
    """As good as the singular vectors, which are the best there are."""
    weights = Tfidf(inverse_document_frequency(COUNTS))(COUNTS).toarray()
    fitted = LsaView(size=4).fit(Documents(COUNTS), WORDS)
    V = np.linalg.svd(weights, full_matrices=False)[2][:4].T
    exact = weights @ V
    exact -= exact.mean(axis=0)
    ours = np.asarray(fitted.X)
    distances = np.linalg.norm(ours[:, None] - ours, axis=2)
    theirs = np.linalg.norm(exact[:, None] - exact, axis=2)
    assert np.corrcoef(distances.ravel(), theirs.ravel())[0, 1] > 0.99
    assert ours.mean(axis=0) == pytest.approx(0.0, abs=1e-9)


def test_lsa_is_repeatable() -> None:
    first, second = (LsaView(seed=3).fit(Documents(COUNTS), WORDS) for _ in range(2))
    assert np.asarray(first.X).tobytes() == np.asarray(second.X).tobytes()


@pytest.mark.parametrize(("view", "features"), [(TfidfView(), 0), (LsaView(), 0)])
def test_no_word_is_in_two_documents(view: TfidfView | LsaView, features: int) -> None:
    documents = Documents(sp.csr_array(np.eye(3, len(WORDS))))
    fitted = view.fit(documents, WORDS)
    assert fitted.X.shape == fitted.transform(documents).shape == (3, features)
    part = fitted.part(np.zeros(features), WORDS)
    assert isinstance(part, Part)
    assert part.offset == 0.0
    assert not part.scores.any()


def test_there_are_no_more_directions_than_documents_or_words() -> None:
    few = Documents(sp.csr_array(np.ones((3, len(WORDS))) + np.eye(3, len(WORDS))))
    assert LsaView(size=200).fit(few, WORDS).X.shape == (3, 3)
    assert LsaView(size=200).fit(Documents(COUNTS), WORDS).X.shape == (30, len(WORDS))
