import pytest
from hypothesis import given
from hypothesis import strategies as st

from keysift.text.counts import split_terms
from keysift.text.scripts import SPACELESS, spelled


@pytest.mark.parametrize("character", "酒のアไລမក々〇﨑ｱ𠮷")
def test_characters_without_spaces(character: str) -> None:
    assert SPACELESS.match(character)


@pytest.mark.parametrize("character", "aéßжαא한ء1_।")
def test_characters_of_words(character: str) -> None:
    assert not SPACELESS.match(character)


@given(st.text("ab酒店 ", max_size=12))
def test_a_split_term_is_spelled_as_it_was(text: str) -> None:
    (term,) = split_terms([text])
    assert spelled(term).replace(" ", "") == text.replace(" ", "")
    assert split_terms([spelled(term)]) == [term]


def test_a_pair_from_a_tokenizer_of_ones_own_stays() -> None:
    assert spelled(("野球", "球場")) == "野球 球場"
