import numpy as np
import polars as pl
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from keysift.evidence import TERMS_SHOWN, WORDS_SHOWN, evidence_frame, top_of_each_row

SHAPES = st.tuples(st.integers(1, 6), st.integers(1, 9))
TIED = arrays(np.float64, SHAPES, elements=st.sampled_from([0.0, 0.0, 1.0, -1.0, 2.0, -2.0, 0.5]))


def empty(rows: int, columns: int) -> sp.csr_array:
    return sp.csr_array((rows, columns), dtype=np.float64)


def slow_top(row: np.ndarray, k: int) -> list[tuple[int, float]]:
    found = sorted(((column, value) for column, value in enumerate(row) if value), key=lambda entry: -abs(entry[1]))
    return (found + [(-1, 0.0)] * k)[:k]


@settings(deadline=None, max_examples=50)
@given(matrix=TIED, k=st.integers(1, 10))
def test_top_of_each_row_agrees_with_a_sort(matrix: np.ndarray, k: int) -> None:
    columns, values = top_of_each_row(sp.csr_array(matrix), k)
    got = [list(zip(*row, strict=True)) for row in zip(columns.tolist(), values.tolist(), strict=True)]
    assert got == [slow_top(row, k) for row in matrix]


def test_top_of_rows_with_stored_zeros_and_without_entries() -> None:
    stored = sp.csr_array((np.array([0.0, 0.0, -0.5]), np.array([0, 2, 1]), np.array([0, 0, 2, 2, 3, 3])), shape=(5, 3))
    columns, values = top_of_each_row(stored, k=2)
    assert columns.tolist() == [[-1, -1], [-1, -1], [-1, -1], [1, -1], [-1, -1]]
    assert values.tolist() == [[0, 0], [0, 0], [0, 0], [-0.5, 0], [0, 0]]
    assert stored.data.tolist() == [0.0, 0.0, -0.5]


@pytest.mark.parametrize("shape", [(0, 3), (2, 0), (2, 3)])
def test_top_of_nothing(shape: tuple[int, int]) -> None:
    columns, values = top_of_each_row(empty(*shape))
    assert columns.tolist() == [[-1] * WORDS_SHOWN] * shape[0]
    assert values.tolist() == [[0.0] * WORDS_SHOWN] * shape[0]


@pytest.mark.parametrize("documents", [0, 2])
@pytest.mark.parametrize("words", [[], ["puck", "tax"]])
@pytest.mark.parametrize("terms", [[], [("ice", "hockey")]])
def test_frame_of_nothing(documents: int, words: list[str], terms: list[tuple[str, ...]]) -> None:
    frame = evidence_frame(
        empty(documents, len(terms)), terms, empty(documents, len(words)), pl.Series(words, dtype=pl.String)
    )
    assert frame.schema == {
        "matched": pl.List(pl.String),
        "words": pl.List(pl.String),
        "contributions": pl.List(pl.Float64),
        "evidence": pl.String,
    }
    assert frame.rows() == [([], [], [], "")] * documents


def test_frame_with_either_or_both() -> None:
    matches = sp.csr_array(np.array([[1.0, 0.0], [0.0, 0.0], [1.0, 3.0]]))
    moved = sp.csr_array(np.array([[0.0, 0.0, 0.0], [0.126, -1.5, 0.001], [0.0, 0.0, -0.25]]))
    frame = evidence_frame(matches, [("puck",), ("ice", "hockey")], moved, pl.Series(["rink", "tax", "the"]))
    assert frame.rows() == [
        (["puck"], [], [], "keywords: puck"),
        ([], ["tax", "rink", "the"], [-1.5, 0.126, 0.001], "moved by: tax -1.50, rink +0.13, the +0.00"),
        (["puck", "ice hockey"], ["the"], [-0.25], "keywords: puck, ice hockey; moved by: the -0.25"),
    ]


@settings(deadline=None, max_examples=50)
@given(held=st.integers(0, TERMS_SHOWN + 4))
def test_only_the_first_terms_are_written_out(held: int) -> None:
    names = [f"t{number}" for number in range(TERMS_SHOWN + 4)]
    matches = sp.csr_array((np.arange(len(names)) < held).astype(np.float64)[None, :])
    frame = evidence_frame(matches, [(name,) for name in names], empty(1, 1), pl.Series(["rink"]))
    assert frame["matched"].to_list() == [names[:held]]
    more = f" and {held - TERMS_SHOWN} more" if held > TERMS_SHOWN else ""
    expected = f"keywords: {', '.join(names[: min(held, TERMS_SHOWN)])}{more}" if held else ""
    assert frame["evidence"].to_list() == [expected]


def test_only_the_words_that_moved_most_are_kept() -> None:
    moved = sp.csr_array(np.arange(1.0, WORDS_SHOWN + 3)[None, :])
    words = pl.Series([f"w{number}" for number in range(1, WORDS_SHOWN + 3)])
    kept = evidence_frame(empty(1, 1), [("any",)], moved, words)["words"].to_list()[0]
    assert kept == [f"w{number}" for number in range(WORDS_SHOWN + 2, 2, -1)]


def test_expansions_are_told_apart() -> None:
    matches = sp.csr_array(np.array([[1.0, 2.0, 0.0], [0.0, 1.0, 1.0]]))
    terms = [("hockey",), ("nhl",), ("ice", "rink")]
    frame = evidence_frame(matches, terms, empty(2, 1), pl.Series(["rink"]), expansions={("nhl",), ("ice", "rink")})
    assert frame["evidence"].to_list() == ["keywords: hockey; near them: nhl", "near them: nhl, ice rink"]
    assert frame["matched"].to_list() == [["hockey", "nhl"], ["nhl", "ice rink"]]
