import re
import warnings
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
import torch
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline
from torch import Tensor, nn

import keysift
from keysift import KeywordClassifier, Settings, Training
from keysift.errors import InputError, KeysiftWarning, KeywordError, ModelFileError, SettingError, TrainingError
from keysift.losses import LOSSES, get_loss
from keysift.modelfile import read_model, write_model
from keysift.scoring import ViewHistory, ViewScorer, fitting
from keysift.text import stop_word_set
from keysift.training import NetworkHistory
from keysift.vectors import WordVectors
from keysift.views import VIEWS
from tests.audit.cases import audit_of

KEYWORDS = ["hockey", "baseball"]
EMPTY = ["", "  \n", "?!", None]
LIGHT: dict[str, Any] = {"views": ("words",), "settings": Settings(believe=0)}
"""One view and no choice: a fit that takes a moment, where a test is not about what is learned."""
pytestmark = pytest.mark.usefixtures("small_glove")
TINY = WordVectors("tiny", pl.Series(["aa", "bb"]), np.eye(2, dtype=np.float32))


def bigrams(document: str) -> Iterator[str]:
    return (document[place : place + 2] for place in range(len(document) - 1))


@pytest.fixture(scope="module")
def fitted(texts: list[str]) -> KeywordClassifier:
    return KeywordClassifier(KEYWORDS, prior=1 / 3).fit(texts)


@pytest.fixture(scope="module")
def light(texts: list[str]) -> KeywordClassifier:
    return KeywordClassifier(KEYWORDS, prior=1 / 3, **LIGHT).fit(texts)


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
    assert list(fitted.history_.views) == list(VIEWS)
    assert fitted.history_.converged
    assert fitted.history_.risk[-1] < fitted.history_.risk[0]
    assert fitted.quality_ is not None
    assert fitted.quality_.basis == "keywords"
    assert 0.9 < fitted.quality_.value <= 1.0
    assert fitted.encoded_length_ is None
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
    }
    clf = KeywordClassifier(**given)
    assert vars(clf) == clf.get_params() == given


def test_clone_and_set_params(light: KeywordClassifier, texts: list[str]) -> None:
    copy = clone(light)
    assert copy.get_params() == light.get_params()
    with pytest.raises(NotFittedError):
        copy.predict(texts)
    copy.set_params(keywords=["judge"], settings=Settings(gamma=2, believe=0)).fit(texts)
    assert [(keyword.text, len(keyword.expansions)) for keyword in copy.keywords_] == [("judge", 2)]


def test_in_a_pipeline(light: KeywordClassifier, texts: list[str]) -> None:
    pipeline = Pipeline([("k", clone(light))]).fit(texts)
    assert pipeline.decision_function(texts).tolist() == light.decision_function(texts).tolist()
    assert pipeline.predict(texts).tolist() == light.predict(texts).tolist()


def test_in_a_grid_search(texts: list[str], is_sports: NDArray[np.bool_]) -> None:
    grid = {"settings": [Settings(believe=0), Settings(believe=0.1, gamma=1)], "loss": ["sigmoid", "squared"]}
    clf = KeywordClassifier(KEYWORDS, views=("words",))
    search = GridSearchCV(clf, grid, scoring="roc_auc", cv=2, error_score="raise").fit(texts, is_sports.astype(int))
    assert search.best_score_ > 0.9
    assert search.best_params_.keys() == grid.keys()


def test_labels_are_not_looked_at(light: KeywordClassifier, texts: list[str], is_sports: NDArray[np.bool_]) -> None:
    labelled = clone(light).fit(texts, ~is_sports)
    assert labelled.decision_function(texts).tolist() == light.decision_function(texts).tolist()


@pytest.mark.parametrize("options", [{}, {"vectors": "corpus", "views": ("words",)}])
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


def test_a_score_does_not_depend_on_the_neighbours(fitted: KeywordClassifier, texts: list[str]) -> None:
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
    short = [" ".join(text.split()[:5]) for text in texts]
    assert isinstance(fitted.scorer_, ViewScorer)
    constant = fitted.scorer_.constant
    for score, words, moved in fitted.rank(short).select("score", "words", "contributions").rows():
        assert sum(moved) + constant == pytest.approx(score)
        assert len(words) == len(moved)
        assert [abs(move) for move in moved] == sorted((abs(move) for move in moved), reverse=True)


def test_examples_are_reasons_too_and_in_the_model_file(tmp_path: Path, texts: list[str]) -> None:
    clf = KeywordClassifier(KEYWORDS, views=("tfidf",), settings=Settings(believe="neighbours")).fit(texts)
    assert isinstance(clf.scorer_, ViewScorer)
    assert clf.scorer_.nearest is not None
    new = [" ".join(text.split()[:5]) for text in texts]
    scores = clf.decision_function(new)
    with pytest.warns(KeysiftWarning, match="look unlike those of training"):
        ranking = clf.rank(new)
    for score, moved in ranking.select("score", "contributions").rows():
        assert sum(moved) + clf.scorer_.constant == pytest.approx(score, abs=1e-4)
    clf.save(tmp_path / "a.keysift")
    assert keysift.load(tmp_path / "a.keysift").decision_function(new).tobytes() == scores.tobytes()
    assert np.array([clf.decision_function([text])[0] for text in new[:5]]).tobytes() == scores[:5].tobytes()


def test_beliefs_in_words_near_a_keyword_do_without_examples(texts: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A document whose word is hidden would else be its own example."""
    clf = KeywordClassifier(KEYWORDS, views=("tfidf",), settings=Settings(believe="neighbours", gamma=5))
    with_examples = clone(clf).fit(texts)
    assert isinstance(with_examples.scorer_, ViewScorer)
    assert with_examples.scorer_.nearest is not None
    monkeypatch.setattr(fitting, "find_nearest", lambda *given: None)
    assert clone(clf).fit(texts).keyword_beliefs_ == with_examples.keyword_beliefs_


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
    assert frame["evidence"].to_list()[-4:] == [""] * 4
    assert clf.predict(documents)[:4].tolist() == [0, 0, 0, 0]
    scores = clf.decision_function(documents)
    assert (scores[:4] < scores[4:].min()).all()
    assert isinstance(clf.scorer_, ViewScorer)
    assert scores[-1] == clf.scorer_.parts[0].offset  # no word of it is known


def test_the_default_views_know_every_word(fitted: KeywordClassifier, texts: list[str]) -> None:
    lowest = fitted.decision_function([""])[0]
    scores = fitted.decision_function([*texts, "zzzzqqq", "hockeyish", "a hockeyish hockeyish thing"])
    assert lowest < scores.min()
    assert np.isfinite(scores).all()


def test_no_documents_to_score(fitted: KeywordClassifier) -> None:
    assert fitted.decision_function([]).shape == fitted.predict([]).shape == (0,)
    with pytest.raises(InputError, match="There is no document to rank"):
        fitted.rank([])


@pytest.mark.parametrize(
    ("options", "positives"),
    [({"prior": 0.25}, 15), ({"prior": 0.5}, 30), ({"threshold": ("top", 7)}, 7), ({"threshold": ["top", 1]}, 1)],
)
def test_how_many_are_positive(texts: list[str], options: dict[str, Any], positives: int) -> None:
    assert KeywordClassifier(KEYWORDS, **LIGHT, **options).fit(texts).predict(texts).sum() == positives


def test_given_threshold(texts: list[str]) -> None:
    clf = KeywordClassifier(KEYWORDS, threshold=0.05, **LIGHT).fit(texts)
    assert clf.threshold_ == 0.05
    assert clf.predict(texts).tolist() == (clf.decision_function(texts) > 0.05).astype(int).tolist()


def test_heuristic_prior(texts: list[str]) -> None:
    clf = KeywordClassifier(KEYWORDS, prior="heuristic", **LIGHT).fit(texts)
    assert clf.prior_ == clf.pseudo_labels_.share == clf.pseudo_labels_.positive.mean()
    assert clf.prior_estimate_.basis == "heuristic"
    assert clf.predict(texts).sum() == clf.pseudo_labels_.positive.sum()


def test_the_prior_is_estimated_unless_it_is_given(
    light: KeywordClassifier, texts: list[str], is_sports: NDArray[np.bool_]
) -> None:
    clf = KeywordClassifier(KEYWORDS, **LIGHT).fit(texts)
    estimate = clf.prior_estimate_
    assert estimate.basis == "estimate"
    assert "2 rankings blind to some of the keywords" in estimate.assumes
    assert estimate.low < clf.prior_ == estimate.value < estimate.high
    assert estimate.low <= is_sports.mean() <= estimate.high
    assert clf.predict(texts).sum() == round(clf.prior_ * len(texts))
    assert clf.decision_function(texts).tobytes() == light.decision_function(texts).tobytes()
    assert light.prior_estimate_.basis == "given"
    for one in (clf, light):
        scores = one.decision_function(texts)
        prior = one.prior_estimate_
        means = [one.posterior_.at(scores, row).mean() for row in range(3)]
        assert means == pytest.approx([prior.low, prior.value, prior.high], rel=1e-6)
        assert one.expected_ == one.posterior_.expected(scores, one.threshold_)
        assert one.expected_.count == one.predict(texts).sum()


@pytest.mark.parametrize("threshold", ["max_f1", ("precision", 0.8), ("recall", 0.8), ["recall", 0.9]])
def test_the_threshold_of_a_target(texts: list[str], threshold: Any) -> None:
    clf = KeywordClassifier(KEYWORDS, prior=1 / 3, threshold=threshold, **LIGHT).fit(texts)
    sweep = clf.posterior_.sweep(clf.decision_function(texts), 1000)
    if threshold == "max_f1":
        assert clf.expected_.f1.value == pytest.approx(float(str(sweep["f1"].max())))
        return
    name, share = threshold
    value = getattr(clf.expected_, name).value
    assert value >= share
    reached = sweep.filter(pl.col(name) >= share)["count"]
    assert clf.expected_.count == clf.predict(texts).sum() == (reached.max() if name == "precision" else reached.min())


def test_a_precision_that_cannot_be_reached(texts: list[str]) -> None:
    clf = KeywordClassifier(KEYWORDS, prior=0.01, threshold=("precision", 0.99), **LIGHT)
    with pytest.raises(
        SettingError, match=r"No cut has an expected precision of 0\.99: the best is 0\.\d+, at the top"
    ):
        clf.fit(texts)


@pytest.mark.parametrize("prior", [0.1, 0.3, 0.5, 0.8])
def test_another_prior_takes_that_share_of_new_documents(
    light: KeywordClassifier, texts: list[str], prior: float
) -> None:
    new = texts[:40]
    decided = light.predict(new, prior=prior)
    assert decided.sum() == round(prior * len(new))
    scores = light.decision_function(new)
    assert scores[decided == 1].min() > scores[decided == 0].max()
    ranking = light.rank(new, prior=prior)
    assert ranking.sort("document")["decision"].to_list() == decided.tolist()
    assert light.threshold_ == clone(light).fit(texts).threshold_  # the model stays as it is
    assert light.predict([], prior=prior).shape == (0,)


def test_another_prior_moves_the_cut_of_a_target(texts: list[str]) -> None:
    clf = KeywordClassifier(KEYWORDS, prior=1 / 3, threshold=("precision", 0.8), **LIGHT).fit(texts)
    taken = [int(clf.predict(texts, prior=prior).sum()) for prior in (0.2, 1 / 3, 0.5, 0.7)]
    assert taken[1] == clf.predict(texts).sum()
    assert taken == sorted(taken)
    assert taken[0] < taken[-1]


@pytest.mark.parametrize(
    ("threshold", "prior", "message"),
    [
        ("prior", 1.5, "prior must be a number between 0 and 1"),
        ("prior", "estimate", "The prior of new documents must be a number between 0 and 1; got 'estimate'."),
        (0.05, 0.3, "The threshold was asked for as 0.05, which no prior changes; leave prior out"),
        (("top", 3), 0.3, "The threshold was asked for as ('top', 3), which no prior changes"),
    ],
)
def test_priors_that_new_documents_cannot_have(texts: list[str], threshold: Any, prior: Any, message: str) -> None:
    clf = KeywordClassifier(KEYWORDS, threshold=threshold, **LIGHT).fit(texts)
    for method in (clf.predict, clf.rank):
        with pytest.raises(SettingError, match=re.escape(message)):
            method(texts, prior=prior)


def test_scores_unlike_those_of_training_warn(light: KeywordClassifier, texts: list[str]) -> None:
    unlike = [f"{text} hockey baseball" for text in texts]
    message = r"look unlike those of training \(Kolmogorov-Smirnov D = 0\.\d\d, p < 0\.001\).*with prior, audit them"
    for method in (light.predict, light.rank):
        with pytest.warns(KeysiftWarning, match=message):
            method(unlike)
        method(unlike, prior=0.5)  # the cut is made for them, so there is nothing to warn of
        method(unlike[:49])  # too few to tell
        method(texts)
    assert light.decision_function(unlike).mean() > light.decision_function(texts).mean()


def test_empty_documents_are_no_drift(texts: list[str]) -> None:
    documents = [*texts, *[""] * 40]
    clf = KeywordClassifier(KEYWORDS, **LIGHT).fit(documents)
    assert clf.predict(documents).tolist() == [*clf.predict(texts), *[0] * 40]


@pytest.mark.parametrize(
    ("documents", "keywords"),
    [
        (["a hockey game", "tax law", "court case"], ["hockey"]),
        (["hockey game", "tax law"], ["hockey"]),
        (["a hockey game", "tax law", "tax law", "tax law"] * 20, ["hockey"]),
        (["a hockey game", "baseball", *["tax law"] * 58], ["hockey", "baseball"]),
        (["a hockey game"] * 59 + ["tax law"], ["hockey"]),
    ],
)
@pytest.mark.parametrize("prior", ["estimate", "heuristic", 0.999])
def test_small_and_odd_corpora(documents: list[str], keywords: list[str], prior: Any, tmp_path: Path) -> None:
    clf = KeywordClassifier(keywords, prior=prior, threshold="max_f1", **LIGHT)
    ranking = clf.fit_rank(documents)
    estimate, expected = clf.prior_estimate_, clf.expected_
    assert 0 < estimate.low <= estimate.value <= estimate.high < 1
    assert np.isfinite(clf.posterior_.chances).all()
    assert (np.diff(clf.posterior_.chances, axis=1) >= 0).all()
    assert np.isfinite([*expected.precision, *expected.recall, *expected.f1, expected.threshold]).all()
    assert 1 <= ranking["decision"].sum() == expected.count
    assert clf.predict(documents).sum() == expected.count
    assert clf.posterior_.sweep(ranking["score"].to_numpy())["count"][-1] == len(documents)
    clf.save(tmp_path / "a.keysift")
    assert keysift.load(tmp_path / "a.keysift").rank(documents).equals(ranking)


def test_an_audit_sets_prior_chances_and_threshold(texts: list[str], is_sports: NDArray[np.bool_]) -> None:
    clf = KeywordClassifier(KEYWORDS, prior="heuristic", threshold=("recall", 0.9), **LIGHT)
    ranking = clf.fit_rank(texts)
    order = ranking["document"].to_numpy()
    frame = ranking.select("rank", "score", "decision", "pseudo_positive", "evidence").with_columns(
        id=pl.Series(order).cast(str), label=pl.Series(is_sports[order]).cast(pl.Int64), text=pl.Series(texts)[order]
    )
    before, scores = clf.posterior_, ranking["score"].to_numpy()
    audit = audit_of(frame, 30)
    clf.apply_audit(audit)
    prior = clf.prior_estimate_
    assert prior.basis == "audit"
    assert "30 answers" in prior.assumes
    assert prior.low <= 1 / 3 <= prior.high
    assert abs(prior.value - 1 / 3) < abs(before.at(scores).mean() - 1 / 3)
    assert clf.posterior_.basis == "30 audited documents"
    means = [clf.posterior_.at(scores, row).mean() for row in range(3)]
    assert means == pytest.approx([prior.low, prior.value, prior.high], rel=1e-6)
    assert clf.expected_ == clf.posterior_.expected(scores, clf.threshold_)
    assert clf.expected_.recall.value >= 0.9
    assert clf.rank(texts)["score"].to_list() == ranking["score"].to_list()


def test_audit_as_the_prior_needs_answers(texts: list[str]) -> None:
    with pytest.raises(SettingError, match=r"prior='audit' needs answers, .* apply_audit"):
        KeywordClassifier(KEYWORDS, prior="audit").fit(texts)


@pytest.mark.filterwarnings("ignore:A fit stopped after")  # barrier_hinge is steep
@pytest.mark.parametrize("loss", [*(name for name in LOSSES if name != "zero_one"), get_loss("ramp")])
def test_every_loss_with_a_slope(texts: list[str], is_sports: NDArray[np.bool_], loss: Any) -> None:
    clf = KeywordClassifier(KEYWORDS, loss=loss, views=("words",)).fit(texts)
    assert roc_auc_score(is_sports, clf.decision_function(texts)) > 0.9


def test_weights_shift_the_ranking(texts: list[str]) -> None:
    even = KeywordClassifier({"hockey": 1, "judge": 1}, **LIGHT).fit(texts)
    uneven = KeywordClassifier("hockey: 1, judge: 9", **LIGHT).fit(texts)
    judges = [place for place, text in enumerate(texts) if "judge" in text]
    more = uneven.pseudo_labels_.similarity[judges] > even.pseudo_labels_.similarity[judges]
    assert more.all()


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"prior": 0.2, "threshold": ("top", 4), "loss": "ramp", "random_state": 3, "views": ("lsa", "tfidf")},
        {"prior": np.float32(0.25), "threshold": np.float64(0.1), "random_state": None, **LIGHT},
        {"prior": "heuristic", "threshold": ("recall", 0.9), **LIGHT},
        {"threshold": "max_f1", **LIGHT},
        {
            "vectors": "corpus",
            "views": ("words", "tfidf"),
            "settings": Settings(exclude=["goal"], stop_words=["the"], phi=50, l2=0.3, gamma=5, believe=0.2, rounds=2),
        },
    ],
)
def test_save_and_load(tmp_path: Path, texts: list[str], options: dict[str, Any]) -> None:
    clf = KeywordClassifier({"hockey": 1.0, "baseball": 2.0}, **options).fit(texts)
    clf.save(tmp_path / "a.keysift")
    loaded = keysift.load(tmp_path / "a.keysift")
    new = [*texts, *EMPTY, "a new sentence on ice skating and zzzzqqq"]
    assert loaded.decision_function(new).tobytes() == clf.decision_function(new).tobytes()
    assert loaded.rank(new).equals(clf.rank(new))
    assert loaded.predict(new).tolist() == clf.predict(new).tolist()
    for name in ("keywords_", "prior_", "prior_estimate_", "threshold_", "expected_", "n_documents_"):
        assert getattr(loaded, name) == getattr(clf, name)
    assert loaded.score_summary_.tobytes() == clf.score_summary_.tobytes()
    assert loaded.posterior_.scores.tobytes() == clf.posterior_.scores.tobytes()
    assert loaded.posterior_.chances.tobytes() == clf.posterior_.chances.tobytes()
    assert loaded.posterior_.basis == clf.posterior_.basis
    params = {**clf.get_params(), "settings": None}
    assert {**loaded.get_params(), "settings": None} == params
    settings = clf.settings or Settings()
    for name in (
        *("alpha", "gamma", "phi", "believe", "denial", "rounds", "l2", "round_l2", "max_iter", "tol", "stop_keywords"),
    ):
        assert getattr(loaded.settings, name) == getattr(settings, name)
    assert sorted(loaded.get_params()["settings"].exclude) == sorted(settings.exclude)
    again = loaded.fit(texts)
    assert again.decision_function(new).tobytes() == clf.decision_function(new).tobytes()
    assert list(again.keywords) == ["hockey", "baseball"]


def test_own_tokenizer_has_to_be_handed_in_again(tmp_path: Path, texts: list[str]) -> None:
    settings = Settings(tokenizer=str.split, believe=0)
    clf = KeywordClassifier(KEYWORDS, views=("words",), settings=settings).fit(texts)
    clf.save(tmp_path / "a.keysift")
    with pytest.raises(ModelFileError, match=r"tokenizer of its own; .* keysift.load\(path, tokenizer=...\)"):
        keysift.load(tmp_path / "a.keysift")
    loaded = keysift.load(tmp_path / "a.keysift", tokenizer=str.split)
    assert loaded.rank(texts).equals(clf.rank(texts))


def test_a_file_with_a_part_missing(tmp_path: Path, fitted: KeywordClassifier) -> None:
    path = tmp_path / "a.keysift"
    fitted.save(path)
    arrays, settings = read_model(path)
    short = {"part.0.scores": arrays["part.0.scores"][1:]}
    damaged: list[tuple[dict[str, Any], dict[str, Any]]] = [
        ({}, settings),
        ({**arrays, **short}, settings),
        *((arrays, {**settings, name: None}) for name in ("constructor", "settings", "learned", "model")),
        *(({key: array for key, array in arrays.items() if key != name}, settings) for name in arrays),
    ]
    for parts in damaged:
        write_model(path, *parts)
        with pytest.raises(ModelFileError, match="a part is missing or damaged"):
            keysift.load(path)


@pytest.mark.parametrize("method", ["decision_function", "predict", "rank", "save", "keyword_table"])
def test_not_fitted(method: str) -> None:
    argument = {"save": "a.keysift", "keyword_table": None}.get(method, ["a text"])
    with pytest.raises(NotFittedError):
        getattr(KeywordClassifier(KEYWORDS), method)(argument)


def test_missing_keywords_are_named(texts: list[str]) -> None:
    settings = Settings(gamma=5, believe=0)
    with pytest.warns(KeysiftWarning, match="'cricket' is in no document; only its expansions") as caught:
        KeywordClassifier(["hockey", "cricket"], views=("words",), settings=settings).fit(texts)
    assert len(caught) == 1


@pytest.mark.parametrize(
    ("documents", "message"),
    [
        ([], "There is no document to learn from"),
        (iter([]), "There is no document to learn from"),
        (["a hockey game"], "There is only one document"),
        (["a hockey game"] * 5, "All 5 documents are identical"),
        (["a hockey game", "A hockey, game!"], "All 2 documents are identical"),
        (EMPTY, "All 4 documents are empty"),
        ("a hockey game", "got str"),
        (["a", 5], "document 1 is int"),
    ],
)
def test_documents_that_cannot_be_learned_from(documents: Any, message: str) -> None:
    for method in ("fit", "fit_rank"):
        if method != "fit" and not isinstance(documents, list | str):
            continue  # an iterator is used up
        with pytest.raises(InputError, match=re.escape(message)):
            getattr(KeywordClassifier(KEYWORDS), method)(documents)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"prior": 1.0}, "prior must be a number between 0 and 1"),
        ({"threshold": "top"}, "threshold must be 'prior', 'max_f1', ('precision', p)"),
        ({"loss": "sigmod"}, "got 'sigmod'"),
        ({"views": ("words", "lda")}, "views must be one or more of words, pieces, tfidf, lsa"),
        ({"views": ()}, "views must be one or more different ones; got none."),
        ({"encoder": 7}, "encoder must be the name or folder of a sentence-transformers model"),
        ({"encoder": len, "model": "mlp"}, "An encoder is a view of the linear model"),
        ({"vectors": "glove"}, "vectors must be one of glove-6b-50d, corpus"),
        ({"settings": Settings(tokenizer=lambda _: [1])}, "tokenizer must return"),  # type: ignore[list-item]
    ],
)
def test_bad_arguments_are_found_in_fit(texts: list[str], options: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingError, match=re.escape(message)):
        KeywordClassifier(KEYWORDS, **options).fit(texts)


def test_all_keywords_unknown(texts: list[str]) -> None:
    clf = KeywordClassifier(["zzzzqqq"])
    with pytest.warns(KeysiftWarning, match="'zzzzqqq'"), pytest.raises(KeywordError, match="No document holds any of"):
        clf.fit(texts)


@pytest.mark.parametrize("documents", [["hockey cc", "dd ee"], ["hockey cc", "aa"], ["hockey aa", "dd ee"]])
@pytest.mark.filterwarnings("ignore:The keyword 'hockey' has no vector")
def test_no_word_has_a_vector(documents: list[str]) -> None:
    clf = KeywordClassifier(["hockey"], vectors=TINY, views=("words",))
    with pytest.raises(KeywordError, match="with and without a keyword look the same to words: nothing can be learned"):
        clf.fit(documents)
    assert clf.set_params(views=("pieces",)).fit(documents).predict(documents).tolist() == [1, 0]


def test_keyword_table_before_and_after_fit(fitted: KeywordClassifier, texts: list[str]) -> None:
    clf = clone(fitted)
    table = clf.keyword_table(texts)
    assert not hasattr(clf, "keywords_")
    assert [row.examples for row in table] == [row.examples for row in fitted.keyword_table()]
    assert [row.documents for row in table] == [row.documents for row in fitted.keyword_table()]
    assert [row.keyword for row in table] == KEYWORDS
    assert [row.documents for row in table] == [sum(word in text for text in texts) for word in KEYWORDS]


def test_a_keyword_that_is_a_stop_word() -> None:
    documents = ["many goals", "many players", "rain and wind", "goals", "sun and rain"]
    kept = KeywordClassifier(["many", "goals"], **LIGHT).fit(documents)
    dropped = clone(kept).set_params(settings=Settings(believe=0, stop_keywords="drop")).fit(documents)
    assert kept.pseudo_labels_.positive.tolist() == [True, True, False, True, False]
    assert dropped.pseudo_labels_.positive.tolist() == [True, False, False, True, False]


def test_phrases(texts: list[str]) -> None:
    clf = KeywordClassifier(["tax law"], **LIGHT).fit(texts)
    assert clf.pseudo_labels_.positive.tolist() == ["tax law" in text for text in texts]
    assert clf.rank(texts)["matched"][0].to_list() == ["tax law"]


def test_japanese() -> None:
    teams, dishes = ["阪神", "巨人", "広島", "中日"], ["味噌汁", "天ぷら", "うどん", "煮物"]
    plays = ["は野球の試合に勝った", "の投手が試合で活躍した", "の選手が本塁打を打って試合に勝った"]
    cooks = ["を鍋で煮て食べた", "に醤油を入れて食べた", "を弱火で煮て醤油を入れた"]
    baseball = [team + play for team in teams for play in plays] * 2
    cooking = [dish + cook for dish in dishes for cook in cooks] * 2
    clf = KeywordClassifier(
        ["野球"], vectors="corpus", prior=0.5, settings=Settings(tokenizer=bigrams, stop_words=None)
    )
    clf.fit(baseball + cooking)
    assert sum("野球" in text for text in baseball) < len(baseball)
    assert clf.predict(baseball + cooking).tolist() == [1] * 24 + [0] * 24


def test_progress_is_told_of_each_stage(texts: list[str]) -> None:
    seen: list[tuple[str, float]] = []
    clf = KeywordClassifier(KEYWORDS, views=("words", "tfidf"))
    clf.fit_rank(texts, progress=lambda stage, done: seen.append((stage, done)))
    stages = list(dict.fromkeys(stage for stage, _ in seen))
    assert stages == [
        "Tokenising",
        "Expanding keywords",
        "Finding keywords",
        "Reading views",
        "Choosing without labels",
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


@pytest.mark.parametrize(
    ("documents", "expected"),
    [(["a hockey game"], [1, 0]), (["hockey baseball"] * 3, [3, 3]), (["tax law", "court"], [0, 0])],
)
@pytest.mark.filterwarnings("ignore::keysift.errors.KeysiftWarning")
def test_the_keyword_table_needs_no_split(documents: list[str], expected: list[int]) -> None:
    table = KeywordClassifier(["hockey", "baseball"], settings=Settings(gamma=0)).keyword_table(documents)
    assert [row.documents for row in table] == expected


def test_a_fit_that_does_not_arrive_warns(texts: list[str]) -> None:
    with pytest.warns(KeysiftWarning, match="stopped after 1 steps"):
        KeywordClassifier(KEYWORDS, views=("words",), settings=Settings(max_iter=1, believe=0)).fit(texts)


def test_expansions_that_are_stop_words_pull_nothing_in(texts: list[str]) -> None:
    clf = KeywordClassifier(["even", "hockey"], views=("words",), settings=Settings(gamma=5, believe=0))
    with pytest.warns(KeysiftWarning, match="'even' is in no document"):
        ranking = clf.fit_rank(texts)
    matched = ranking.sort("document")["matched"].list.len().to_numpy() > 0
    assert (matched == (clf.pseudo_labels_.similarity > 0)).all()
    (even, _) = clf.keyword_table()
    assert (
        {near.word for near in even.expansions if not near.used}
        == {near.word for near in even.expansions if near.word in stop_word_set("english")}
        != set()
    )


# Networks. Small and quick ones: what they learn is looked at in tests/training, what they are in tests/models.

NETWORKS = ["rcnn", "cnn", "mlp"]
QUICK = Training(learning_rate=0.01, epochs=3, batch_size=16, held_out=0)


def own_module() -> nn.Module:
    return nn.Sequential(nn.Linear(50, 8), nn.Tanh(), nn.Linear(8, 1))


def on_vectors(**options: Any) -> Training:
    return replace(QUICK, inputs="vectors", **options)


@pytest.mark.parametrize("model", NETWORKS)
def test_a_network_finds_what_is_meant(model: str, texts: list[str], is_sports: NDArray[np.bool_]) -> None:
    clf = KeywordClassifier(KEYWORDS, prior=1 / 3, model=model, training=replace(QUICK, epochs=6)).fit(texts)
    held = np.array([any(word in text for word in KEYWORDS) for text in texts])
    assert roc_auc_score(is_sports, held) < 0.95 < roc_auc_score(is_sports, clf.decision_function(texts))
    assert clf.predict(texts).sum() == 20
    assert isinstance(clf.history_, NetworkHistory)
    assert clf.history_.steps == 6
    assert clf.history_.risk[-1] < clf.history_.risk[0]


@pytest.mark.parametrize("model", NETWORKS)
def test_a_network_ranks_with_reasons_and_is_the_same_from_a_file(tmp_path: Path, model: str, texts: list[str]) -> None:
    documents = [*EMPTY, *texts, "zzzzqqq"]
    clf = KeywordClassifier(KEYWORDS, model=model, training=QUICK, threshold=-1e9)
    frame = clf.fit_rank(documents)
    assert frame.equals(clf.rank(documents))
    assert frame["score"].is_sorted(descending=True)
    assert frame["document"].to_list()[-4:] == [0, 1, 2, 3]
    assert frame["decision"].to_list() == [1] * 61 + [0] * 4
    assert clf.predict(documents)[:4].tolist() == [0, 0, 0, 0]
    scores = clf.decision_function(documents)
    assert (scores[:4] < scores[4:].min()).all()
    hit = frame.filter(pl.col("document") == 4 + next(place for place, text in enumerate(texts) if "hockey" in text))
    assert "keywords: hockey" in hit["evidence"][0]
    assert "moved by: " in hit["evidence"][0]

    clf.save(tmp_path / "a.keysift")
    loaded = keysift.load(tmp_path / "a.keysift")
    assert loaded.rank(documents).equals(frame)
    assert loaded.decision_function(documents).tobytes() == scores.tobytes()
    assert loaded.get_params()["training"] == QUICK
    assert loaded.fit(documents).decision_function(documents).tobytes() == scores.tobytes()


def test_a_network_has_no_blind_scores_to_estimate_the_prior_from(tmp_path: Path, texts: list[str]) -> None:
    clf = KeywordClassifier(KEYWORDS, model="mlp", training=QUICK, threshold="max_f1").fit(texts)
    assert clf.quality_ is None
    assert clf.prior_estimate_.basis == "heuristic"
    assert "there was nothing to estimate it from" in clf.prior_estimate_.assumes
    assert clf.prior_ == clf.pseudo_labels_.share
    assert clf.prior_estimate_.high - clf.prior_estimate_.low > 0.7
    assert clf.posterior_.basis == "the share of documents with a keyword alone"
    clf.save(tmp_path / "a.keysift")
    loaded = keysift.load(tmp_path / "a.keysift")
    assert loaded.expected_ == clf.expected_
    assert loaded.predict(texts, prior=0.5).sum() == clf.predict(texts, prior=0.5).sum()


@pytest.mark.parametrize("vectors", ["glove-6b-50d", "corpus"])
def test_a_network_is_repeatable_to_the_bit(texts: list[str], vectors: str) -> None:
    training = replace(QUICK, held_out=0.2, fine_tune=True)
    clf = KeywordClassifier(KEYWORDS, vectors=vectors, model="rcnn", training=training, random_state=7)
    first, second = (clone(clf).fit(texts) for _ in range(2))
    assert first.decision_function(texts).tobytes() == second.decision_function(texts).tobytes()
    assert first.history_ == second.history_
    other = clone(clf).set_params(random_state=8).fit(texts)
    assert first.decision_function(texts).tobytes() != other.decision_function(texts).tobytes()


def test_a_network_of_corpus_vectors_is_the_same_from_a_file(tmp_path: Path, texts: list[str]) -> None:
    clf = KeywordClassifier(KEYWORDS, vectors="corpus", model="cnn", training=QUICK).fit(texts)
    clf.save(tmp_path / "a.keysift")
    assert keysift.load(tmp_path / "a.keysift").rank(texts).equals(clf.rank(texts))


def test_clone_and_get_params_with_a_module(texts: list[str]) -> None:
    module = own_module()
    clf = KeywordClassifier(KEYWORDS, model=module, training=on_vectors())
    assert clf.get_params()["model"] is module
    copy = clone(clf)
    assert copy.model is not module
    assert repr(copy.model) == repr(module)
    assert "Sequential" in repr(clf)
    before = [weight.clone() for weight in module.parameters()]
    scores = [both.fit(texts).decision_function(texts).tobytes() for both in (clf, copy, clf)]
    assert scores[0] == scores[1] == scores[2]  # each starts from the module as it was handed in
    assert all(torch.equal(*both) for both in zip(before, module.parameters(), strict=True))


def test_a_grid_search_over_optimizers(texts: list[str], is_sports: NDArray[np.bool_]) -> None:
    grid = {"training": [replace(QUICK, optimizer=optimizer) for optimizer in ("sgd", torch.optim.RMSprop)]}
    clf = KeywordClassifier(KEYWORDS, model="mlp")
    search = GridSearchCV(clf, grid, scoring="roc_auc", cv=2, error_score="raise").fit(texts, is_sports.astype(int))
    assert search.best_score_ > 0.8
    assert search.best_params_["training"] in grid["training"]
    assert len(set(search.cv_results_["mean_test_score"])) == 2


def test_a_module_of_ones_own_has_to_be_handed_in_again(tmp_path: Path, texts: list[str]) -> None:
    path, module = tmp_path / "a.keysift", own_module()
    clf = KeywordClassifier(KEYWORDS, model=module, training=on_vectors(optimizer=torch.optim.Adagrad)).fit(texts)
    clf.save(path)
    with pytest.raises(ModelFileError, match=r"module of its own; .* keysift.load\(path, model=...\), a module built"):
        keysift.load(path)
    with pytest.raises(ModelFileError, match="saved weights do not fit the module that was handed in"):
        keysift.load(path, model=nn.Linear(50, 1))
    with pytest.raises(SettingError, match=r"model must be one of .* or a torch\.nn\.Module; got <class"):
        keysift.load(path, model=nn.Linear)
    state = torch.get_rng_state()
    loaded = keysift.load(path, model=module)
    assert torch.equal(torch.get_rng_state(), state)
    assert loaded.rank(texts).equals(clf.rank(texts))


def test_a_module_on_word_numbers(texts: list[str], is_sports: NDArray[np.bool_], tmp_path: Path) -> None:
    class WordSum(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.scores = nn.Embedding(20_001, 1, padding_idx=0)  # a row for every word of small_glove, and 0
            nn.init.zeros_(self.scores.weight)

        def forward(self, ids: Tensor) -> Tensor:
            scores: Tensor = self.scores(ids).sum(1)
            return scores

    clf = KeywordClassifier(KEYWORDS, model=WordSum(), training=QUICK).fit(texts)
    assert roc_auc_score(is_sports, clf.decision_function(texts)) > 0.8
    clf.save(tmp_path / "a.keysift")
    assert keysift.load(tmp_path / "a.keysift", model=WordSum()).rank(texts).equals(clf.rank(texts))


def test_files_of_an_older_format_say_so(tmp_path: Path, light: KeywordClassifier) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("keysift.modelfile.FORMAT", 1)
        light.save(tmp_path / "a.keysift")
    with pytest.raises(ModelFileError, match=r"has format 1, from an older keysift, .*; fit and save it again\."):
        keysift.load(tmp_path / "a.keysift")


def test_a_network_with_a_part_missing(tmp_path: Path, texts: list[str]) -> None:
    path = tmp_path / "a.keysift"
    KeywordClassifier(KEYWORDS, model="mlp", vectors="corpus", training=QUICK).fit(texts).save(path)
    arrays, saved = read_model(path)
    damaged: list[tuple[dict[str, Any], dict[str, Any]]] = [
        ({name: array for name, array in arrays.items() if name != "vectors.matrix"}, saved),
        (arrays, {**saved, "model": None}),
        (arrays, {**saved, "training": ["mlp"]}),
    ]
    for parts in damaged:
        write_model(path, *parts)
        with pytest.raises(ModelFileError, match="a part is missing or damaged"):
            keysift.load(path)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"model": "rnn"}, "model must be one of linear, rcnn, cnn, mlp, or a torch.nn.Module; got 'rnn'."),
        ({"model": nn.Linear}, "or a torch.nn.Module; got <class"),
        (
            {"model": "mlp", "training": Training(optimizer="fast")},
            "optimizer must be one of adam, amsgrad, adamw, sgd",
        ),
        ({"model": "mlp", "loss": "zero_one"}, "The zero_one loss has no slope to follow"),
        ({"model": nn.Linear(50, 2), "training": on_vectors()}, "or (16, 1); got (16, 2)."),
        ({"model": nn.Linear(7, 1), "training": on_vectors()}, "The module failed on word numbers of shape (16, "),
        (
            {"model": nn.Tanh(), "training": on_vectors()},
            "no parameter that can be learned; give one with requires_grad",
        ),
    ],
)
def test_bad_networks_are_found_in_fit(texts: list[str], options: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingError, match=re.escape(message)):
        KeywordClassifier(KEYWORDS, **options).fit(texts)


def test_progress_of_a_network_is_told_epoch_by_epoch(texts: list[str]) -> None:
    seen: list[tuple[str, float]] = []
    clf = KeywordClassifier(KEYWORDS, model="mlp", training=replace(QUICK, epochs=2))
    clf.fit_rank(texts, progress=lambda stage, done: seen.append((stage, done)))
    stages = list(dict.fromkeys(stage for stage, _ in seen))
    assert stages == ["Tokenising", "Expanding keywords", "Finding keywords", "Epoch 1 of 2", "Epoch 2 of 2", "Ranking"]
    assert all((stage, 1.0) in seen for stage in stages)


def test_a_network_goes_on_from_its_checkpoint(tmp_path: Path, texts: list[str]) -> None:
    path = tmp_path / "run.keysift"
    whole = KeywordClassifier(KEYWORDS, model="rcnn", training=QUICK).fit(texts)
    KeywordClassifier(KEYWORDS, model="rcnn", training=replace(QUICK, epochs=1, checkpoint=path)).fit(texts)
    resumed = KeywordClassifier(KEYWORDS, model="rcnn", training=replace(QUICK, checkpoint=path, resume=True))
    assert resumed.fit(texts).decision_function(texts).tobytes() == whole.decision_function(texts).tobytes()
    with pytest.raises(TrainingError, match=r"belongs to another corpus \(or other keywords\)"):
        clone(resumed).set_params(keywords=["judge"]).fit(texts)
    with pytest.raises(TrainingError, match="belongs to another module"):
        clone(resumed).set_params(model="cnn").fit(texts)
