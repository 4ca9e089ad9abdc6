import polars as pl

from keysift.present.folding import LOOKED_AT, folded

LONG = " ".join(f"word{number}" for number in range(200))


def test_each_document_is_shown_or_counted_once() -> None:
    texts = pl.Series(["a goal", LONG, "A  GOAL", f"{LONG} more", "a tax law", "a goal "])
    assert folded(texts, 20) == [(0, 2, 5), (1, 3), (4,)]
    assert folded(texts, 2) == [(0, 2, 5), (1, 3)]
    assert folded(pl.Series([], dtype=pl.String), 20) == []


def test_only_the_top_of_a_long_list_is_compared() -> None:
    texts = pl.Series([*(["again"] * (LOOKED_AT - 1)), "other", *(["again"] * 500)])
    (first, second) = folded(texts, 20)
    assert (len(first), second) == (LOOKED_AT - 1, (LOOKED_AT - 1,))
