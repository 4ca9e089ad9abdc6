"""What holds for every view: its features, and the same score told word by word."""

import numpy as np
import polars as pl
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from keysift.features.linear import LinearModel
from keysift.features.view import SPREAD, CharacterPart, Documents, FittedView, NeighbourPart, Part, scale_of
from keysift.text.counts import recolumn
from keysift.text.vocabulary import locate
from tests.features.corpora import EVERY, WORDS, counted, dense, sentence_vectors


def documents_of(counts: sp.csr_array) -> Documents:
    return Documents(counts, sentence_vectors(counts.shape[0]))


def coefficients(fitted: FittedView, seed: int) -> NDArray[np.float64]:
    return np.asarray(np.random.default_rng(seed).normal(size=fitted.X.shape[1]))


def told(
    part: Part | CharacterPart | LinearModel | NeighbourPart, documents: Documents, words: pl.Series
) -> NDArray[np.float64]:
    """The score that the part of a view gives the documents, their words in another order."""
    if isinstance(part, NeighbourPart):
        assert documents.vectors is not None
        return part.score(documents.vectors)
    if isinstance(part, LinearModel):
        assert documents.vectors is not None
        return np.asarray(part.score(documents.vectors.astype(np.float64)))
    counts = recolumn(documents.counts, locate(WORDS, words), len(words))
    return np.asarray(part.rows(counts) @ part.scores + part.offset)


@pytest.mark.parametrize("name", EVERY)
@settings(max_examples=20)
@given(counts=counted(), seed=st.integers(0, 99))
def test_a_score_of_features_is_a_score_of_words(name: str, counts: sp.csr_array, seed: int) -> None:
    documents = documents_of(counts)
    fitted = EVERY[name].fit(documents, WORDS)
    coef = coefficients(fitted, seed)
    order = np.random.default_rng(seed).permutation(len(WORDS) + 2)
    words = pl.concat([WORDS, pl.Series("word", ["unused", "hockeyish"])]).gather(order)
    part = fitted.part(coef, words)
    assert isinstance(part, LinearModel) == (name == "sentences")
    assert told(part, documents, words) == pytest.approx(np.asarray(fitted.X @ coef), abs=1e-8, rel=1e-8)


@pytest.mark.parametrize("name", EVERY)
@settings(max_examples=20)
@given(counts=counted(), hide=st.sets(st.sampled_from(range(len(WORDS)))), seed=st.integers(0, 99))
def test_hidden_words_are_read_like_words_that_are_not_there(
    name: str, counts: sp.csr_array, hide: set[int], seed: int
) -> None:
    fitted = EVERY[name].fit(documents_of(counts), WORDS)
    cells = counts.toarray()
    cells[:, sorted(hide)] = 0.0
    hidden = documents_of(sp.csr_array(cells))
    coef = coefficients(fitted, seed)
    score = np.asarray(fitted.transform(hidden) @ coef)
    assert told(fitted.part(coef, WORDS), hidden, WORDS) == pytest.approx(score, abs=1e-8, rel=1e-8)


@pytest.mark.parametrize("name", EVERY)
@settings(max_examples=20)
@given(counts=counted())
def test_the_training_documents_once_more(name: str, counts: sp.csr_array) -> None:
    documents = documents_of(counts)
    fitted = EVERY[name].fit(documents, WORDS)
    assert dense(fitted.transform(documents)) == pytest.approx(dense(fitted.X), abs=1e-9)
    few = Documents(counts[:1], sentence_vectors(counts.shape[0])[:1])
    assert dense(fitted.transform(few)) == pytest.approx(dense(fitted.X)[:1], abs=1e-9)


@pytest.mark.parametrize("name", ["words", "sentences"])  # how far pieces of words spread is only known about
@settings(max_examples=20)
@given(counts=counted())
def test_every_view_spreads_as_much(name: str, counts: sp.csr_array) -> None:
    X = dense(EVERY[name].fit(documents_of(counts), WORDS).X)
    spread = np.sqrt(X.var(axis=0).sum())
    assert np.isfinite(X).all()
    assert spread == pytest.approx(SPREAD) or not X.any()


@pytest.mark.parametrize("name", EVERY)
def test_documents_that_are_all_the_same_have_no_features(name: str) -> None:
    counts = sp.csr_array(np.ones((3, len(WORDS))))
    documents = Documents(counts, np.ones((3, 4), dtype=np.float32))
    fitted = EVERY[name].fit(documents, WORDS)
    assert dense(fitted.X).std(axis=0) == pytest.approx(0.0)
    assert np.isfinite(dense(fitted.X)).all()


@settings(max_examples=20)
@given(counts=counted(), factor=st.floats(0.1, 100))
def test_the_scale_does_not_ask_how_features_are_stored(counts: sp.csr_array, factor: float) -> None:
    X = counts.toarray() * factor
    mean = X.mean(axis=0)
    scale = scale_of(X, mean)
    assert scale == pytest.approx(scale_of(sp.csr_array(X), mean))
    assert np.sqrt((X * scale).var(axis=0).sum()) == pytest.approx(SPREAD if X.std(axis=0).any() else 0.0)
