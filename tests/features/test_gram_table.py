import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from keysift.features.gram_table import LONGEST, MOST_LETTERS, GramTable
from tests.features.test_characters import slow_grams

# Words with spaces in them, as a tokenizer of one's own may give them, empty ones, and letters that no n-gram has.
SPELLED = st.lists(st.text(alphabet="abé ßx𝒳", max_size=6), max_size=6)
KNOWN = st.sets(st.text(alphabet="abé ß", min_size=2, max_size=5), max_size=12)


@given(words=SPELLED, known=KNOWN)
def test_looking_up_equals_the_slow_twin(words: list[str], known: set[str]) -> None:
    table = GramTable.of(pl.Series("gram", sorted(known), dtype=pl.String))
    assert table is not None
    spelled = table.spell(pl.Series("word", words, dtype=pl.String))
    assert spelled.shape == (len(words), len(known))
    assert spelled.toarray().tolist() == [[slow_grams(word)[gram] for gram in sorted(known)] for word in words]


def test_of_a_long_word_only_the_beginning_is_looked_at() -> None:
    table = GramTable.of(pl.Series(["aaa", "bcd"]))
    assert table is not None
    assert table.spell(pl.Series(["a" * LONGEST + "bcd"])).toarray().tolist() == [[LONGEST - 2.0, 0.0]]


def test_a_script_of_many_signs_has_no_table() -> None:
    signs = [chr(0x4E00 + number) for number in range(MOST_LETTERS)]
    assert GramTable.of(pl.Series([3 * sign for sign in signs])) is None
    some = GramTable.of(pl.Series([3 * sign for sign in signs[: MOST_LETTERS - 1]]))
    assert some is not None
    assert np.diff(some.spell(pl.Series([5 * signs[7], 5 * signs[-1]])).indptr).tolist() == [3, 0]
