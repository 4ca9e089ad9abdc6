import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from keysift.learn import similarity as room
from keysift.learn.similarity import heaviest, most_similar, unit_length


def rows_of(number: int, seed: int, words: int = 60) -> sp.csr_array:
    X = sp.random_array((number, words), density=0.2, rng=np.random.default_rng(seed), dtype=np.float32)
    return unit_length(sp.csr_array(X))


@pytest.mark.parametrize(("number", "others"), [(0, 5), (3, 1), (1300, 700)])
def test_the_most_alike_are_those_with_the_largest_cosine(number: int, others: int) -> None:
    rows, known = rows_of(number, 0), rows_of(others, 1)
    places, values = most_similar(rows, sp.csr_array(known.T), 4, same=False)
    cosines = (rows @ known.T).toarray()
    expected = np.sort(cosines, axis=1)[:, ::-1][:, :4]
    assert places.shape == values.shape == (number, min(4, others))
    assert np.sort(values, axis=1)[:, ::-1] == pytest.approx(expected, abs=1e-6)
    assert np.take_along_axis(cosines, places, axis=1) == pytest.approx(values, abs=1e-6)


def test_nobody_is_its_own_neighbour() -> None:
    rows = rows_of(600, 2)
    places, _ = most_similar(rows, sp.csr_array(rows.T), 3, same=True)
    assert not (places == np.arange(600)[:, None]).any()


def test_a_document_finds_the_same_alone_and_among_others() -> None:
    rows, columns = rows_of(1200, 3), sp.csr_array(rows_of(900, 4).T)
    places, values = most_similar(rows, columns, 5, same=False)
    alone = [most_similar(rows[[place]], columns, 5, same=False) for place in (0, 499, 500, 1199)]
    for place, (one, value) in zip((0, 499, 500, 1199), alone, strict=True):
        assert one[0].tolist() == places[place].tolist()
        assert value[0].tolist() == values[place].tolist()


@given(seed=st.integers(0, 99), number=st.integers(1, 30))
def test_the_heaviest_words_of_each_row_stay(seed: int, number: int) -> None:
    X = rows_of(8, seed)
    kept = heaviest(X, number).toarray()
    for row, left in zip(X.toarray(), kept, strict=True):
        largest = np.argsort(-row, kind="stable")[:number]
        expected = np.zeros_like(row)
        expected[largest] = row[largest]
        assert left.tolist() == expected.tolist()


def test_rows_have_length_one_or_are_empty() -> None:
    X = sp.csr_array(np.array([[3.0, 4.0], [0.0, 0.0]], dtype=np.float32))
    assert unit_length(X).toarray() == pytest.approx(np.array([[0.6, 0.8], [0.0, 0.0]]))


@given(values=st.lists(st.floats(-1, 1, width=32), min_size=1, max_size=900, unique=True), k=st.integers(1, 12))
def test_the_largest_are_found_block_by_block(values: list[float], k: int) -> None:
    k = min(k, len(values))
    row = np.array([values], dtype=np.float32)
    places, found = room._largest(row, k)
    assert sorted(places[0]) == sorted(np.argsort(-row[0])[:k])
    assert (row[0][places[0]] == found[0]).all()
