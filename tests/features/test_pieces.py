from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from keysift.features.pieces import LEAST, LONGEST, SIZES, Pieces, spell
from keysift.text.known_words import KnownWords

SPELLED = st.lists(st.text(alphabet="abé ßx", min_size=1, max_size=6), max_size=6)


def slow_grams(word: str) -> Counter[str]:
    padded = f" {word[:LONGEST]} "
    return Counter(padded[start : start + size] for size in SIZES for start in range(len(padded) - size + 1))


@given(words=SPELLED)
def test_spelling_equals_the_slow_twin(words: list[str]) -> None:
    matrix, grams = spell(pl.Series("word", words, dtype=pl.String))
    slow = [slow_grams(word) for word in words]
    assert grams.to_list() == sorted(set().union(*slow))
    assert matrix.toarray().tolist() == [[one[gram] for gram in grams] for one in slow]


@given(words=SPELLED, known=st.sets(st.sampled_from([" ab", "abx", "bé ", "aaaa", "zzz"])))
def test_only_known_grams_are_looked_up(words: list[str], known: set[str]) -> None:
    wanted = pl.Series("gram", sorted(known), dtype=pl.String)
    matrix, grams = spell(pl.Series("word", words, dtype=pl.String), KnownWords.of(wanted))
    assert grams.to_list() == wanted.to_list()
    assert matrix.shape == (len(words), len(known))
    assert matrix.toarray().tolist() == [[slow_grams(word)[gram] for gram in wanted] for word in words]


def test_of_a_long_word_only_the_beginning_counts() -> None:
    words = pl.Series(["a" * LONGEST + "bcd", "a" * LONGEST])
    matrix, _ = spell(words)
    assert matrix.toarray()[0].tolist() == matrix.toarray()[1].tolist()


@given(
    words=st.lists(st.text(alphabet="abx", min_size=1, max_size=5), min_size=1, max_size=6, unique=True), data=st.data()
)
def test_weights_equal_the_slow_twin(words: list[str], data: st.DataObject) -> None:
    """With weights, too: a document may stand for several."""
    held = np.array(
        data.draw(st.lists(st.sampled_from([0.0, 1.0, 1.5, 4.0]), min_size=len(words), max_size=len(words)))
    )
    total = 9.0
    slow = [slow_grams(word) for word in words]
    inside = {gram: [one for one, grams in enumerate(slow) if gram in grams] for gram in sorted(set().union(*slow))}
    kept = [gram for gram, those in inside.items() if held[those].sum() >= LEAST]
    idf = {gram: np.log((1 + total) / (1 + min(held[inside[gram]].sum(), total))) + 1 for gram in kept}
    pieces = Pieces.of(pl.Series("word", words), held, total)
    assert pieces.grams.to_list() == kept
    assert pieces.idf == pytest.approx([idf[gram] for gram in kept])
    rows = [[one[gram] * idf[gram] for gram in kept] for one in slow]
    assert pieces.spell(pl.Series("word", words)).toarray() == pytest.approx(np.array(rows).reshape(len(words), -1))


def test_words_of_very_many_letters() -> None:
    words = pl.Series("word", [chr(0x4E00 + place) * 2 for place in range(3_000)] + ["\0\0\0"])
    matrix, grams = spell(words)
    assert len(grams) == matrix.nnz == 3 * 3_000 + len(slow_grams("\0\0\0"))
