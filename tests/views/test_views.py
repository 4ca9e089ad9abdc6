import re
from typing import Any

import polars as pl
import pytest

from keysift.errors import SettingError
from keysift.views import VIEWS, Documents, Reading, TfidfView, WordView, check_views, get_views
from tests.views.corpora import VECTORS


class Own:
    name = "own"

    def read(self, documents: Documents, words: pl.Series) -> Reading:
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
            "views must be one or more of words, pieces, tfidf, lsa, or objects with a name and a read",
        ),
        (["words", 3], "got 3."),
        (None, "got None."),
        (WordView, "got <class"),
        ([], "views must be one or more different ones; got none."),
        (WordView(VECTORS, name="denial"), "A view cannot be called 'denial', like one of keysift's own"),
        (["words", "words"], "views must be one or more different ones; got words, words."),
        (["words", WordView(VECTORS)], "views must be one or more different ones; got words, words."),
    ],
)
def test_views_that_cannot(views: Any, message: str) -> None:
    with pytest.raises(SettingError, match=re.escape(message)):
        check_views(views)


def test_every_name_gives_the_view_of_that_name() -> None:
    views = get_views(tuple(VIEWS), VECTORS, frozenset({"the"}), 0)
    assert [view.name for view in views] == list(VIEWS)


def test_views_of_ones_own_stay_as_they_are() -> None:
    first, second = get_views([OWN, "tfidf"], VECTORS, frozenset({"the"}), 0)
    assert first is OWN
    assert isinstance(second, TfidfView)
    assert second.stop_words == {"the"}
