import numpy as np
import polars as pl
import pytest
import scipy.sparse as sp

from keysift.features.linear import LinearModel
from keysift.features.sentences import FittedSentences, SentenceView
from keysift.features.view import SPREAD, Documents

NOTHING = sp.csr_array((4, 1))
WORD = pl.Series("word", ["a"])
VECTORS = np.array([[1, 2, 5], [3, 2, 5], [1, 0, 5], [7, 0, 5]], dtype=np.float32)


def test_the_vectors_centred_and_scaled() -> None:
    X = np.asarray(SentenceView().fit(Documents(NOTHING, VECTORS), WORD).X)
    centred = VECTORS - VECTORS.mean(axis=0)
    assert pytest.approx(centred * SPREAD / np.sqrt(centred.var(axis=0).sum())) == X


def test_other_documents_are_measured_from_the_same_mean() -> None:
    fitted = SentenceView().fit(Documents(NOTHING, VECTORS), WORD)
    mean = VECTORS.mean(axis=0, keepdims=True)
    assert np.asarray(fitted.transform(Documents(NOTHING[:1], mean))) == pytest.approx(np.zeros((1, 3)))


def test_its_part_scores_vectors_and_no_words() -> None:
    fitted = SentenceView().fit(Documents(NOTHING, VECTORS), WORD)
    part = fitted.part(np.array([1.0, -2.0, 3.0]), WORD)
    assert isinstance(part, LinearModel)
    assert part.score(VECTORS.astype(np.float64)) == pytest.approx(fitted.X @ np.array([1.0, -2.0, 3.0]))


def test_it_needs_vectors() -> None:
    with pytest.raises(AssertionError, match="the classifier encodes"):
        SentenceView().fit(Documents(NOTHING), WORD)


def test_documents_that_were_not_encoded_stand_in_the_middle() -> None:
    some = VECTORS.copy()
    some[[1, 3]] = np.nan
    fitted = SentenceView().fit(Documents(NOTHING, some), WORD)
    assert isinstance(fitted, FittedSentences)
    assert fitted.known.tolist() == [True, False, True, False]
    X = np.asarray(fitted.X)
    assert not X[[1, 3]].any()
    alone = SentenceView().fit(Documents(NOTHING[:2], VECTORS[[0, 2]]), WORD)
    assert np.asarray(alone.X) == pytest.approx(X[[0, 2]])
    assert np.asarray(fitted.transform(Documents(NOTHING, some))) == pytest.approx(X)


def test_where_nothing_was_encoded_all_stand_there() -> None:
    fitted = SentenceView().fit(Documents(NOTHING, np.full((4, 1), np.nan, dtype=np.float32)), WORD)
    assert not np.asarray(fitted.X).any()
    assert fitted.X.shape == (4, 1)
