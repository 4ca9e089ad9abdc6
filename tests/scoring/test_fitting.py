from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from keysift.errors import KeysiftWarning, KeywordError, SettingError
from keysift.learning import ALONE, Quality, neighbours
from keysift.losses import get_loss
from keysift.scoring import ViewHistory, ViewScorer, Work, fit_views
from keysift.scoring import fitting as room
from keysift.settings import Settings
from keysift.sight import look
from keysift.text import as_documents, tokenize
from keysift.training import History
from keysift.vectors import WordVectors
from keysift.views import Documents, LsaView, Reading, SentenceView, TfidfView, View

NOTHING = WordVectors("none", pl.Series("word", ["unused"]), np.ones((1, 2), dtype=np.float32))
LEXICAL: tuple[View, ...] = (TfidfView(), LsaView(size=20))
TWO = ["hockey", "baseball"]
pytestmark = pytest.mark.filterwarnings("ignore:The keyword .* has no vector")


def silent(stage: str, done: float) -> None:
    pass


def work_of(texts: list[str], keywords: Any, vectors: NDArray[np.float32] | None = None) -> Work:
    sight = look(tokenize(as_documents(texts)), keywords, NOTHING, Settings(), 0, silent)
    return sight.work(sight.labels(), as_documents(texts), vectors, None)


def fitted(
    work: Work, views: tuple[View, ...] = LEXICAL, *, known: tuple[str, ...] = (), **settings: Any
) -> tuple[ViewScorer, ViewHistory, Quality]:
    vocabulary = pl.Series("word", list(known), dtype=pl.String)
    return fit_views(work, views, vocabulary, get_loss("sigmoid"), Settings(**settings), 0, silent)


@pytest.fixture(scope="module")
def work(texts: list[str]) -> Work:
    return work_of(texts, TWO)


def test_it_finds_the_topic(work: Work, is_sports: NDArray[np.bool_]) -> None:
    scorer, history, quality = fitted(work)
    scores = scorer.score(work.documents)
    assert roc_auc_score(is_sports, scores) > 0.95
    assert scores.mean() == pytest.approx(0.0, abs=1e-6)  # every view is standardised on these documents
    assert list(history.views) == ["tfidf", "lsa"]
    assert quality.basis == "keywords"
    assert len(quality.belief) == len(work.keyword_documents)


def test_the_keywords_alone(work: Work) -> None:
    """A share of zero is the fit to the split, without a round."""
    scorer, history, quality = fitted(work, believe=0)
    assert [(trial.way, trial.weight) for trial in quality.trials] == [(ALONE, 1.0)]
    believing, _, _ = fitted(work, believe=0.3)
    assert believing.score(work.documents).tolist() != scorer.score(work.documents).tolist()
    assert history.converged


def test_one_keyword_is_judged_by_halves_of_its_documents(texts: list[str]) -> None:
    _, _, quality = fitted(work_of(texts * 2, ["served"]), believe=0)
    assert quality.basis == "documents"
    assert 0.5 < quality.value <= 1.0
    assert not np.isnan(quality.belief).any()


def test_where_nothing_can_be_judged_the_keywords_decide(texts: list[str]) -> None:
    work = work_of([*texts[:20], "a rare narwhal sings", "one narwhal more"], ["narwhal"])
    scorer, _, quality = fitted(work)
    assert quality.basis == "nothing"
    assert np.isnan(quality.value)
    assert [trial.weight for trial in quality.trials if trial.way == ALONE] == [1.0]
    alone, _, _ = fitted(work, believe=0)
    assert scorer.score(work.documents).tobytes() == alone.score(work.documents).tobytes()


def test_words_of_the_vocabulary_get_a_place(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    scorer, _, _ = fitted(work, believe=0, known=("hockey", "zebra", "yak"))
    words = scorer.words.to_list()
    assert words == [*work.words, "zebra", "yak"]
    monkeypatch.setattr(room, "KNOWN_WORDS", 2)
    assert fitted(work, believe=0, known=("hockey", "zebra", "yak"))[0].words.to_list() == [*work.words, "zebra"]


def test_views_over_the_same_words_become_one_part(work: Work) -> None:
    scorer, _, _ = fitted(work, believe=0)
    assert len(scorer.parts) == 1


def test_an_encoder_counts_beside_the_words(texts: list[str], is_sports: NDArray[np.bool_]) -> None:
    rng = np.random.default_rng(0)
    vectors = (is_sports[:, None] * 3 + rng.normal(size=(len(texts), 4))).astype(np.float32)
    work = work_of(texts, TWO, vectors)
    scorer, history, _ = fitted(work, (*LEXICAL, SentenceView()), believe=0)
    assert list(history.views) == ["tfidf", "lsa", "encoder"]
    assert scorer.encoder is not None
    scores = scorer.score(work.documents)
    assert roc_auc_score(is_sports, scores) > 0.95
    assert scorer.floor < scores.min()
    alone, _, _ = fitted(work, (SentenceView(),), believe=0)
    assert alone.parts == ()
    assert roc_auc_score(is_sports, alone.score(work.documents)) > 0.9


def test_of_very_many_documents_a_sample_gives_examples(
    work: Work, is_sports: NDArray[np.bool_], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(neighbours, "MOST_DOCUMENTS", 40)
    scorer, _, _ = fitted(work, believe="neighbours")
    assert scorer.nearest is not None
    assert scorer.nearest.documents.shape[0] <= 40
    scores = scorer.score(work.documents)
    assert scores.mean() == pytest.approx(0.0, abs=1e-4)  # the usual score is that of all documents, not of the sample
    assert roc_auc_score(is_sports, scores) > 0.9


def test_documents_that_look_alike_are_refused(texts: list[str]) -> None:
    work = work_of(["hockey one", "two three", "four five"], ["hockey"])
    with pytest.raises(KeywordError, match="look the same to tfidf, lsa: nothing can be learned; use other views"):
        fitted(work)


def test_a_fit_that_does_not_arrive_warns(work: Work) -> None:
    with pytest.warns(KeysiftWarning, match=r"A fit stopped after 1 steps without arriving; raise max_iter or l2\."):
        fitted(work, max_iter=1, believe=0)


def test_repeatable_to_the_bit(work: Work) -> None:
    first, second = (fitted(work, believe=0.2)[0].score(work.documents) for _ in range(2))
    assert first.tobytes() == second.tobytes()


def test_the_history_of_the_views_together() -> None:
    views: Mapping[str, History] = {
        "a": History(risk=(0.5, 0.2), gradient_norm=(1.0, 0.0), converged=True, message=""),
        "b": History(risk=(0.3, 0.2, 0.1), gradient_norm=(1.0, 0.5, 0.1), converged=False, message=""),
    }
    history = ViewHistory(views)
    assert (history.converged, history.message) == (False, "a, b")
    assert history.steps == sum(view.steps for view in views.values())
    assert history.risk == pytest.approx((0.4, 0.15))


class Wrong:
    """A view of somebody's own, whose features are not what they should be."""

    name = "own"

    def __init__(self, X: Any) -> None:
        self.X = X

    def read(self, documents: Documents, words: pl.Series) -> Reading:
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
def test_a_view_of_ones_own_is_checked(work: Work, features: Callable[[int], Any], message: str) -> None:
    own = Wrong(features(work.documents.counts.shape[0]))
    with pytest.raises(SettingError, match=rf"The view 'own' .*{message}"):
        fitted(work, (*LEXICAL, own))
