from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from keysift.config import LearnConfig
from keysift.errors import KeysiftWarning, KeywordError
from keysift.features.prepared import Prepared
from keysift.learn.fitting import ViewHistory, fit_views
from keysift.learn.linear_fit import History
from keysift.learn.quality import Quality
from keysift.learn.scorer import ViewScorer
from keysift.pipeline import match, prepare
from keysift.risk.losses import get_loss
from keysift.text.tokens import tokenize
from keysift.vectors.words import WordVectors

NOTHING = WordVectors("none", pl.Series("word", ["unused"]), np.ones((1, 2), dtype=np.float32))
TWO = ["hockey", "baseball"]
SIDES = (("lovely", "shines", "works"), ("awful", "returned", "slow"))
pytestmark = pytest.mark.filterwarnings("ignore:The keyword .* has no vector")

Fitted = tuple[Prepared, ViewScorer, ViewHistory, Quality]


def fitted(
    texts: list[str], keywords: Any = TWO, views: Any = ("words", "characters"), encoder: Any = None, **learning: Any
) -> Fitted:
    prepared = prepare(texts, vectors=NOTHING, views=views, encoder=encoder, learning=LearnConfig(**learning))
    return learned(prepared, keywords)


def learned(
    prepared: Prepared,
    keywords: Any = TWO,
    check: Callable[[], None] = lambda: None,
    answers: NDArray[np.int8] | None = None,
) -> Fitted:
    matches = match(prepared, keywords)
    scorer, fit = fit_views(
        prepared, matches, get_loss("sigmoid"), answers=answers, progress=lambda stage, done: None, check=check
    )
    return prepared, scorer, fit.history, fit.quality


def scores_of(fit: Fitted) -> NDArray[np.float64]:
    prepared, scorer, _, _ = fit
    documents = prepared.documents()
    return scorer.score(scorer.prepare(prepared.tokens, documents.counts, documents.vectors))


def reviews() -> tuple[list[str], NDArray[np.bool_]]:
    """Good and bad ones; some of the good ones have a keyword."""
    rng, truth = np.random.default_rng(0), np.arange(160) % 2 == 0
    texts = []
    for number, good in enumerate(truth):
        words = ["item", f"no{number}", str(rng.choice(SIDES[0] if good else SIDES[1]))]
        texts.append(" ".join([*words, *([["great", "superb"][number // 8 % 2]] * (number % 4 == 0))]))
    return texts, truth


def judge(texts: list[str]) -> NDArray[np.float64]:
    """An encoder that hears praise and blame, and "not"; most of it is noise."""
    rows = []
    for text in texts:
        words = text.split()
        side = sum(word in (*SIDES[0], "great", "superb") for word in words) - sum(word in SIDES[1] for word in words)
        noise = np.random.default_rng(sum(map(ord, text))).normal(size=5)
        rows.append([-side if "not" in words else side, *noise])
    return np.array(rows)


def test_it_finds_the_topic(texts: list[str], is_sports: NDArray[np.bool_]) -> None:
    fit = fitted(texts)
    prepared, _, history, quality = fit
    scores = scores_of(fit)
    assert roc_auc_score(is_sports, scores) > 0.95
    assert scores.mean() == pytest.approx(0.0, abs=1e-6)  # every view is standardised on these documents
    assert list(history.views) == ["words", "characters"]
    assert history.converged
    assert quality.known
    assert len(quality.belief) == len(match(prepared, TWO).holders)
    assert quality.opposite == 0.0


@pytest.mark.parametrize("sides", [True, False])
def test_rounds_are_made_only_where_self_training_is_trusted(texts: list[str], sides: bool) -> None:
    trusted = (
        {"opposite_from": 0.0}
        if sides
        else {"opposite_from": 2.0, "allowed_loss": 0.0, "share": 0.95, "added_weight": 99.0}
    )
    some = fitted(texts, **trusted)
    assert some[3].two_sides == sides
    none = fitted(texts, **{**trusted, "rounds": 0})
    assert (scores_of(some).tobytes() == scores_of(none).tobytes()) == (not sides)


def test_an_opposite_tells_the_other_side() -> None:
    texts, truth = reviews()
    fit = fitted(texts, ["great", "superb"], "auto", judge, negation="not")
    _, scorer, history, quality = fit
    assert list(history.views) == ["words", "sentences"]
    assert quality.opposite > 0.15
    assert quality.two_sides
    scores = scores_of(fit)
    assert roc_auc_score(truth, scores) > 0.95
    assert scorer.floor < scores.min()
    assert scorer.encoder is not None
    assert scorer.standing_in is None
    found = [
        scores_of(fitted(texts, ["great", "superb"], "auto", judge, negation="not", opposite_weight=one, rounds=0))
        for one in (0.0, 3.0)
    ]
    side = judge(texts)[:, 0]
    agreement = [float(np.corrcoef(one, side)[0, 1]) for one in found]
    assert agreement[1] > agreement[0]


def test_without_time_to_encode_words_are_left() -> None:
    texts, _ = reviews()
    with pytest.warns(KeysiftWarning, match="0 were encoded"):
        fit = fitted(texts, ["great", "superb"], "auto", judge, encode_budget=0.0, opposite_from=2.0)
    _, scorer, history, quality = fit
    assert list(history.views) == ["words"]
    assert quality.opposite == 0.0
    assert scorer.encoder is None  # so that new documents are not encoded either
    alone = scores_of(fitted(texts, ["great", "superb"], "words", opposite_from=2.0))
    assert scores_of(fit) == pytest.approx(alone)


def test_words_stand_in_for_vectors_that_there_was_no_time_for() -> None:
    texts, truth = reviews()
    whole = prepare(texts, vectors=NOTHING, encoder=judge, learning=LearnConfig(negation="not"))
    known = (np.arange(len(texts)) % 4 == 0) | (np.arange(len(texts)) < 100)  # and all with a keyword
    vectors = whole.documents().vectors
    assert vectors is not None
    vectors[~known] = np.nan
    fit = learned(whole, ["great", "superb"])
    _, scorer, _, _ = fit
    assert scorer.standing_in is not None
    assert roc_auc_score(truth[~known], scores_of(fit)[~known]) > 0.9
    without = scorer.prepare(whole.tokens, whole.counts, np.full_like(vectors, np.nan))
    assert roc_auc_score(truth, scorer.score(without)) > 0.9


@pytest.mark.parametrize("views", [("words", "characters"), ("words",), ("characters",)])
def test_training_documents_are_read_as_new_ones_are(texts: list[str], views: tuple[str, ...]) -> None:
    prepared, scorer, _, _ = fitted(texts, views=views)
    known, anew = scorer.prepare(prepared.tokens, prepared.counts), scorer.prepare(tokenize(prepared.texts))
    assert scorer.score(known).tobytes() == scorer.score(anew).tobytes()
    moved = scorer.explain(known, scorer.score(known)).toarray()
    assert moved.tobytes() == scorer.explain(anew, scorer.score(anew)).toarray().tobytes()


def test_answers_count(texts: list[str], is_sports: NDArray[np.bool_]) -> None:
    prepared = prepare(texts, vectors=NOTHING, views="words", encoder=None)
    answers = np.where(np.arange(len(texts)) % 2 == 0, ~is_sports, -1).astype(np.int8)  # against the keywords
    plain, answered = learned(prepared), learned(prepared, answers=answers)
    gaps = [scores_of(fit)[answers == 1].mean() - scores_of(fit)[answers == 0].mean() for fit in (plain, answered)]
    assert gaps[1] > gaps[0] + 0.1
    assert plain[3].plain() == answered[3].plain()  # what is measured without labels stays so


def test_documents_that_look_alike_are_refused() -> None:
    with pytest.raises(KeywordError, match="with a keyword look like all others to words, characters: nothing can be"):
        fitted(["hockey one", "two three", "four five"], ["hockey"])


def test_a_fit_that_does_not_arrive_warns(texts: list[str]) -> None:
    message = r"A fit stopped after 1 steps before it converged; raise max_iter or l2\."
    with pytest.warns(KeysiftWarning, match=message):
        fitted(texts, max_iter=1, rounds=0)


def test_repeatable_to_the_bit(texts: list[str]) -> None:
    first, second = (scores_of(fitted(texts)) for _ in range(2))
    assert first.tobytes() == second.tobytes()


def test_progress_is_told(texts: list[str]) -> None:
    prepared = prepare(texts, vectors=NOTHING, encoder=None)
    told: list[tuple[str, float]] = []
    fit_views(
        prepared, match(prepared, TWO), get_loss("sigmoid"), progress=lambda stage, done: told.append((stage, done))
    )
    stages = list(dict.fromkeys(stage for stage, _ in told))
    assert stages == ["Reading views", "Measuring without labels", "Fitting all pairs"]
    for stage in stages:
        shares = [done for name, done in told if name == stage]
        assert shares == sorted(shares)
        assert shares[-1] == 1.0


def test_a_check_can_stop_the_fit(texts: list[str]) -> None:
    calls = 0

    def stop() -> None:
        nonlocal calls
        calls += 1
        if calls == 5:
            raise TimeoutError

    with pytest.raises(TimeoutError):
        learned(prepare(texts, vectors=NOTHING, encoder=None), check=stop)
    assert calls == 5


def test_the_history_of_the_views_together() -> None:
    views: Mapping[str, History] = {
        "a": History(risk=(0.5, 0.2), gradient_norm=(1.0, 0.0), converged=True, message=""),
        "b": History(risk=(0.3, 0.2, 0.1), gradient_norm=(1.0, 0.5, 0.1), converged=False, message=""),
    }
    history = ViewHistory(views)
    assert (history.converged, history.message) == (False, "a, b")
    assert history.steps == sum(view.steps for view in views.values())
    assert history.risk == pytest.approx((0.4, 0.15))
