from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

from keysift.config import LearnConfig
from keysift.encoding.budget import encode_within
from keysift.errors import KeysiftWarning, SettingError
from keysift.features import prepared as prepared_module
from keysift.features.prepared import Prepared
from keysift.features.view import Documents, FittedView
from keysift.features.words import WordView
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
        return WordView().fit(documents, words)


class Lengths:
    """An encoder that knows how many texts it has read."""

    def __init__(self) -> None:
        self.read = 0

    def encode(self, texts: list[str]) -> NDArray[np.float64]:
        self.read += len(texts)
        return np.array([[len(text), 1.0] for text in texts])


def test_what_is_known_at_once() -> None:
    prepared = prepared_with("words")
    assert len(prepared) == 4
    assert prepared.empty.tolist() == [False, False, True, False]
    assert prepared.counts.shape == (4, len(prepared.tokens.words))
    assert [view.name for view in prepared.views] == ["words"]


def test_what_takes_long_is_done_once_and_when_it_is_asked_for() -> None:
    view, encoder = Counting(), Lengths()
    prepared = prepared_with(view, "sentences", encoder=encoder)
    assert (view.fits, encoder.read) == (0, 0)
    first, second = prepared.fitted_views(), prepared.fitted_views()
    assert (view.fits, encoder.read) == (1, len(TEXTS))
    assert list(first) == ["counting", "sentences"]
    assert first["counting"] is second["counting"]
    del first["sentences"]  # a fit may leave out a view; the others still have it
    assert list(prepared.fitted_views()) == ["counting", "sentences"]
    assert prepared.documents() is prepared.documents()


def test_what_was_broken_off_is_made_later() -> None:
    prepared = prepared_with(Counting(), "sentences", encoder=Lengths())

    def stop(stage: str, done: float) -> None:
        raise KeyboardInterrupt

    for ask in (prepared.documents, prepared.fitted_views):
        with pytest.raises(KeyboardInterrupt):
            ask(stop)
        assert not prepared.memo
    assert prepared.documents().vectors is not None
    assert list(prepared.fitted_views()) == ["counting", "sentences"]


def test_vectors_of_changed_texts() -> None:
    changed = pl.Series(["ab", "abcd"])
    encoded = prepared_with("words", encoder=Lengths()).encode(changed)
    assert encoded is not None
    assert encoded[:, 0].tolist() == [2.0, 4.0]
    assert prepared_with("words").encode(changed) is None
    assert prepared_with("words", encoder=np.ones((4, 2))).encode(changed) is None  # only the vectors are known


def test_the_words_that_get_a_score_are_those_of_the_documents() -> None:
    own = ["a", "goal", "in", "hockey", "the", "tax", "law", "of", "ice"]
    assert prepared_with("words").vocabulary().to_list() == own


def test_word_vectors_are_made_when_they_are_first_needed() -> None:
    prepared = prepare(TEXTS, vectors="corpus", views="words", encoder=None)
    assert not prepared.memo
    assert prepared.word_vectors is prepared.word_vectors
    assert prepared.word_vectors.words.to_list()


def test_without_time_to_encode_no_document_has_a_vector() -> None:
    encoder = Lengths()
    prepared = prepared_with("words", "sentences", encoder=encoder, encode_budget=0.0)
    with pytest.warns(
        KeysiftWarning, match=r"longer than the budget of 0 s: 0 were encoded, and the others are scored"
    ):
        vectors = prepared.documents().vectors
    assert vectors is not None
    assert np.isnan(vectors).all()
    assert encoder.read == 0
    assert not np.asarray(prepared.fitted_views()["sentences"].X).any()


class Slow(Lengths):
    """An encoder that is out of time after so many texts: the clock is told in the test."""

    def encode(self, texts: list[str]) -> NDArray[np.float64]:
        CLOCK.append(CLOCK[-1] + len(texts))
        return super().encode(texts)


CLOCK = [0.0]


def told_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prepared_module, "encode_within", partial(encode_within, clock=lambda: CLOCK[-1]))


@pytest.mark.filterwarnings("ignore:Encoding all")
def test_documents_with_a_keyword_are_encoded_first_and_for_other_keywords_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told_time(monkeypatch)
    encoder, view = Slow(), Counting()
    texts = [f"text number {number}" for number in range(40)]
    prepared = prepare(
        texts, vectors=VECTORS, views=[view, "sentences"], encoder=encoder, learning=LearnConfig(encode_budget=12.0)
    )
    first = np.array([31, 5, 17])
    vectors = prepared.documents(first=first).vectors
    assert vectors is not None
    known = ~np.isnan(vectors[:, 0])
    assert known[first].all()
    assert 3 < known.sum() < 20
    assert vectors[known][:, 0].tolist() == [len(text) for text, there in zip(texts, known, strict=True) if there]
    prepared.fitted_views()
    read = encoder.read
    assert prepared.documents(first=first) is prepared.documents()  # they are there
    assert encoder.read == read
    missing = np.flatnonzero(~known)[:2]
    again = prepared.documents(first=missing).vectors
    assert again is not None
    assert not np.isnan(again[missing]).any()
    assert encoder.read == read + 2  # only those that other keywords need
    assert (~np.isnan(again[:, 0])).sum() == known.sum() + 2
    sentences = prepared.fitted_views()["sentences"]
    assert np.asarray(sentences.X)[missing].any()
    assert view.fits == 1  # what does not look at vectors stays


def test_progress_is_told() -> None:
    told: list[tuple[str, float]] = []
    prepared_with("words", "characters").fitted_views(lambda stage, done: told.append((stage, done)))
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
    prepared = prepared_with("words", Wrong(features(len(TEXTS))))
    with pytest.raises(SettingError, match=rf"The view 'own' .*{message}"):
        prepared.fitted_views()
