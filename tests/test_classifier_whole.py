"""A fit is whole or not at all: a failed one leaves no trace."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from keysift import KeywordClassifier, Settings
from keysift.audit.answers import Audit
from keysift.errors import KeywordError, SettingError
from tests.audit.cases import audit_of
from tests.light import KEYWORDS, LIGHT

TWO_VIEWS: dict[str, Any] = {"views": ("words", "characters"), "encoder": None}
pytestmark = pytest.mark.usefixtures("small_glove")


class Traces:
    """What a fitted classifier has and says, to compare with later."""

    def __init__(self, clf: KeywordClassifier, texts: list[str]) -> None:
        self.clf, self.texts = clf, texts
        self.attributes = self._fitted()
        self.says = self._says()

    def _fitted(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self.clf).items() if name.endswith("_")}

    def _says(self) -> list[Any]:
        clf, new = self.clf, self.texts[:40]
        with_prior = clf.predict(new, prior=0.4).tolist()
        table = clf.keyword_table()
        decided = clf.decide()
        frame = clf.rank(new).rows()
        return [clf.decision_function(new).tobytes(), frame, with_prior, table, decided.threshold, decided.expected]

    def are_the_same(self) -> bool:
        now = self._fitted()
        assert now.keys() == self.attributes.keys()
        assert all(now[name] is value for name, value in self.attributes.items())
        return self._says() == self.says


def test_an_unreachable_precision_leaves_the_estimator_unfitted(texts: list[str]) -> None:
    clf = KeywordClassifier(KEYWORDS, threshold=("precision", 0.9999), **LIGHT)
    before = dict(vars(clf))
    with pytest.raises(SettingError, match=r"No cut has an expected precision of 0\.9999"):
        clf.fit(texts)
    assert vars(clf) == before
    for method in (clf.predict, clf.decision_function, clf.rank):
        with pytest.raises(NotFittedError):
            method(texts)


def wrong_view(name: str = "wrong") -> Any:
    class Wrong:
        def fit(self, documents: Any, words: Any) -> Any:
            raise ZeroDivisionError

    view: Any = Wrong()
    view.name = name
    return view


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"keywords": ["zzzzqqq"]}, KeywordError),
        ({"keywords": []}, KeywordError),
        ({"keywords": ["judge"], "threshold": ("precision", 0.9999)}, SettingError),
        ({"keywords": ["judge"], "prior": "audit"}, SettingError),
        ({"keywords": ["judge"], "loss": "sigmod"}, SettingError),
        ({"keywords": ["judge"], "views": ("words", wrong_view())}, ZeroDivisionError),
        ({"settings": Settings(stop_words=[*KEYWORDS], stop_keywords="drop")}, KeywordError),
    ],
)
@pytest.mark.filterwarnings("ignore:The keyword 'zzzzqqq' is in no document")
def test_a_second_fit_that_fails_leaves_the_first(
    texts: list[str], changes: dict[str, Any], error: type[Exception]
) -> None:
    clf = KeywordClassifier(KEYWORDS, **LIGHT).fit(texts)
    traces = Traces(clf, texts)
    for method in (clf.set_params(**changes).fit, clf.fit_rank):
        with pytest.raises(error):
            method(texts[:50])
        assert traces.are_the_same()


def stages_of(clf: KeywordClassifier, texts: list[str]) -> list[tuple[str, float]]:
    told: list[tuple[str, float]] = []
    clone(clf).fit(texts, progress=lambda stage, done: told.append((stage, done)))
    return told


@pytest.fixture(scope="module")
def once_fitted(small_glove: None, texts: list[str]) -> Traces:
    return Traces(KeywordClassifier(KEYWORDS, **TWO_VIEWS).fit(texts), texts)


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_a_second_fit_that_is_broken_off_leaves_the_first(
    once_fitted: Traces, texts: list[str], error: type[BaseException]
) -> None:
    """In the middle of every stage, at its start and at its end."""
    clf = once_fitted.clf.set_params(keywords=["judge", "court", "parliament"])
    told = stages_of(clf, texts[:45])
    stages = {stage for stage, _ in told}
    assert stages == {
        "Tokenising",
        "Finding keywords",
        "Reading views",
        "Measuring without labels",
        "Fitting all pairs",
    }
    for stage in stages:
        places = [place for place, (name, _) in enumerate(told) if name == stage]
        for place in {places[0], places[len(places) // 2], places[-1]}:
            calls = 0

            def stop(stage: str, done: float, place: int = place) -> None:
                nonlocal calls
                calls += 1
                if calls > place:
                    raise error

            with pytest.raises(error):
                clf.fit(texts[:45], progress=stop)
            assert once_fitted.are_the_same()


def test_a_prepared_corpus_survives_a_fit_that_is_broken_off(texts: list[str]) -> None:
    clf = KeywordClassifier(KEYWORDS, **TWO_VIEWS)
    expected = clone(clf).fit(texts).decision_function(texts)
    prepared = clf.prepare(texts)
    for stage in ("Finding keywords", "Reading views", "Measuring without labels", "Fitting all pairs"):

        def stop(now: str, done: float, stage: str = stage) -> None:
            if now == stage:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            clf.fit(prepared, progress=stop)
        with pytest.raises(NotFittedError):
            clf.predict(texts)
    assert clf.fit(prepared).decision_function(texts).tobytes() == expected.tobytes()


def audit_for(clf: KeywordClassifier, texts: list[str], truth: NDArray[np.bool_]) -> Audit:
    ranking = clf.rank(texts)
    order = ranking["document"].to_numpy()
    frame = ranking.select("rank", "score", "decision", "pseudo_positive", "evidence").with_columns(
        ranking["document"].cast(str).alias("id"), label=truth[order].astype(int)
    )
    return audit_of(frame.with_columns(text=frame["id"]), 30)


@pytest.mark.filterwarnings("ignore::keysift.errors.KeysiftWarning")
def test_an_audit_that_fails_leaves_the_decisions(texts: list[str], is_sports: NDArray[np.bool_]) -> None:
    clf = KeywordClassifier(KEYWORDS, threshold=("precision", 0.6), prior=0.9, **LIGHT).fit(texts)
    traces = Traces(clf, texts)
    none_relevant = audit_for(clf, texts, np.zeros_like(is_sports))
    with pytest.raises(SettingError, match="No cut has an expected precision"):
        clf.apply_audit(none_relevant)
    assert traces.are_the_same()
    with pytest.raises(SettingError, match="needs an Audit"):
        clf.apply_audit({0: 1})  # type: ignore[arg-type]
    assert traces.are_the_same()
    clf.apply_audit(audit_for(clf, texts, is_sports))
    assert clf.prior_estimate_.basis == "audit"


def test_a_fit_that_succeeds_leaves_nothing_of_the_one_before(texts: list[str]) -> None:
    clf = KeywordClassifier(KEYWORDS, **TWO_VIEWS).fit(texts, audit={0: 1, 1: 0})
    clf.set_params(keywords=["judge"], threshold=("top", 3)).fit(texts)
    fresh = KeywordClassifier(["judge"], threshold=("top", 3), **TWO_VIEWS).fit(texts)
    assert vars(clf).keys() == vars(fresh).keys()
    assert clf.answers_ is None
    assert clf.rank(texts).equals(fresh.rank(texts))
    assert (clf.decisions_.rule, clf.threshold_) == (fresh.decisions_.rule, fresh.threshold_)
    assert clf.keyword_beliefs_ == fresh.keyword_beliefs_


def test_prepared_documents_are_read_by_the_settings_of_the_fit(texts: list[str]) -> None:
    prepared = KeywordClassifier(KEYWORDS, **LIGHT).prepare(texts)
    with pytest.raises(SettingError, match="prepared with other settings or learning than this classifier's"):
        KeywordClassifier(KEYWORDS, settings=Settings(tokenizer=str.split), **LIGHT).fit(prepared)
    with pytest.raises(SettingError, match="prepared with other settings or learning than this classifier's"):
        KeywordClassifier(KEYWORDS, views=("words",)).fit(prepared)
    with pytest.raises(SettingError, match="hand embeddings to prepare"):
        KeywordClassifier(KEYWORDS, **LIGHT).fit(prepared, embeddings=np.ones((len(texts), 2)))
