import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from keysift.features import gram_table
from keysift.features.characters import spell
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


def test_a_script_of_many_signs_has_no_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gram_table, "MOST_LETTERS", 160)
    signs = [chr(0x4E00 + number) for number in range(160)]
    assert GramTable.of(pl.Series([3 * sign for sign in signs])) is None
    assert GramTable.over(pl.Series(signs)) is None
    some = GramTable.of(pl.Series([3 * sign for sign in signs[:158]]))
    assert some is not None
    assert np.diff(some.spell(pl.Series([5 * signs[7], 5 * signs[-1]])).indptr).tolist() == [3, 0]


@given(
    words=st.lists(st.text(alphabet="abé ßx𝒳\0", max_size=6), max_size=8), letters=st.sampled_from([0, MOST_LETTERS])
)
def test_all_of_some_words_are_found_in_order(words: list[str], letters: int) -> None:
    """With no letters allowed, and where a character of number 0 is in the way, they are found without a table."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gram_table, "MOST_LETTERS", letters)
        spelled, grams = spell(pl.Series("word", words, dtype=pl.String))
    slow = [slow_grams(word) for word in words]
    assert grams.to_list() == sorted(set().union(*slow))
    assert spelled.toarray().tolist() == [[one[gram] for gram in grams] for one in slow]


@pytest.mark.parametrize("places", [1, 20])
def test_too_many_beginnings_have_no_table(places: int, monkeypatch: pytest.MonkeyPatch) -> None:
    words = pl.Series(["abcdefghij", "jihgfedcba"])
    found = GramTable.over(words)
    assert found is not None
    monkeypatch.setattr(gram_table, "MOST_PLACES", places)
    assert GramTable.over(words) is None
    assert GramTable.of(found[1]) is None
    assert spell(words)[1].to_list() == found[1].to_list()
