import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keysift.vectors import pieces as pieces_module
from keysift.vectors.pieces import load_pieces


@settings(max_examples=20)
@given(st.lists(st.text(st.characters(categories=["L", "N", "P"]), min_size=1, max_size=12), max_size=6))
def test_every_word_has_a_unit_vector_that_is_the_mean_of_its_pieces(words: list[str]) -> None:
    pieces = load_pieces()
    vectors = np.asarray(pieces.spell(pl.Series("word", words, dtype=pl.String)) @ pieces.matrix)
    assert vectors.shape == (len(words), 256)
    for word, vector in zip(words, vectors, strict=True):
        spelled = pieces.tokenizer.encode(word, add_special_tokens=False).ids
        total = pieces.matrix[spelled].astype(np.float64).sum(axis=0)
        assert vector == pytest.approx(total / np.linalg.norm(total), abs=1e-5)


def test_a_word_is_spelled_the_same_alone_and_in_company(monkeypatch: pytest.MonkeyPatch) -> None:
    words = pl.Series("word", ["goalie", "a", "supercalifragilistic", "野球", "né"])
    pieces = load_pieces()
    together = pieces.spell(words)
    monkeypatch.setattr(pieces_module, "BLOCK", 2)
    assert pieces.spell(words).data.tolist() == together.data.tolist()
    for row, word in enumerate(words):
        alone = pieces.spell(pl.Series([word]))
        assert alone.indices.tolist() == together[[row]].indices.tolist()
        assert alone.data == pytest.approx(together[[row]].data)


def test_nothing_to_spell() -> None:
    pieces = load_pieces()
    assert pieces.spell(pl.Series("word", [], dtype=pl.String)).shape == (0, 32_000)
    assert not pieces.spell(pl.Series([""])).toarray().any()


def test_words_of_like_meaning_are_near() -> None:
    pieces = load_pieces()
    hockey, baseball, court = np.asarray(pieces.spell(pl.Series(["hockey", "baseball", "court"])) @ pieces.matrix)
    assert hockey @ baseball > hockey @ court


def test_read_once_in_a_process() -> None:
    assert load_pieces() is load_pieces()
