import re
from dataclasses import replace
from typing import Any

import polars as pl
import pytest

from keysift.config import LearnConfig
from keysift.errors import SettingError
from keysift.features.lexical import LsaView, TfidfView
from keysift.features.means import WordView
from keysift.features.view import PLAIN, Documents, FittedView, Role, role_of
from keysift.features.views import VIEWS, Ingredients, check_views, get_views, sentence_view
from tests.features.corpora import VECTORS


class Own:
    name = "own"

    def fit(self, documents: Documents, words: pl.Series) -> FittedView:
        raise NotImplementedError


OWN = Own()


@pytest.mark.parametrize(
    ("views", "checked"),
    [
        ("words", ("words",)),
        (["tfidf", "lsa"], ("tfidf", "lsa")),
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
            "views must be one or more of words, pieces, tfidf, lsa, or objects with a name and a fit method",
        ),
        (["words", 3], "got 3."),
        (None, "got None."),
        (WordView, "got <class"),
        ([], "views must be one or more different ones; got none."),
        (WordView(VECTORS, name="negation"), "A view cannot be called 'negation', like one of keysift's own"),
        (WordView(VECTORS, name="encoder"), "A view cannot be called 'encoder', like one of keysift's own"),
        (["words", "words"], "views must be one or more different ones; got words, words."),
        (["words", WordView(VECTORS)], "views must be one or more different ones; got words, words."),
    ],
)
def test_views_that_cannot(views: Any, message: str) -> None:
    with pytest.raises(SettingError, match=re.escape(message)):
        check_views(views)


GIVEN = Ingredients(VECTORS, frozenset({"the"}), seed=3, config=LearnConfig(lsa_size=7))


def test_every_name_gives_the_view_of_that_name() -> None:
    views = get_views(tuple(VIEWS), GIVEN)
    assert [view.name for view in views] == list(VIEWS)


def test_views_of_ones_own_stay_as_they_are() -> None:
    first, second = get_views([OWN, "tfidf"], GIVEN)
    assert first is OWN
    assert isinstance(second, TfidfView)
    assert second.stop_words == {"the"}


def test_views_are_made_of_the_ingredients() -> None:
    words, lsa = get_views(["words", "lsa"], GIVEN)
    assert isinstance(words, WordView)
    assert words.vectors is VECTORS
    assert isinstance(lsa, LsaView)
    assert (lsa.seed, lsa.size) == (3, 7)


def test_a_view_says_how_much_it_counts() -> None:
    config = LearnConfig(
        lexical_teaching=0.3,
        mean_neighbour_weight=0.6,
        tfidf_neighbour_weight=1.7,
        encoder_weight=5.0,
        encoder_teaching=3.0,
        encoder_neighbour_weight=0.2,
    )
    views = (*get_views(tuple(VIEWS), replace(GIVEN, config=config)), sentence_view(config))
    assert {view.name: role_of(view) for view in views} == {
        "words": Role("words", 1.0, 1.0, 0.6),
        "pieces": Role("words", 1.0, 1.0, 0.6),
        "tfidf": Role("words", 1.0, 0.3, 1.7),
        "lsa": Role("words", 1.0, 0.3, 1.0),
        "encoder": Role("sentences", 5.0, 3.0, 0.2),
    }


def test_a_view_without_a_role_counts_as_one_of_words() -> None:
    assert role_of(OWN) == PLAIN == Role("words", 1.0, 1.0, 1.0)
