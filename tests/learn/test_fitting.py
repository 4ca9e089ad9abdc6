from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from keysift.config import LearnConfig
from keysift.errors import KeysiftWarning, KeywordError
from keysift.features.lexical import LsaView, TfidfView
from keysift.features.prepared import Prepared
from keysift.features.sentences import SentenceView
from keysift.features.view import View
from keysift.learn.fitting import ViewHistory, fit_views, readable
from keysift.learn.folds import split_by
from keysift.learn.linear_fit import History
from keysift.learn.quality import Quality
from keysift.learn.scorer import ViewScorer
from keysift.learn.strategies import ALONE
from keysift.pipeline import match, prepare
from keysift.risk.losses import get_loss
from keysift.vectors.words import WordVectors

NOTHING = WordVectors("none", pl.Series("word", ["unused"]), np.ones((1, 2), dtype=np.float32))
LEXICAL: tuple[View, ...] = (TfidfView(), LsaView(size=20))
TWO = ["hockey", "baseball"]
pytestmark = pytest.mark.filterwarnings("ignore:The keyword .* has no vector")

Fitted = tuple[Prepared, ViewScorer, ViewHistory, Quality]


def fitted(
    texts: list[str],
    keywords: Any = TWO,
    views: tuple[View, ...] = LEXICAL,
    vectors: NDArray[np.float32] | None = None,
    **learning: Any,
) -> Fitted:
    return learned(
        prepare(texts, vectors=NOTHING, views=views, encoder=vectors, learning=LearnConfig(**learning)), keywords
    )


def learned(prepared: Prepared, keywords: Any = TWO, check: Callable[[], None] = lambda: None) -> Fitted:
    matches = match(prepared, keywords)
    split = split_by(matches)
    assert split is not None
    fit = fit_views(prepared, matches, split, get_loss("sigmoid"), progress=lambda stage, done: None, check=check)
    return prepared, *fit


def scores_of(fit: Fitted) -> NDArray[np.float64]:
    prepared, scorer, _, _ = fit
    return scorer.score(readable(prepared, scorer))


def test_it_finds_the_topic(texts: list[str], is_sports: NDArray[np.bool_]) -> None:
    fit = fitted(texts)
    prepared, _, history, quality = fit
    scores = scores_of(fit)
    assert roc_auc_score(is_sports, scores) > 0.95
    assert scores.mean() == pytest.approx(0.0, abs=1e-6)  # every view is standardised on these documents
    assert list(history.views) == ["tfidf", "lsa"]
    assert quality.basis == "keywords"
    assert len(quality.belief) == len(match(prepared, TWO).holders)


def test_the_keywords_alone(texts: list[str]) -> None:
    """A share of zero is the fit to the split, without a round."""
    alone = fitted(texts, self_training=0)
    _, _, history, quality = alone
    assert [(trial.strategy, trial.weight) for trial in quality.trials] == [(ALONE, 1.0)]
    assert scores_of(fitted(texts, self_training=0.3)).tolist() != scores_of(alone).tolist()
    assert history.converged


def test_one_keyword_is_judged_by_halves_of_its_documents(texts: list[str]) -> None:
    quality = fitted(texts * 2, ["served"], self_training=0)[3]
    assert quality.basis == "documents"
    assert 0.5 < quality.value <= 1.0
    assert not np.isnan(quality.belief).any()


def test_where_nothing_can_be_judged_the_keywords_decide(texts: list[str]) -> None:
    documents = [*texts[:20], "a rare narwhal sings", "one narwhal more"]
    fit = fitted(documents, ["narwhal"])
    quality = fit[3]
    assert quality.basis == "nothing"
    assert np.isnan(quality.value)
    assert [trial.weight for trial in quality.trials if trial.strategy == ALONE] == [1.0]
    alone = fitted(documents, ["narwhal"], self_training=0)
    assert scores_of(fit).tobytes() == scores_of(alone).tobytes()


class Knowing(TfidfView):
    """A view that knows words which no document holds."""

    vocabulary = pl.Series("word", ["hockey", "zebra", "yak"])


def test_words_of_the_vocabulary_get_a_place(texts: list[str]) -> None:
    prepared, scorer, _, _ = fitted(texts, views=(Knowing(),), self_training=0)
    words = prepared.tokens.words.to_list()
    assert scorer.words.to_list() == [*words, "zebra", "yak"]
    _, scorer, _, _ = fitted(texts, views=(Knowing(),), self_training=0, known_words=2)
    assert scorer.words.to_list() == [*words, "zebra"]


def test_views_over_the_same_words_become_one_part(texts: list[str]) -> None:
    assert len(fitted(texts, self_training=0)[1].parts) == 1


def test_an_encoder_counts_beside_the_words(texts: list[str], is_sports: NDArray[np.bool_]) -> None:
    rng = np.random.default_rng(0)
    vectors = (is_sports[:, None] * 3 + rng.normal(size=(len(texts), 4))).astype(np.float32)
    fit = fitted(texts, vectors=vectors, self_training=0)
    _, scorer, history, _ = fit
    assert list(history.views) == ["tfidf", "lsa", "encoder"]
    assert scorer.encoder is not None
    scores = scores_of(fit)
    assert roc_auc_score(is_sports, scores) > 0.95
    assert scorer.floor < scores.min()
    sentences = replace(fit[0], views=(SentenceView(),), memo={})
    alone = learned(sentences)
    assert alone[1].parts == ()
    assert roc_auc_score(is_sports, scores_of(alone)) > 0.9


def test_of_very_many_documents_a_sample_gives_examples(texts: list[str], is_sports: NDArray[np.bool_]) -> None:
    fit = fitted(texts, self_training="neighbours", most_compared=40)
    scorer = fit[1]
    assert scorer.nearest is not None
    assert scorer.nearest.examples.documents.shape[0] <= 40
    scores = scores_of(fit)
    assert scores.mean() == pytest.approx(0.0, abs=1e-4)  # the usual score is that of all documents, not of the sample
    assert roc_auc_score(is_sports, scores) > 0.9


def test_training_documents_are_read_as_new_ones_are(texts: list[str]) -> None:
    """What they are similar to was looked up once, and is the same as looked up again."""
    prepared, scorer, _, _ = fitted(texts, self_training="neighbours")
    known, anew = readable(prepared, scorer), scorer.prepare(prepared.tokens)
    assert known.similar is not None
    assert anew.similar is None
    assert scorer.score(known).tobytes() == scorer.score(anew).tobytes()
    moved = scorer.explain(known, scorer.score(known)).toarray()
    assert moved.tobytes() == scorer.explain(anew, scorer.score(anew)).toarray().tobytes()


def test_documents_that_look_alike_are_refused() -> None:
    with pytest.raises(KeywordError, match="look the same to tfidf, lsa: nothing can be learned; use other views"):
        fitted(["hockey one", "two three", "four five"], ["hockey"])


def test_a_fit_that_does_not_arrive_warns(texts: list[str]) -> None:
    message = r"A fit stopped after 1 steps before it converged; raise max_iter or l2\."
    with pytest.warns(KeysiftWarning, match=message):
        fitted(texts, max_iter=1, self_training=0)


def test_repeatable_to_the_bit(texts: list[str]) -> None:
    first, second = (scores_of(fitted(texts, self_training=0.2)) for _ in range(2))
    assert first.tobytes() == second.tobytes()


def test_a_check_can_stop_the_fit(texts: list[str]) -> None:
    calls = 0

    def stop() -> None:
        nonlocal calls
        calls += 1
        if calls == 5:
            raise TimeoutError

    with pytest.raises(TimeoutError):
        learned(prepare(texts, vectors=NOTHING, views=LEXICAL), check=stop)
    assert 5 <= calls <= 6  # views are fitted two at a time


def test_the_history_of_the_views_together() -> None:
    views: Mapping[str, History] = {
        "a": History(risk=(0.5, 0.2), gradient_norm=(1.0, 0.0), converged=True, message=""),
        "b": History(risk=(0.3, 0.2, 0.1), gradient_norm=(1.0, 0.5, 0.1), converged=False, message=""),
    }
    history = ViewHistory(views)
    assert (history.converged, history.message) == (False, "a, b")
    assert history.steps == sum(view.steps for view in views.values())
    assert history.risk == pytest.approx((0.4, 0.15))
