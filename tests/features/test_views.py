import re
from typing import Any

import polars as pl
import pytest

from keysift.errors import SettingError
from keysift.features.view import PLAIN, Documents, FittedView, Role, role_of
from keysift.features.views import AUTO, VIEWS, check_views, get_views, view_names
from keysift.features.words import WordView


class Own:
    name = "own"

    def fit(self, documents: Documents, words: pl.Series) -> FittedView:
        raise NotImplementedError


OWN = Own()


@pytest.mark.parametrize(
    ("views", "checked"),
    [
        ("words", ("words",)),
        (["words", "sentences"], ("words", "sentences")),
        (AUTO, (AUTO,)),
        (tuple(VIEWS), tuple(VIEWS)),
        (OWN, (OWN,)),
        (("words", OWN), ("words", OWN)),
    ],
)
def test_views_that_can_be_used(views: Any, checked: tuple[Any, ...]) -> None:
    assert check_views(views) == checked


@pytest.mark.parametrize(
    ("views", "message"),
    [
        (
            "lda",
            "views must be 'auto', one or more of words, characters, sentences, neighbours, or objects with a",
        ),
        (["words", 3], "got 3."),
        (None, "got None."),
        (WordView, "got <class"),
        ([], "views must be one or more different ones; got none."),
        (WordView(name="sentences"), "A view cannot be called 'sentences', like one of keysift's own"),
        (["auto", "words"], "got 'auto'."),
        (["words", "neighbours"], "The view 'neighbours' stands beside 'sentences'"),
        (["words", "words"], "views must be one or more different ones; got words, words."),
        (["words", WordView()], "views must be one or more different ones; got words, words."),
    ],
)
def test_views_that_cannot(views: Any, message: str) -> None:
    with pytest.raises(SettingError, match=re.escape(message)):
        check_views(views)


def test_every_name_gives_the_view_of_that_name() -> None:
    assert view_names(get_views(tuple(VIEWS), encoded=True)) == list(VIEWS)


@pytest.mark.parametrize(
    ("encoded", "names"), [(True, ["words", "sentences", "neighbours"]), (False, ["words", "characters"])]
)
def test_characters_stand_in_for_sentences(encoded: bool, names: list[str]) -> None:
    assert view_names(get_views([AUTO], encoded=encoded)) == names


def test_views_of_ones_own_stay_as_they_are() -> None:
    first, second = get_views([OWN, "words"], encoded=True)
    assert first is OWN
    assert isinstance(second, WordView)


def test_a_view_says_how_much_it_counts() -> None:
    assert {view.name: role_of(view) for view in get_views(tuple(VIEWS), encoded=True)} == {
        "words": Role("words", 1.0),
        "characters": Role("characters", 1.0),
        "sentences": Role("sentences", 1.5),
        "neighbours": Role("neighbours", 1.0),
    }


def test_a_view_without_a_role_counts_as_one_of_words() -> None:
    assert role_of(OWN) == PLAIN == Role("words", 1.0)
