from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from keysift.errors import KeywordError
from keysift.keywords.parsing import parse_keywords
from keysift.web.bodies import Keywords
from keysift.web.chips import chips_of, keywords_in, keywords_of, typed_again
from keysift.web.schemas import Chip


def test_a_text_is_never_the_name_of_a_file(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("password\n")
    assert parse_keywords(str(secret)) == {"password": 1.0}  # as on the command line, where it is wanted
    assert keywords_in(str(secret)) == {str(secret): 1.0}
    assert keywords_of(Keywords(text=str(secret))) == {str(secret): 1.0}
    assert keywords_of(Keywords(chips=[Chip(word=str(secret))])) == {str(secret): 1.0}


words = st.text(st.characters(codec="utf-8", categories=["L", "N"]), min_size=1, max_size=8)


@given(st.dictionaries(words, st.tuples(st.sampled_from([0.5, 1.0, 2.0]), st.booleans()), min_size=1, max_size=4))
def test_chips_come_back_as_they_were(typed: dict[str, tuple[float, bool]]) -> None:
    assume(len({word.casefold() for word in typed}) == len(typed))
    chips = [Chip(word=word, weight=1.0 if out else weight, excluded=out) for word, (weight, out) in typed.items()]
    try:
        keywords = keywords_of(Keywords(chips=chips))
    except KeywordError:  # a word and its like in another case, say: refused in a sentence
        return
    assert chips_of(keywords) == chips


def test_a_keyword_that_is_there_is_not_added_again() -> None:
    chips = [Chip(word="hockey", weight=2.0), Chip(word="tax", excluded=True)]
    given = Keywords(chips=chips, text="Hockey, puck, -tax")
    assert keywords_of(given) == {"hockey": 2.0, "-tax": 1.0, "puck": 1.0}
    assert typed_again(given) == ["hockey", "-tax"]


def test_a_weight_that_is_typed_takes_the_place_of_the_one_before() -> None:
    given = Keywords(chips=[Chip(word="hockey", weight=2.0)], text="hockey:3")
    assert keywords_of(given) == {"hockey": 3.0}
    assert typed_again(given) == ["hockey"]


def test_what_contradicts_is_refused() -> None:
    with pytest.raises(KeywordError, match="hockey"):
        keywords_of(Keywords(text="hockey, -hockey"))


def test_no_keyword_at_all_is_none() -> None:
    assert keywords_of(Keywords(text=" , ")) == {}
