"""Priors, thresholds, and other decisions about the same ranking."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import keysift
from keysift import KeywordClassifier
from keysift.decide.cuts import cut_at_prior, cut_at_top
from keysift.decide.decisions import Decisions
from keysift.encoding import minilm
from keysift.errors import KeysiftWarning, SettingError
from tests.audit.cases import audit_of
from tests.decide.cases import means_of
from tests.light import ALONE, KEYWORDS, LIGHT

pytestmark = pytest.mark.usefixtures("small_glove")


@pytest.mark.parametrize(
    ("options", "positives"),
    [({"prior": 0.25}, 15), ({"prior": 0.5}, 30), ({"threshold": ("top", 7)}, 7), ({"threshold": ["top", 1]}, 1)],
)
def test_how_many_are_positive(texts: list[str], options: dict[str, Any], positives: int) -> None:
    both = {**LIGHT, "views": ("words", "characters")}  # by words alone the best documents tie
    assert KeywordClassifier(KEYWORDS, **both, **options).fit(texts).predict(texts).sum() == positives


def test_given_threshold(texts: list[str]) -> None:
    clf = KeywordClassifier(KEYWORDS, threshold=0.05, **LIGHT).fit(texts)
    assert clf.threshold_ == 0.05
    assert clf.predict(texts).tolist() == (clf.decision_function(texts) > 0.05).astype(int).tolist()


def test_heuristic_prior(texts: list[str]) -> None:
    clf = KeywordClassifier(KEYWORDS, prior="heuristic", **LIGHT).fit(texts)
    assert clf.prior_ == clf.pseudo_labels_.share == clf.pseudo_labels_.positive.mean()
    assert clf.prior_estimate_.basis == "heuristic"
    assert clf.predict(texts).sum() == clf.pseudo_labels_.positive.sum()


def test_the_prior_is_the_usual_one_unless_it_is_given(light: KeywordClassifier, texts: list[str]) -> None:
    clf = KeywordClassifier(KEYWORDS, **LIGHT).fit(texts)
    estimate = clf.prior_estimate_
    assert estimate.basis == "estimate"
    assert estimate.provisional
    assert estimate.low < clf.prior_ == estimate.value < estimate.high
    scores = clf.decision_function(texts)
    assert clf.threshold_ == cut_at_prior(scores, clf.posterior_.best_share(scores))
    assert scores.tobytes() == light.decision_function(texts).tobytes()
    assert light.prior_estimate_.basis == "given"
    assert not light.prior_estimate_.provisional
    assert means_of(light.posterior_, scores) == pytest.approx([light.prior_] * len(light.posterior_.chances), rel=1e-6)
    for one in (clf, light):
        assert one.expected_ == one.posterior_.expected(scores, one.threshold_)
        assert one.expected_.count == one.predict(texts).sum()
        assert one.posterior_.measured


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
    scores = light.decision_function(new)
    assert decided.sum() == (scores > cut_at_top(scores, round(prior * len(new)))).sum()  # some are equal
    assert abs(decided.sum() - prior * len(new)) <= 1
    assert scores[decided == 1].min() > scores[decided == 0].max()
    ranking = light.rank(new, prior=prior)
    assert ranking.sort("document")["decision"].to_list() == decided.tolist()
    assert light.threshold_ == clone(light).fit(texts).threshold_  # the model stays as it is
    assert light.predict([], prior=prior).shape == (0,)


def test_another_prior_moves_the_cut_of_a_target(texts: list[str]) -> None:
    clf = KeywordClassifier(KEYWORDS, prior=1 / 3, threshold=("precision", 0.6), **LIGHT).fit(texts)
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
    # Words that are in one document only tell nothing; what they mean does.
    clf = KeywordClassifier(keywords, prior=prior, threshold="max_f1", encoder=minilm.encode, learning=ALONE)
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
    assert keysift.load(tmp_path / "a.keysift", encoder=minilm.encode).rank(documents).equals(ranking)


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
    assert prior.assumes == "from 30 answers and other corpora"
    assert prior.low <= 1 / 3 <= prior.high
    assert abs(prior.value - 1 / 3) < abs(before.at(scores).mean() - 1 / 3)
    assert clf.expected_ == clf.posterior_.expected(scores, clf.threshold_)
    assert clf.expected_.recall.value >= 0.9
    assert clf.rank(texts)["score"].to_list() == ranking["score"].to_list()


def test_audit_as_the_prior_needs_answers(texts: list[str]) -> None:
    with pytest.raises(SettingError, match=r"prior='audit' needs answers, .* apply_audit"):
        KeywordClassifier(KEYWORDS, prior="audit").fit(texts)


ASKED: list[dict[str, Any]] = [
    {},
    {"threshold": "max_f1"},
    {"threshold": ("precision", 0.5)},
    {"threshold": ("recall", 0.9)},
    {"threshold": ("top", 7)},
    {"threshold": 0.25},
    {"prior": 0.02},
    {"prior": 0.5},
    {"prior": 0.1, "threshold": "max_f1"},
    {"prior": 0.6, "threshold": ("recall", 0.8)},
]


def same(one: Decisions, other: Decisions) -> bool:
    """But for rounding: sums of the same numbers in another order."""
    figures = [
        [*each.expected.precision, *each.expected.recall, *each.expected.f1, *each.prior.interval]
        for each in (one, other)
    ]
    assert figures[0] == pytest.approx(figures[1], rel=1e-6)
    assert one.posterior.chances == pytest.approx(other.posterior.chances, rel=1e-5, abs=1e-9)
    assert (one.prior.basis, one.rule, one.expected.count) == (other.prior.basis, other.rule, other.expected.count)
    return one.threshold == pytest.approx(other.threshold, rel=1e-12)


@pytest.mark.parametrize("asked", [*ASKED, {"prior": "heuristic"}, {"prior": "estimate", "threshold": ("top", 3)}])
def test_to_decide_is_to_fit_with_that_and_changes_nothing(texts: list[str], asked: dict[str, Any]) -> None:
    clf = KeywordClassifier(KEYWORDS, **LIGHT).fit([*texts, ""])
    before = dict(vars(clf))
    decided = clf.decide(**asked)
    assert vars(clf).keys() == before.keys()
    assert all(value is before[name] for name, value in vars(clf).items())
    again = KeywordClassifier(KEYWORDS, **LIGHT, **asked).fit([*texts, ""])
    assert same(decided, again.decisions_)
    assert decided.threshold == again.threshold_


@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("prior", ["estimate", 0.3])
def test_a_loaded_model_decides_as_the_fitted_one(
    tmp_path: Path, texts: list[str], asked: dict[str, Any], prior: Any
) -> None:
    clf = KeywordClassifier(KEYWORDS, prior=prior, **LIGHT).fit([*texts, "", ""])
    clf.save(tmp_path / "a.keysift")
    loaded = keysift.load(tmp_path / "a.keysift")
    before = dict(vars(loaded))
    decided = loaded.decide(**asked)
    assert all(value is before[name] for name, value in vars(loaded).items())
    assert same(decided, clf.decide(**asked))
    scores = clf.decision_function(texts)
    assert decided.positive(scores).tolist() == clf.decide(**asked).positive(scores).tolist()


def test_an_audit_stays_in_later_decisions(tmp_path: Path, texts: list[str], is_sports: NDArray[np.bool_]) -> None:
    clf = KeywordClassifier(KEYWORDS, prior=0.8, **LIGHT)
    ranking = clf.fit_rank(texts)
    order = ranking["document"].to_numpy()
    frame = ranking.select("rank", "score", "decision", "pseudo_positive", "evidence").with_columns(
        id=pl.Series(order).cast(str), label=pl.Series(is_sports[order]).cast(pl.Int64), text=pl.Series(texts)[order]
    )
    clf.apply_audit(audit_of(frame, 30))
    assert clf.decide().prior.basis == "audit"
    assert clf.decide().threshold == clf.threshold_
    clf.save(tmp_path / "a.keysift")
    loaded = keysift.load(tmp_path / "a.keysift")
    for asked in ASKED:
        assert same(clf.decide(**asked), loaded.decide(**asked))


def test_a_loaded_model_has_no_documents_to_take_a_prior_from(tmp_path: Path, light: KeywordClassifier) -> None:
    light.save(tmp_path / "a.keysift")
    loaded = keysift.load(tmp_path / "a.keysift")
    for prior in ("estimate", "heuristic", "audit"):
        with pytest.raises(SettingError, match=f"no documents to take the prior '{prior}' from; give it as a number"):
            loaded.decide(prior=prior)
    with pytest.raises(SettingError, match="needs answers"):
        light.decide(prior="audit")
    with pytest.raises(SettingError, match="between 0 and 1"):
        light.decide(prior=1.5)
    with pytest.raises(NotFittedError):
        KeywordClassifier(KEYWORDS).decide()


def test_to_ask_is_to_know(texts: list[str], is_sports: NDArray[np.bool_], tmp_path: Path) -> None:
    clf = KeywordClassifier(KEYWORDS, **LIGHT).fit(texts)
    before, usual = clf.decision_function(texts), clf.prior_estimate_
    truth = dict(zip(texts, is_sports.tolist(), strict=True))
    assert clf.ask(20, lambda text: truth[text]) is clf
    prior = clf.prior_estimate_
    assert (prior.basis, prior.assumes) == ("audit", "from 20 answers and other corpora")
    assert prior.low <= is_sports.mean() <= prior.high
    assert prior.high - prior.low < usual.high - usual.low
    assert clf.expected_.count == clf.predict(texts).sum() == round(prior.value * len(texts))
    assert clf.decision_function(texts).tobytes() == before.tobytes()  # the ranking stays
    clf.save(tmp_path / "asked.keysift")
    loaded = keysift.load(tmp_path / "asked.keysift")
    assert loaded.prior_estimate_ == prior
    with pytest.raises(NotFittedError, match="a loaded model has none"):
        loaded.ask(20, lambda text: truth[text])
