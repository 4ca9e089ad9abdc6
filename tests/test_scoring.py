from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

from keysift import KeywordClassifier, scoring, threads
from keysift.config import DEFAULT
from keysift.decide.cuts import AtPrior, MaxF1, Precision, Top
from keysift.decide.decisions import Decisions, cut_again, make_decisions
from keysift.decide.drift import SUMMARY, summary_of
from keysift.decide.prior import PriorEstimate
from keysift.errors import InputError, SettingError
from keysift.features.rows import Shares
from keysift.features.view import Part
from keysift.learn.scorer import ViewScorer
from keysift.modelfile import Model
from keysift.scoring import decide_new, only_scores, rank_new, score
from keysift.settings import Settings
from tests.decide.cases import three_curves

WORDS = pl.Series("word", ["goal", "law"])
SCORER = ViewScorer(WORDS, (Part(Shares(np.ones(2)), np.array([2.0, -1.0]), 0.0),))


def decided(scores: NDArray[np.float64]) -> Decisions:
    prior = PriorEstimate(0.3, 0.2, 0.5, "audit", "a test")
    knots = np.quantile(scores, np.linspace(0, 1, 101))
    posterior = three_curves(knots, np.linspace(0.001, 0.9, 101), scores, prior.interval)
    return make_decisions(scores, prior, posterior, AtPrior())


def model_of(scores: NDArray[np.float64], empty: int = 0, length: int | None = None) -> Model:
    """A model that was fitted to documents with these scores, and to some empty ones, which have no say."""
    return Model(
        scorer=SCORER,
        keywords=(),
        terms=(("goal",),),
        decisions=decided(scores),
        quality=None,
        suggested=(),
        summary=summary_of(scores),
        n_documents=len(scores) + empty,
        n_empty=empty,
        encoded_length=length,
        reading=Settings(),
    )


def same(one: Decisions, other: Decisions, rel: float) -> bool:
    figures = [[*each.expected.precision, *each.expected.recall, each.threshold] for each in (one, other)]
    assert figures[0] == pytest.approx(figures[1], rel=rel, abs=rel)
    return one.expected.count == pytest.approx(other.expected.count, rel=rel)


@pytest.mark.parametrize(("number", "empty"), [(100, 0), (997, 3), (20_000, 0), (19_000, 1_000), (SUMMARY, 50)])
def test_up_to_twenty_thousand_documents_are_cut_as_in_the_fit(number: int, empty: int) -> None:
    scores = np.random.default_rng(0).gamma(2.0, size=number)
    model = model_of(scores, empty)
    for rule in (AtPrior(), MaxF1(), Precision(0.6), Top(37)):
        for prior in (None, 0.02, 0.3, 0.7):
            if prior != 0.02 or not isinstance(rule, Precision):
                assert same(model.decide_again(rule, prior), cut_again(model.decisions, scores, rule, prior), rel=1e-9)


def test_of_more_documents_quantiles_are_enough() -> None:
    scores = np.random.default_rng(0).gamma(2.0, size=60_000)
    model = model_of(scores, 600)
    for rule in (AtPrior(), MaxF1()):
        for prior in (None, 0.1):
            assert same(model.decide_again(rule, prior), cut_again(model.decisions, scores, rule, prior), rel=2e-3)


def test_new_documents_are_scored_and_ranked() -> None:
    model = model_of(np.random.default_rng(0).normal(size=200))
    scored = score(model, ["goal", "law law", "", "goal goal law unknown"])
    assert scored.scores[:2] == pytest.approx([2.0 / 2, -2.0 / 3])
    assert scored.scores[2] == SCORER.floor < scored.scores.min(where=~scored.empty, initial=np.inf)
    ranking = rank_new(model, scored, model.decisions)
    assert ranking.order.tolist() == [0, 3, 1, 2]
    assert ranking.pseudo_positive.tolist() == [True, False, False, True]
    assert ranking.positive.tolist() == model.decisions.positive(scored.scores, scored.empty).tolist()


def test_a_prior_of_new_documents() -> None:
    model = model_of(np.random.default_rng(0).normal(size=200))
    scored = score(model, ["goal", "law", "goal law", "law law"] * 5)
    assert decide_new(model, scored, AtPrior(), None, DEFAULT) is model.decisions
    assert decide_new(model, scored, AtPrior(), 0.5, DEFAULT).positive(scored.scores).sum() == 10
    nothing = score(model, [])
    assert decide_new(model, nothing, AtPrior(), 0.5, DEFAULT) is model.decisions
    for rule, prior, message in (
        (AtPrior(), "estimate", "must be a number between 0 and 1; got 'estimate'"),
        (Top(3), 0.5, "which no prior changes"),
    ):
        given: Any = prior
        with pytest.raises(SettingError, match=message):
            decide_new(model, scored, rule, given, DEFAULT)


def test_sentence_vectors_are_asked_for_only_where_they_count() -> None:
    scores = np.random.default_rng(0).normal(size=50)
    with pytest.raises(InputError, match="fitted without sentence vectors"):
        score(model_of(scores), ["goal"], embeddings=[[1.0, 2.0]])
    told_nothing = model_of(scores, length=2)  # the scorer has no coefficients for them
    assert score(told_nothing, ["goal"]).scores.tolist() == score(model_of(scores), ["goal"]).scores.tolist()


def test_a_classifier_scores_as_its_model(light: KeywordClassifier, texts: list[str]) -> None:
    assert score(light.model_, texts).scores.tobytes() == light.decision_function(texts).tobytes()


@pytest.mark.parametrize("cores", [1, 2, 3])
@pytest.mark.parametrize("size", [1, 40, 10**9])
@pytest.mark.parametrize("keywords", [["goal"], ["goal", "-goal 5"]])
def test_parts_on_several_cores_change_no_score(
    cores: int, size: int, keywords: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [f"a goal {number} scored" if number % 3 else "a law" * (number % 7) for number in range(60)]
    clf = KeywordClassifier(keywords, encoder=None).fit(texts)
    texts += ["goalkeepers outlaw tagliatelle", "Überlaw scored by a goal and a goal"]  # words that the model never saw
    whole = score(clf.model_, texts)
    monkeypatch.setattr(scoring, "cores", lambda: cores)
    monkeypatch.setattr(threads, "cores", lambda: cores)
    monkeypatch.setattr(scoring, "LEAST_BYTES", 1)
    monkeypatch.setattr(scoring, "PART_BYTES", size)
    parts = only_scores(clf.model_, texts)
    assert parts.scores.tobytes() == whole.scores.tobytes()
    assert parts.out.tolist() == whole.out.tolist()
    assert parts.held.tolist() == whole.held.tolist()
    assert 0 < whole.out.sum() < len(texts)
    assert len(only_scores(clf.model_, []).scores) == 0
    assert len(only_scores(clf.model_, ["", ""]).held) == 0
