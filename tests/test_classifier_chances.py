"""`predict_proba`: chances that keep their word where the prior is right."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from keysift import KeywordClassifier, load
from keysift.demo import KEYWORDS as WORDS
from keysift.demo import collect_docstrings, is_target
from keysift.errors import KeysiftWarning, SettingError
from tests.light import KEYWORDS, LIGHT

WORST = 0.06
"""The largest mean distance between a chance and what comes true; a chance of one half for all has 0.38."""
pytestmark = pytest.mark.usefixtures("small_glove")


def test_rows_sum_to_one_and_rise_with_the_score(fitted: KeywordClassifier, texts: list[str]) -> None:
    chances, scores = fitted.predict_proba(texts), fitted.decision_function(texts)
    assert chances.shape == (len(texts), 2)
    assert chances.sum(axis=1) == pytest.approx(1, abs=1e-15)
    assert ((chances > 0) & (chances < 1)).all()
    assert (np.diff(chances[np.argsort(scores), 1]) >= 0).all()
    assert chances[:, 1].mean() == pytest.approx(fitted.prior_, abs=1e-6)
    assert fitted.predict_proba([]).shape == (0, 2)
    ranking = fitted.rank(texts).sort("document")
    assert chances[:, 1].tolist() == ranking["chance"].to_list()
    empty = fitted.predict_proba([""])[0, 1]
    assert empty == 0.0 < chances[:, 1].min()


@settings(max_examples=25)
@given(prior=st.floats(1e-4, 1 - 1e-4), texts=st.lists(st.text("hockey baslw ", max_size=40), max_size=8))
def test_any_text_and_any_prior(light: KeywordClassifier, prior: float, texts: list[str]) -> None:
    chances, scores = light.predict_proba(texts, prior=prior), light.decision_function(texts)
    assert chances.sum(axis=1) == pytest.approx(1)
    assert (np.diff(chances[np.argsort(scores, kind="stable"), 1]) >= 0).all()
    higher = light.predict_proba(texts, prior=(1 + prior) / 2)
    assert (higher[:, 1] >= chances[:, 1]).all()


def test_another_prior_and_what_is_refused(light: KeywordClassifier, texts: list[str], tmp_path: Path) -> None:
    usual = light.predict_proba(texts)
    light.save(tmp_path / "a.keysift")
    assert load(tmp_path / "a.keysift").predict_proba(texts) == pytest.approx(usual)
    assert light.predict_proba(texts, prior=light.prior_) == pytest.approx(usual, abs=1e-9)
    top = KeywordClassifier(KEYWORDS, threshold=("top", 3), **LIGHT).fit(texts)
    assert (top.predict_proba(texts, prior=0.01)[:, 1] < top.predict_proba(texts, prior=0.9)[:, 1]).all()
    for wrong in (0.0, 1.0, "estimate", float("nan")):
        given: Any = wrong
        with pytest.raises(SettingError, match="prior"):
            light.predict_proba(texts, prior=given)
    unlike = [f"{text} hockey baseball" for text in texts]
    with pytest.warns(KeysiftWarning, match=r"precision and recall expected in training do not hold for them"):
        light.predict_proba(unlike)


@pytest.fixture(scope="module")
def docstrings() -> tuple[pl.Series, NDArray[np.bool_]]:
    """Real documents with a truth: which docstrings of numpy, scipy and scikit-learn are from scipy.stats."""
    corpus = collect_docstrings()
    return corpus.texts, is_target(corpus) == 1


def reliability(chances: NDArray[np.float64], truth: NDArray[np.bool_], bins: int = 10) -> float:
    """The mean distance between the chance and the share of relevant documents, over bins of equal size."""
    groups = np.array_split(np.argsort(chances, kind="stable"), bins)
    apart = [len(group) * abs(float(chances[group].mean() - truth[group].mean())) for group in groups]
    return sum(apart) / len(chances)


def brier(chances: NDArray[np.float64] | float, truth: NDArray[np.bool_]) -> float:
    return float(np.mean((chances - truth) ** 2))


@pytest.mark.parametrize("told", ["the prior", "40 answers"])
@pytest.mark.filterwarnings("ignore:These documents are drawn anew")
def test_chances_of_real_documents_keep_their_word(docstrings: tuple[pl.Series, NDArray[np.bool_]], told: str) -> None:
    texts, truth = docstrings
    share = float(truth.mean())
    clf = KeywordClassifier(WORDS, prior=share if told == "the prior" else "estimate", encoder=None)
    clf.fit(texts)
    answer_of = dict(zip(texts, truth.tolist(), strict=True))
    found, holds = [], []
    for draw in range(5) if told == "40 answers" else [None]:  # what one draw of 40 tells is luck as well
        if draw is not None:
            clf.ask(40, lambda text: answer_of[text], seed=draw)
        chances = clf.predict_proba(texts)[:, 1]
        assert brier(chances, truth) < 0.6 * brier(share, truth)  # better than a constant that knows the share
        found.append(reliability(chances, truth))
        holds.append(clf.prior_estimate_.low <= share <= clf.prior_estimate_.high)
    assert np.mean(found) < WORST
    assert all(holds)


def test_one_half_says_what_the_other_will_show(docstrings: tuple[pl.Series, NDArray[np.bool_]]) -> None:
    texts, truth = docstrings
    seen = np.arange(len(truth)) % 2 == 0
    clf = KeywordClassifier(WORDS, prior=float(truth[seen].mean()), encoder=None).fit(texts.filter(pl.Series(seen)))
    chances = clf.predict_proba(texts.filter(pl.Series(~seen)))[:, 1]
    assert brier(chances, truth[~seen]) < 0.6 * brier(float(truth[~seen].mean()), truth[~seen])
    assert reliability(chances, truth[~seen]) < WORST
