import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.feature_extraction.text import TfidfTransformer

from keysift.features import rows as rows_module
from keysift.features.rows import Shares, Tfidf, damped, inverse_document_frequency
from tests.features.corpora import WORDS, counted

KNOWN = st.lists(st.booleans(), min_size=len(WORDS), max_size=len(WORDS)).map(np.array)


@given(counts=counted(), known=KNOWN)
def test_shares_are_of_the_known_words_and_one_more(counts: sp.csr_array, known: NDArray[np.bool_]) -> None:
    cells = counts.toarray() * known
    expected = [[cell / (row.sum() + 1) for cell in row] for row in cells]
    shares = Shares(known.astype(np.float64))(counts)
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


@pytest.mark.parametrize("rows", [Shares(np.ones(2)), Shares(np.zeros(2)), Tfidf(np.ones(2))])
def test_no_documents_and_documents_without_words(rows: Shares | Tfidf) -> None:
    assert rows(sp.csr_array((0, 2))).shape == (0, 2)
    assert not rows(sp.csr_array((3, 2))).toarray().any()


def test_counts_are_left_as_they_were() -> None:
    counts = sp.csr_array(np.array([[1, 2], [0, 3]]))
    for rows in (Shares(np.array([1.0, 1.0])), Shares(np.array([1.0, 0.0])), Tfidf(np.array([1.0, 2.0]))):
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
    few = counts.data[: len(rows_module.DAMPED) - 1]
    assert damped(few).tobytes() == lengths[: len(few)].tobytes()
    assert damped(counts.data).tobytes() == lengths.tobytes()


@given(counts=counted(), others=st.lists(st.floats(0, 9), min_size=8, max_size=8))
def test_other_words_make_a_row_longer(counts: sp.csr_array, others: list[float]) -> None:
    tfidf = Tfidf(np.arange(1.0, len(WORDS) + 1))
    more = np.array(others)[: counts.shape[0]]
    rows, longer = tfidf.copied(counts), tfidf.copied(counts)
    lengths, with_others = tfidf.weigh(rows), tfidf.weigh(longer, more)
    there = np.diff(counts.indptr) > 0
    assert with_others[there] == pytest.approx(np.sqrt(lengths**2 + more)[there])
    assert (longer.toarray() * with_others[:, None])[there] == pytest.approx((rows.toarray() * lengths[:, None])[there])
