"""A session gives what the classifier gives, keeps what it has when something fails, and reads the corpus once."""

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from keysift import KeywordClassifier, LearnConfig, Session, load
from keysift.errors import CancelledError, KeywordError, OutputError, SettingError
from keysift.features.view import Documents, FittedView
from keysift.features.words import WordView
from keysift.review.state import State

pytestmark = pytest.mark.usefixtures("small_glove")
KEYWORDS, OTHERS = ["hockey", "baseball"], {"chef": 1.0, "baker": 2.0}
LIGHT: dict[str, Any] = {"views": "words", "encoder": None, "learning": LearnConfig(rounds=0)}


@pytest.fixture
def session(texts: list[str]) -> Session:
    return Session(texts, **LIGHT)


def test_every_list_of_keywords_gives_the_ranking_of_a_fit_of_its_own(texts: list[str]) -> None:
    session = Session(texts, prior=0.3, threshold=("top", 7))
    for keywords in (KEYWORDS, OTHERS, KEYWORDS):
        matches = session.keywords(keywords)
        ranking = session.learn()
        clf = KeywordClassifier(keywords, prior=0.3, threshold=("top", 7))
        expected = clf.fit_rank(texts)
        assert matches.holders.tolist() == clf.pseudo_labels_.positives.tolist()
        assert ranking.frame().equals(expected)
        assert session.result.learned.scores.tolist() == clf.decision_function(texts).tolist()
        assert session.ranking is ranking


def test_decisions_are_those_of_the_classifier(session: Session, texts: list[str]) -> None:
    session.keywords(KEYWORDS)
    session.learn()
    clf = KeywordClassifier(KEYWORDS, **LIGHT).fit(texts)
    asked: dict[str, Any] = {}
    steps: tuple[dict[str, Any], ...] = (
        {"prior": 0.25},
        {"threshold": ("recall", 0.8)},
        {"prior": "heuristic", "threshold": "max_f1"},
        {"prior": 0.5, "threshold": 0.0},
    )
    for step in steps:
        asked |= step  # what is not said again stays
        decisions, expected = session.decide(**step), clf.decide(**asked)
        assert decisions.threshold == expected.threshold
        assert decisions.expected == expected.expected
        assert session.ranking.positive.tolist() == expected.positive(session.ranking.scores).tolist()


def test_the_next_result_is_cut_as_decided_last(session: Session, texts: list[str]) -> None:
    session.keywords(KEYWORDS)
    session.learn()
    session.decide(prior=0.2, threshold="prior")
    session.keywords(OTHERS)
    assert session.learn().positive.sum() == round(0.2 * len(texts))


def test_a_page_has_the_rows_of_the_ranking_and_the_texts(session: Session, texts: list[str]) -> None:
    session.keywords(KEYWORDS)
    whole = session.learn().frame()
    page = session.page(10, 5)
    assert page.drop("text").equals(whole[10:15])
    assert page["text"].to_list() == [texts[place] for place in page["document"]]
    assert len(session.page(len(texts) - 1, 20)) == 1


def test_what_changed_is_told_with_the_reasons_of_both(session: Session) -> None:
    session.keywords(KEYWORDS)
    before = session.learn()
    session.keywords(OTHERS)
    after = session.learn()
    found = session.compare(k=15)
    tops = [set(ranking.order[:15].tolist()) for ranking in (before, after)]
    entered = set(found.entered["id"].cast(pl.Int64))
    assert entered == tops[1] - tops[0] != set()
    row = found.entered.row(0, named=True)
    place = np.array([int(row["id"])])
    assert row["evidence_before"] == before.evidence(place).item()
    assert row["evidence_after"] == after.evidence(place).item()
    assert row["text"] == session.prepared.texts[int(row["id"])]
    assert found.positive_after == int(after.positive.sum())


def test_the_classifier_scores_new_documents_and_saves(session: Session, texts: list[str], tmp_path: Path) -> None:
    session.keywords(OTHERS)
    session.learn()
    session.decide(threshold=("top", 4))
    clf = session.classifier()
    fitted = KeywordClassifier(OTHERS, threshold=("top", 4), **LIGHT).fit(texts)
    new = [*texts[:5], "a baker and a chef bake a cake", ""]
    assert clf.rank(new).equals(fitted.rank(new))
    assert clf.predict(texts).sum() == 4
    clf.save(tmp_path / "m.keysift")
    assert load(tmp_path / "m.keysift").rank(new).equals(clf.rank(new))


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda session: session.learn(), "There is no keyword to learn from; call keywords first."),
        (lambda session: session.page(), "Nothing was learned yet; call keywords, then learn."),
        (lambda session: session.decide(prior=0.1), "Nothing was learned yet; call keywords, then learn."),
        (lambda session: session.classifier(), "Nothing was learned yet; call keywords, then learn."),
        (
            lambda session: session.compare(),
            "There is only one result so far; learn from other keywords to compare the two.",
        ),
    ],
)
def test_steps_out_of_order_are_refused(session: Session, call: Callable[[Session], object], told: str) -> None:
    if "one result" in told:
        session.keywords(KEYWORDS)
        session.learn()
    with pytest.raises(SettingError) as error:
        call(session)
    assert str(error.value) == told


def test_a_failure_leaves_the_last_result(session: Session) -> None:
    session.keywords(KEYWORDS)
    session.learn()
    last, page = session.result, session.page()
    with pytest.warns(match="'nowhere' is in no document"):
        session.keywords("nowhere")
    with pytest.raises(KeywordError):
        session.learn()
    with pytest.raises(SettingError):
        session.decide(threshold=("precision", 0.99999))
    with pytest.raises(SettingError):
        session.decide(prior=3)
    assert session.result is last
    assert session.page().equals(page)
    session.keywords(KEYWORDS)
    assert session.learn().frame().equals(last.ranking.frame())


class Counting:
    """A view of a user's own that counts how often it is fitted, and may be slow."""

    name = "counting"

    def __init__(self, seconds: float = 0.0) -> None:
        self.fits = 0
        self.seconds = seconds

    def fit(self, documents: Documents, words: pl.Series) -> FittedView:
        self.fits += 1
        time.sleep(self.seconds)
        return WordView().fit(documents, words)


def test_the_second_list_uses_what_was_prepared(texts: list[str]) -> None:
    view = Counting()
    session = Session(texts, views=["words", view], encoder=None)
    for keywords in (KEYWORDS, OTHERS):
        session.keywords(keywords)
        session.learn()
    assert view.fits == 1


def test_cancelling_comes_back_at_once_and_leaves_the_last_result(texts: list[str]) -> None:
    session = Session(texts)
    session.keywords(KEYWORDS)
    session.learn()
    last, matches = session.result, session.keywords(OTHERS)
    cancel = threading.Event()
    stages: list[str] = []
    asked: list[float] = []

    def progress(stage: str, done: float) -> None:
        stages.append(stage)
        if stage == "Measuring without labels" and not asked:
            asked.append(time.perf_counter())
            cancel.set()

    with pytest.raises(CancelledError, match="the last result is as it was"):
        session.learn(progress, cancel)
    assert time.perf_counter() - asked[0] < 1
    assert "Ranking" not in stages
    assert session.result is last
    assert session._matches is matches
    cancel.clear()
    ranking = session.learn(progress, cancel)
    assert ranking.frame().equals(KeywordClassifier(OTHERS).fit_rank(texts))


def test_a_step_that_cannot_be_interrupted_is_not_waited_for(texts: list[str]) -> None:
    session = Session(texts, views=Counting(seconds=3), encoder=None)
    session.keywords(KEYWORDS)
    start = time.perf_counter()
    with pytest.raises(CancelledError):
        session.learn(cancel=lambda: time.perf_counter() - start > 0.2)
    assert time.perf_counter() - start < 1.2


def test_an_error_under_way_is_raised_where_learning_can_be_cancelled(session: Session) -> None:
    with pytest.warns(match="is in no document"):
        session.keywords("nowhere")
    with pytest.raises(KeywordError):
        session.learn(cancel=threading.Event())


def answered(session: Session, truth: np.ndarray[Any, Any], number: int) -> None:
    for document in range(number):
        session.answer(document, int(truth[document]))


def cooking(corpus: pl.DataFrame) -> np.ndarray[Any, Any]:
    return (corpus["topic"] == "cooking").to_numpy()


def test_answers_change_the_ranking_and_do_not_depend_on_when_they_came(
    session: Session, texts: list[str], corpus: pl.DataFrame
) -> None:
    truth = cooking(corpus)
    session.keywords(KEYWORDS)
    before = session.learn()
    for document in range(30):
        session.answer(document, "y" if truth[document] else "n")
        session.learn()
    step_by_step = session.ranking
    at_once = Session(texts, **LIGHT)
    answered(at_once, truth, 30)
    at_once.keywords(KEYWORDS)
    assert at_once.learn().scores.tolist() == step_by_step.scores.tolist()
    rest = np.arange(len(texts)) >= 30

    def mean_place(scores: Any) -> float:
        return float(np.argsort(np.argsort(-scores[rest]))[truth[rest]].mean())

    assert mean_place(step_by_step.scores) < mean_place(before.scores) - 3


def test_a_second_answer_replaces_the_first_and_unsure_teaches_nothing(session: Session) -> None:
    session.keywords(KEYWORDS)
    first = session.learn().scores.tolist()
    session.answer(0, "y")
    session.answer(1, "n")
    said = session.learn().scores.tolist()
    session.answer(0, "n")
    session.answer(1, 1)
    swapped = session.learn().scores.tolist()
    assert len({tuple(first), tuple(said), tuple(swapped)}) == 3
    session.answer(0, 1)
    session.answer(1, 0)
    assert session.learn().scores.tolist() == said
    session.answer(0, "unsure")
    session.answer(1, None)
    assert session.answers == {0: None, 1: None}
    assert session.learn().scores.tolist() == first
    assert session.result.learned.answers is None


def test_bad_answers_are_refused_and_change_nothing(session: Session, texts: list[str]) -> None:
    last = len(texts) - 1
    with pytest.raises(
        SettingError, match=rf"^There is no document {last + 1}; give a whole number from 0 to {last}, its"
    ):
        session.answer(last + 1, "y")
    with pytest.raises(SettingError, match=r"^An answer must be 'y', 'n' or 'unsure', or 1, 0 or None; got 'j'\.$"):
        session.answer(0, "j")
    assert session.answers == {}


def test_an_answer_makes_no_choice_again_that_needs_no_label(session: Session, corpus: pl.DataFrame) -> None:
    session.keywords(KEYWORDS)
    session.learn()
    first = session.result.learned
    answered(session, cooking(corpus), 12)
    session.learn()
    again = session.result.learned
    assert again.fitted is first.fitted
    assert again.quality is first.quality
    session.learn(afresh=True)
    assert session.result.learned.fitted is not first.fitted
    session.keywords(OTHERS)
    session.learn()
    assert session.result.learned.answers is not None
    assert session.result.learned.fitted is not first.fitted


def test_afresh_is_a_fit_with_the_answers(session: Session, texts: list[str], corpus: pl.DataFrame) -> None:
    from keysift.pipeline import learn

    truth = cooking(corpus)
    answered(session, truth, 20)
    matches = session.keywords(KEYWORDS)
    answers = np.where(np.arange(len(texts)) < 20, truth, -1).astype(np.int8)
    expected = learn(session.prepared, matches, answers=answers)
    assert session.learn(afresh=True).scores.tolist() == expected.scores.tolist()


def test_answers_in_a_reading_order_never_narrow_prior_and_intervals(texts: list[str], corpus: pl.DataFrame) -> None:
    truth, session = cooking(corpus), Session(texts, **LIGHT)
    session.keywords(KEYWORDS)
    session.learn()
    before = session.result.decisions
    for document in session.next(25):
        session.answer(document, int(truth[document]))
    session.learn()
    after = session.result.decisions
    assert after.prior == before.prior
    assert after.expected.precision.high - after.expected.precision.low > 0.1
    assert before.posterior.measured
    assert not after.posterior.measured


def test_what_to_read_next_is_what_was_not_answered(session: Session, texts: list[str]) -> None:
    from keysift.review.orders import BestFirst

    session.keywords(KEYWORDS)
    ranking = session.learn()
    assert session.next(3, BestFirst()) == ranking.order[:3].tolist()
    session.answer(int(ranking.order[0]), "unsure")
    assert session.next(2, BestFirst()) == ranking.order[1:3].tolist()
    assert sorted(session.next(len(texts))) == sorted(set(range(len(texts))) - {int(ranking.order[0])})
    with pytest.raises(SettingError, match=r"^n must be a whole number"):
        session.next(0)


def test_empty_documents_may_be_answered(texts: list[str]) -> None:
    session = Session(["", *texts, "?!"], **LIGHT)
    for document, answer in ((0, "n"), (1, "y"), (2, "n")):
        session.answer(document, answer)
    session.keywords(KEYWORDS)
    scores = session.learn().scores
    assert scores[0] == scores[-1] < scores[1:-1].min()


def test_a_classifier_of_answers_scores_as_the_session(
    session: Session, texts: list[str], corpus: pl.DataFrame
) -> None:
    answered(session, cooking(corpus), 20)
    session.keywords(KEYWORDS)
    scores = session.learn().scores
    assert session.classifier().decision_function(texts).tolist() == scores.tolist()


def test_a_session_with_a_state_keeps_its_answers(texts: list[str], tmp_path: Path) -> None:
    session = Session(texts, state=tmp_path / "project", **LIGHT)
    session.answer(3, "y")
    session.answer(5, "n")
    session.answer(3, "unsure")
    again = Session([*texts[::-1], "a new one of the hockey team"], state=tmp_path / "project", **LIGHT)
    last = len(texts) - 1
    assert again.answers == {last - 5: 0, last - 3: None}
    assert Session(texts, **LIGHT).answers == {}


def test_a_state_that_is_open_elsewhere_takes_no_answer(texts: list[str], tmp_path: Path) -> None:
    session = Session(texts, state=tmp_path, **LIGHT)
    with State.open(tmp_path), pytest.raises(OutputError, match="is open in a review or an audit"):
        session.answer(3, "y")
    assert session.answers == {}
    session.answer(3, "y")
    assert session.answers == {3: 1}


def test_after_answers_the_reasons_still_add_up_to_the_scores(texts: list[str]) -> None:
    session = Session([*texts, ""], encoder=None)
    session.keywords(KEYWORDS)
    session.learn()
    for place in range(6):
        session.answer(place, place % 2)
    session.learn()
    learned = session.result.learned
    scorer: Any = learned.scorer
    moved = scorer.explain(learned.readable, learned.scores).sum(axis=1) + scorer.constant
    assert np.asarray(moved).ravel()[:-1] == pytest.approx(learned.scores[:-1])
