"""The estimator: what a fit sets, and what a ranking is."""

import warnings
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline

from keysift import KeywordClassifier, Settings
from keysift.config import LearnConfig
from keysift.errors import InputError, KeysiftWarning
from keysift.learn.fitting import ViewHistory
from keysift.learn.scorer import ViewScorer
from keysift.risk.losses import LOSSES, get_loss
from tests.light import ALONE, EMPTY, KEYWORDS, LIGHT

pytestmark = pytest.mark.usefixtures("small_glove")


def test_finds_what_is_meant(fitted: KeywordClassifier, texts: list[str], is_sports: NDArray[np.bool_]) -> None:
    held = np.array([any(word in text for word in KEYWORDS) for text in texts])
    assert roc_auc_score(is_sports, held) < 0.95 < roc_auc_score(is_sports, fitted.decision_function(texts))
    assert (fitted.predict(texts) == is_sports).mean() > (held == is_sports).mean()


def test_fit_sets_what_the_contract_names(fitted: KeywordClassifier, texts: list[str]) -> None:
    assert [keyword.text for keyword in fitted.keywords_] == KEYWORDS
    assert fitted.terms_ == (("hockey",), ("baseball",))  # no word near them has a say, unless it is asked for
    assert len(fitted.pseudo_labels_.positive) == fitted.n_documents_ == len(texts)
    assert fitted.prior_ == 1 / 3
    assert np.isfinite(fitted.threshold_)
    assert isinstance(fitted.history_, ViewHistory)
    assert list(fitted.history_.views)[:2] == ["words", "sentences"]
    assert fitted.history_.converged
    assert fitted.history_.risk[-1] < fitted.history_.risk[0]
    assert fitted.quality_ is not None
    assert fitted.quality_.known
    assert 0.9 < fitted.quality_.value <= 1.0
    assert fitted.quality_.by_chance < fitted.quality_.value
    assert fitted.encoded_length_ == 384
    assert fitted.classes_.tolist() == [0, 1]


def test_the_constructor_only_stores() -> None:
    given: dict[str, Any] = {
        "keywords": object(),
        "prior": object(),
        "threshold": object(),
        "vectors": object(),
        "views": object(),
        "encoder": object(),
        "loss": object(),
        "model": object(),
        "training": object(),
        "random_state": object(),
        "settings": object(),
        "learning": object(),
    }
    clf = KeywordClassifier(**given)
    assert vars(clf) == clf.get_params() == given


def test_clone_and_set_params(light: KeywordClassifier, texts: list[str]) -> None:
    copy = clone(light)
    assert copy.get_params() == light.get_params()
    with pytest.raises(NotFittedError):
        copy.predict(texts)
    copy.set_params(keywords=["judge"], settings=Settings(gamma=2)).fit(texts)
    assert [(keyword.text, len(keyword.expansions)) for keyword in copy.keywords_] == [("judge", 2)]


def test_in_a_pipeline(light: KeywordClassifier, texts: list[str]) -> None:
    pipeline = Pipeline([("k", clone(light))]).fit(texts)
    assert pipeline.decision_function(texts).tolist() == light.decision_function(texts).tolist()
    assert pipeline.predict(texts).tolist() == light.predict(texts).tolist()


def test_in_a_grid_search(texts: list[str], is_sports: NDArray[np.bool_]) -> None:
    grid = {
        "learning": [ALONE, LearnConfig(rounds=1)],
        "settings": [Settings(), Settings(gamma=1)],
        "loss": ["sigmoid", "squared"],
    }
    clf = KeywordClassifier(KEYWORDS, views=("words",), encoder=None)
    search = GridSearchCV(clf, grid, scoring="roc_auc", cv=2, error_score="raise").fit(texts, is_sports.astype(int))
    assert search.best_score_ > 0.9
    assert search.best_params_.keys() == grid.keys()


def test_labels_are_not_looked_at(light: KeywordClassifier, texts: list[str], is_sports: NDArray[np.bool_]) -> None:
    labelled = clone(light).fit(texts, ~is_sports)
    assert labelled.decision_function(texts).tolist() == light.decision_function(texts).tolist()


@pytest.mark.parametrize(
    "options", [{}, {"encoder": None}, {"vectors": "corpus", "views": ("words",), "encoder": None}]
)
def test_repeatable_to_the_bit(texts: list[str], options: dict[str, Any]) -> None:
    clf = KeywordClassifier(KEYWORDS, random_state=7, **options)
    first, second = (clone(clf).fit(texts) for _ in range(2))
    assert first.decision_function(texts).tobytes() == second.decision_function(texts).tobytes()
    assert first.threshold_ == second.threshold_


@pytest.mark.parametrize(
    "documents", [tuple, iter, np.array, pl.Series, lambda texts: pl.Series("body", texts, dtype=pl.Categorical)]
)
def test_any_iterable_will_do(light: KeywordClassifier, texts: list[str], documents: Any) -> None:
    clf = clone(light).fit(documents(texts))
    assert clf.predict(documents(texts)).tolist() == light.predict(texts).tolist()


@pytest.mark.parametrize("encoder", ["minilm", None])
def test_a_score_does_not_depend_on_the_company(fitted: KeywordClassifier, texts: list[str], encoder: Any) -> None:
    fitted = fitted if encoder else clone(fitted).set_params(encoder=None).fit(texts)
    together = fitted.decision_function(texts)
    alone = np.array([fitted.decision_function([text])[0] for text in texts[:12]])
    backwards = fitted.decision_function(texts[::-1])[::-1]
    assert together[:12].tobytes() == alone.tobytes()
    assert together.tobytes() == backwards.tobytes()


def test_rank_is_in_order_and_agrees_with_the_rest(fitted: KeywordClassifier, texts: list[str]) -> None:
    frame = fitted.rank(texts)
    assert frame.columns == [
        "document",
        "rank",
        "score",
        "decision",
        "chance",
        "pseudo_positive",
        "matched",
        "words",
        "contributions",
        "evidence",
    ]
    assert frame["rank"].to_list() == list(range(1, len(texts) + 1))
    assert frame["score"].is_sorted(descending=True)
    by_document = frame.sort("document")
    assert by_document["document"].to_list() == list(range(len(texts)))
    assert by_document["score"].to_list() == fitted.decision_function(texts).tolist()
    assert by_document["decision"].to_list() == fitted.predict(texts).tolist()
    assert by_document["pseudo_positive"].to_list() == [int(len(terms) > 0) for terms in by_document["matched"]]
    terms = fitted.pseudo_labels_.terms
    assert by_document["matched"].to_list() == [
        [word for (word,) in terms if word in text.rstrip(".").split()] for text in texts
    ]


def test_contributions_explain_the_score(fitted: KeywordClassifier, texts: list[str]) -> None:
    short = [" ".join(text.split()[:4]) for text in texts]
    assert isinstance(fitted.scorer_, ViewScorer)
    constant = fitted.scorer_.constant
    for score, words, moved in fitted.rank(short, prior=0.3).select("score", "words", "contributions").rows():
        assert sum(moved) + constant == pytest.approx(score)
        assert len(words) == len(moved)
        assert [abs(move) for move in moved] == sorted((abs(move) for move in moved), reverse=True)


def test_fit_rank_is_fit_then_rank(light: KeywordClassifier, texts: list[str]) -> None:
    documents = [*texts, *EMPTY, "zzzzqqq"]
    at_once = clone(light)
    frame = at_once.fit_rank(documents)
    assert frame.equals(clone(light).fit(documents).rank(documents))
    assert frame.equals(at_once.rank(documents))


@pytest.mark.parametrize(
    "options", [{"threshold": -1e9}, {"threshold": ("top", 1000)}, *({"prior": prior} for prior in (0.01, 0.5, 0.999))]
)
def test_empty_documents_are_last_and_never_positive(texts: list[str], options: dict[str, Any]) -> None:
    documents = [*EMPTY, *texts, "zzzzqqq"]
    clf = KeywordClassifier(KEYWORDS, **LIGHT, **options)
    frame = clf.fit_rank(documents)
    assert frame["document"].to_list()[-4:] == [0, 1, 2, 3]
    assert frame["decision"].to_list()[-4:] == [0, 0, 0, 0]
    assert frame["evidence"].to_list()[-4:] == ["no words"] * 4
    assert clf.predict(documents)[:4].tolist() == [0, 0, 0, 0]
    scores = clf.decision_function(documents)
    assert (scores[:4] < scores[4:].min()).all()
    assert isinstance(clf.scorer_, ViewScorer)
    assert scores[-1] == pytest.approx(clf.scorer_.constant)  # no word of it is known


def test_the_default_views_know_every_word(fitted: KeywordClassifier, texts: list[str]) -> None:
    lowest = fitted.decision_function([""])[0]
    scores = fitted.decision_function([*texts, "zzzzqqq", "hockeyish", "a hockeyish hockeyish thing"])
    assert lowest < scores.min()
    assert np.isfinite(scores).all()


def test_no_documents_to_score(fitted: KeywordClassifier) -> None:
    assert fitted.decision_function([]).shape == fitted.predict([]).shape == (0,)
    with pytest.raises(InputError, match="There is no document to rank"):
        fitted.rank([])


@pytest.mark.filterwarnings("ignore:A fit stopped after")  # barrier_hinge is steep
@pytest.mark.parametrize("loss", [*(name for name in LOSSES if name != "zero_one"), get_loss("ramp")])
def test_every_loss_with_a_slope(texts: list[str], is_sports: NDArray[np.bool_], loss: Any) -> None:
    clf = KeywordClassifier(KEYWORDS, loss=loss, views=("words",), encoder=None).fit(texts)
    assert roc_auc_score(is_sports, clf.decision_function(texts)) > 0.9


def test_weights_shift_the_ranking(texts: list[str]) -> None:
    even = KeywordClassifier({"hockey": 1, "judge": 1}, **LIGHT).fit(texts)
    uneven = KeywordClassifier("hockey: 1, judge: 9", **LIGHT).fit(texts)
    judges = [place for place, text in enumerate(texts) if "judge" in text]
    more = uneven.pseudo_labels_.similarity[judges] > even.pseudo_labels_.similarity[judges]
    assert more.all()


@pytest.mark.parametrize("method", ["decision_function", "predict", "rank", "save", "keyword_table"])
def test_not_fitted(method: str) -> None:
    argument = {"save": "a.keysift", "keyword_table": None}.get(method, ["a text"])
    with pytest.raises(NotFittedError):
        getattr(KeywordClassifier(KEYWORDS), method)(argument)


def test_progress_is_told_of_each_stage(texts: list[str]) -> None:
    seen: list[tuple[str, float]] = []
    clf = KeywordClassifier(KEYWORDS)
    clf.fit_rank(texts, progress=lambda stage, done: seen.append((stage, done)))
    stages = list(dict.fromkeys(stage for stage, _ in seen))
    assert stages == [
        "Tokenising",
        "Finding keywords",
        "Encoding",
        "Reading views",
        "Encoding variants",
        "Measuring without labels",
        "Fitting all pairs",
        "Ranking",
    ]
    for stage in stages:
        shares = [done for of, done in seen if of == stage]
        assert shares == sorted(shares)
    assert all((stage, 1.0) in seen for stage in stages)


def test_no_warning_when_all_is_well(texts: list[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        KeywordClassifier(KEYWORDS).fit_rank(texts)


def test_a_fit_that_does_not_arrive_warns(texts: list[str]) -> None:
    with pytest.warns(KeysiftWarning, match="stopped after 1 steps"):
        KeywordClassifier(KEYWORDS, **{**LIGHT, "learning": LearnConfig(max_iter=1, rounds=0)}).fit(texts)


def test_missing_documents_and_tables_are_said(texts: list[str]) -> None:
    documents = [*texts, None, float("nan")]
    clf = KeywordClassifier(KEYWORDS, **LIGHT)
    with pytest.warns(KeysiftWarning, match="^2 of 62 documents are missing") as said:
        clf.fit(documents)
    assert len([warning for warning in said if "missing" in str(warning.message)]) == 1
    with pytest.warns(KeysiftWarning, match="^2 of 62 documents are missing"):
        assert clf.predict(documents).tolist()[-2:] == [0, 0]
    with pytest.raises(InputError, match=r"a table with the columns 'text': hand in .*documents\['text'\]"):
        clf.fit(pl.DataFrame({"text": texts}))
