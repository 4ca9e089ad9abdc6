import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.feature_extraction.text import TfidfTransformer

from keysift.features import rows as rows_module
from keysift.features.rows import Shares, Tfidf, column_sums, inverse_document_frequency
from tests.features.corpora import WORDS, counted

KNOWN = st.lists(st.booleans(), min_size=len(WORDS), max_size=len(WORDS)).map(np.array)


@given(counts=counted(), known=KNOWN)
def test_shares_are_of_the_known_words_and_one_more(counts: sp.csr_array, known: NDArray[np.bool_]) -> None:
    cells = counts.toarray() * known
    expected = [[cell / (row.sum() + 1) for cell in row] for row in cells]
    shares = Shares(known)(counts)
    assert shares.toarray() == pytest.approx(np.array(expected))
    assert (shares.sum(axis=1) < 1).all()


@given(counts=counted(), known=KNOWN)
def test_tfidf_rows_have_length_one_or_nothing(counts: sp.csr_array, known: NDArray[np.bool_]) -> None:
    rows = Tfidf(np.where(known, np.arange(1.0, len(WORDS) + 1), 0.0))
    weights = rows(counts).toarray()
    lengths = np.linalg.norm(weights, axis=1)
    holds = (counts.toarray() * known).any(axis=1)
    assert lengths == pytest.approx(np.where(holds, 1.0, 0.0))
    assert (weights >= 0).all()
    assert not weights[:, ~known].any()
    assert (rows.known == known).all()


@given(counts=counted())
def test_tfidf_is_scikit_learns_on_the_words_of_two_documents(counts: sp.csr_array) -> None:
    idf = inverse_document_frequency(counts)
    often = (counts.toarray() > 0).sum(axis=0) >= 2
    assert ((idf > 0) == often).all()
    if often.any():
        theirs = TfidfTransformer(sublinear_tf=True).fit_transform(sp.csr_matrix(counts.toarray()[:, often]))
        assert Tfidf(idf)(counts).toarray()[:, often] == pytest.approx(theirs.toarray())


def test_the_fewest_documents_can_be_chosen() -> None:
    counts = sp.csr_array(np.array([[1.0, 1.0, 0.0], [3.0, 0.0, 0.0]]))
    assert (inverse_document_frequency(counts, least=1) > 0).tolist() == [True, True, False]
    assert (inverse_document_frequency(counts, least=3) > 0).tolist() == [False, False, False]


@pytest.mark.parametrize("rows", [Shares(np.ones(2, dtype=bool)), Shares(np.zeros(2, dtype=bool)), Tfidf(np.ones(2))])
def test_no_documents_and_documents_without_words(rows: Shares | Tfidf) -> None:
    assert rows(sp.csr_array((0, 2))).shape == (0, 2)
    assert not rows(sp.csr_array((3, 2))).toarray().any()


def test_counts_are_left_as_they_were() -> None:
    counts = sp.csr_array(np.array([[1, 2], [0, 3]]))
    for rows in (Shares(np.array([True, True])), Shares(np.array([True, False])), Tfidf(np.array([1.0, 2.0]))):
        rows(counts)
        assert counts.toarray().tolist() == [[1, 2], [0, 3]]


@given(counts=counted(), span=st.integers(1, 9))
def test_weights_are_made_some_entries_at_a_time(counts: sp.csr_array, span: int) -> None:
    rows = Tfidf(np.arange(1.0, len(WORDS) + 1))
    whole = rows(counts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rows_module, "SPAN", span)
        assert rows(counts).data.tobytes() == whole.data.tobytes()


def test_known_logarithms_are_those_that_are_computed() -> None:
    counts = sp.csr_array(np.arange(1.0, 2 * len(rows_module.DAMPED))[:, None])
    lengths = 1.0 + np.log(counts.data)
    few = counts[: len(rows_module.DAMPED) - 1].copy()
    rows_module._damp(few.data)
    assert few.data.tobytes() == lengths[: few.shape[0]].tobytes()
    many = counts.copy()
    rows_module._damp(many.data)
    assert many.data.tobytes() == lengths.tobytes()


@given(counts=counted(), times=st.sampled_from([1.0, 300.0]))
def test_turned_counts_get_the_same_weights_to_the_bit(counts: sp.csr_array, times: float) -> None:
    counts = counts * times
    tfidf = Tfidf(np.random.default_rng(0).uniform(1.0, 9.0, counts.shape[1]))
    turned = sp.csr_array(counts.T)
    weights = sp.csr_array((tfidf.weigh_turned(turned), turned.indices, turned.indptr), shape=turned.shape)
    assert weights.T.toarray().tobytes() == tfidf(counts).toarray().tobytes()


@given(counts=counted(), seed=st.integers(0, 9))
def test_sums_of_columns_are_those_of_bincount_to_the_bit(counts: sp.csr_array, seed: int) -> None:
    values = np.random.default_rng(seed).normal(size=counts.nnz)
    slow = np.bincount(counts.indices, values, counts.shape[1])
    assert column_sums(values, counts).tobytes() == slow.tobytes()
