import numpy as np
import polars as pl
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from keysift.config import DEFAULT
from keysift.features.view import Documents
from keysift.features.views import SENTENCES, WORDS
from keysift.features.words import WordView
from keysift.learn.teaching import taught, teach
from keysift.learn.view_fit import ViewFit, mean_difference
from tests.learn.numbers import Numbers

Case = tuple[NDArray[np.float64], dict[str, Numbers], NDArray[np.bool_]]


def case(seed: int = 0, documents: int = 400, encoded: int = 200) -> Case:
    """What sentence vectors say of the documents depends on their words; only some documents were encoded."""
    rng = np.random.default_rng(seed)
    counts = sp.csr_array((rng.random((documents, 30)) < 0.2).astype(np.float64))
    words = WordView().fit(Documents(counts), pl.Series([f"w{number}" for number in range(30)]))
    vectors = counts @ rng.normal(size=(30, 5)) + 0.3 * rng.normal(size=(documents, 5))
    known = rng.permutation(documents) < encoded
    sentences = Numbers(np.where(known[:, None], vectors, 0.0), known)
    return vectors, {WORDS: Numbers(words.X), SENTENCES: sentences}, known


@pytest.mark.parametrize("seed", range(3))
def test_documents_without_a_vector_get_about_the_score_that_it_would_give(seed: int) -> None:
    vectors, views, known = case(seed)
    positive = (vectors[:, 0] > np.quantile(vectors[:, 0], 0.8)).astype(np.float64)
    fits = {name: mean_difference(view, positive) for name, view in views.items()}
    told = taught(views, fits)
    would = vectors @ fits[SENTENCES].coef + fits[SENTENCES].offset
    assert np.corrcoef(told[SENTENCES].scores[~known], would[~known])[0, 1] > 0.8
    assert told[SENTENCES].scores[known].tolist() == fits[SENTENCES].scores[known].tolist()
    assert told[WORDS] is fits[WORDS]
    assert told[SENTENCES].coef is fits[SENTENCES].coef


@settings(max_examples=20)
@given(seed=st.integers(0, 999))
def test_it_is_a_ridge_regression(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, scores = rng.normal(size=(40, 6)), rng.normal(size=40)
    known = rng.random(40) < 0.7
    learned = teach(Numbers(sp.csr_array(X)), scores, known)
    seen, wanted = X[known], scores[known] - scores[known].mean()
    exact = np.linalg.solve(seen.T @ seen + DEFAULT.taught_damping**2 * np.eye(6), seen.T @ wanted)
    assert learned.coef == pytest.approx(exact, abs=1e-5)
    assert learned.offset == pytest.approx(scores[known].mean())


def test_where_all_or_none_were_encoded_or_there_are_no_words_fits_stay_as_they_are() -> None:
    vectors, views, known = case()
    fit = ViewFit(np.ones(5), 0.0, np.arange(400.0))
    fits = {WORDS: fit, SENTENCES: fit}
    every, none = Numbers(vectors, np.ones(400, dtype=bool)), Numbers(vectors, np.zeros(400, dtype=bool))
    for given_views in ({**views, SENTENCES: every}, {**views, SENTENCES: none}, {SENTENCES: views[SENTENCES]}):
        told = taught(given_views, {name: fits[name] for name in given_views})
        assert all(told[name] is fit for name in given_views)
    assert taught(views, {WORDS: fit}) == {WORDS: fit}
    assert not known.all()
