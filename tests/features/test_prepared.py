from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

from keysift.config import LearnConfig
from keysift.errors import SettingError
from keysift.features.lexical import TfidfView
from keysift.features.prepared import Prepared
from keysift.features.view import Documents, FittedView
from keysift.pipeline import prepare
from tests.features.corpora import VECTORS

TEXTS = ["a goal in hockey", "the tax law", "", "the law of ice hockey"]


def prepared_with(*views: Any, encoder: Any = None, **learning: Any) -> Prepared:
    return prepare(TEXTS, vectors=VECTORS, views=views, encoder=encoder, learning=LearnConfig(**learning))


@dataclass(eq=False)
class Counting:
    """A view that knows how often it was fitted."""

    name: str = "counting"
    fits: int = 0

    def fit(self, documents: Documents, words: pl.Series) -> FittedView:
        self.fits += 1
        return TfidfView().fit(documents, words)


class Lengths:
    """An encoder that knows how many texts it has read."""

    def __init__(self) -> None:
        self.read = 0

    def encode(self, texts: list[str]) -> NDArray[np.float64]:
        self.read += len(texts)
        return np.array([[len(text), 1.0] for text in texts])


def test_what_is_known_at_once() -> None:
    prepared = prepared_with("tfidf")
    assert len(prepared) == 4
    assert prepared.empty.tolist() == [False, False, True, False]
    assert prepared.counts.shape == (4, len(prepared.tokens.words))
    assert [view.name for view in prepared.views] == ["tfidf"]


def test_what_takes_long_is_done_once_and_when_it_is_asked_for() -> None:
    view, encoder = Counting(), Lengths()
    prepared = prepared_with(view, encoder=encoder)
    assert (view.fits, encoder.read) == (0, 0)
    first, second = prepared.fitted_views(), prepared.fitted_views()
    assert (view.fits, encoder.read) == (1, len(TEXTS))
    assert list(first) == ["counting", "encoder"]
    assert first["counting"] is second["counting"]
    del first["encoder"]  # a fit may leave out a view; the others still have it
    assert list(prepared.fitted_views()) == ["counting", "encoder"]
    assert prepared.documents() is prepared.documents()


def test_what_was_broken_off_is_made_later() -> None:
    prepared = prepared_with(Counting(), encoder=Lengths())

    def stop(stage: str, done: float) -> None:
        raise KeyboardInterrupt

    for ask in (prepared.documents, prepared.fitted_views):
        with pytest.raises(KeyboardInterrupt):
            ask(stop)
        assert not prepared.memo
    assert prepared.documents().vectors is not None
    assert list(prepared.fitted_views()) == ["counting", "encoder"]


def test_vectors_of_changed_texts() -> None:
    changed = pl.Series(["ab", "abcd"])
    encoded = prepared_with("tfidf", encoder=Lengths()).encode(changed)
    assert encoded is not None
    assert encoded[:, 0].tolist() == [2.0, 4.0]
    assert prepared_with("tfidf").encode(changed) is None
    assert prepared_with("tfidf", encoder=np.ones((4, 2))).encode(changed) is None  # only the vectors are known


def test_the_words_that_get_a_score() -> None:
    own = ["a", "goal", "in", "hockey", "the", "tax", "law", "of", "ice"]
    assert prepared_with("tfidf").vocabulary().to_list() == own
    assert prepared_with("words").vocabulary().to_list() == [*own, "unused", "zero", "soup"]
    assert prepared_with("words", known_words=3).vocabulary().to_list() == [*own, "unused"]
    assert prepared_with("words", known_words=0).vocabulary().to_list() == own


def test_progress_is_told() -> None:
    told: list[tuple[str, float]] = []
    prepared_with("tfidf", "lsa").fitted_views(lambda stage, done: told.append((stage, done)))
    assert told == [("Reading views", 0.0), ("Reading views", 0.5), ("Reading views", 1.0)]


class Wrong:
    """A view of somebody's own, whose features are not what they should be."""

    name = "own"

    def __init__(self, X: Any) -> None:
        self.X = X

    def fit(self, documents: Documents, words: pl.Series) -> FittedView:
        return self  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("features", "message"),
    [
        (lambda rows: None, "got nothing"),
        (lambda rows: np.ones((3, 2)), r"got ndarray of float64 \(3, 2\)"),
        (lambda rows: [[1.0]], r"got \[\[1.0\]\]"),
        (lambda rows: np.ones((rows, 2), dtype=np.int64), "got ndarray of int64"),
        (lambda rows: np.full((rows, 2), np.nan), "has NaN or infinity among its features"),
    ],
)
def test_a_view_of_ones_own_is_checked(features: Callable[[int], Any], message: str) -> None:
    prepared = prepared_with("tfidf", Wrong(features(len(TEXTS))))
    with pytest.raises(SettingError, match=rf"The view 'own' .*{message}"):
        prepared.fitted_views()
