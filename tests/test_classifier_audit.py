"""Learning from answers: explicit, and only where it is asked for."""

import warnings
from typing import Any

import numpy as np
import polars as pl
import pytest
import torch
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from keysift import KeywordClassifier, Training
from keysift.audit.answers import Audit
from keysift.audit.measures import measure
from keysift.audit.ranked_table import ranking_from
from keysift.audit.sampling import draw
from keysift.config import LearnConfig
from keysift.decide.cuts import cut_at_prior
from keysift.decide.odds import logit
from keysift.errors import InputError, KeysiftWarning, KeywordError, SettingError
from keysift.learn import fitting, self_training
from keysift.learn.view_fit import fit_view

KEYWORDS = ["hockey", "baseball"]
LIGHT: dict[str, Any] = {"views": ("words", "characters"), "encoder": None}
pytestmark = pytest.mark.usefixtures("small_glove")


def classifier(**changes: Any) -> KeywordClassifier:
    return KeywordClassifier(KEYWORDS, **{**LIGHT, **changes})


@pytest.fixture(scope="module")
def ranking(texts: list[str]) -> pl.DataFrame:
    return classifier().fit_rank(texts)


@pytest.fixture(scope="module")
def audit(ranking: pl.DataFrame, is_sports: NDArray[np.bool_]) -> Audit:
    return audit_of(ranking, is_sports)


def audit_of(ranking: pl.DataFrame, truth: NDArray[np.bool_], n: int = 30) -> Audit:
    sample = draw(ranking_from(ranking), n)
    rows = ranking["document"].to_numpy()[sample.rows]
    return Audit(sample, truth[rows].astype(np.int8), unsure=0, unanswered=0)


def labels_of(audit: Audit) -> dict[int, int]:
    names = audit.ranking.ids.to_list()
    return {int(names[row]): int(answer) for row, answer in zip(audit.sample.rows, audit.answers, strict=True)}


def test_the_order_of_labels_does_not_matter(texts: list[str], audit: Audit) -> None:
    expected = classifier().fit(texts, audit=audit)
    other = classifier().fit(texts, audit=dict(sorted(labels_of(audit).items())))
    assert expected.answers_ is not None
    assert other.answers_ is not None
    assert other.answers_.tolist() == expected.answers_.tolist()
    assert other.decision_function(texts).tobytes() == expected.decision_function(texts).tobytes()


def test_without_answers_nothing_of_them_is_called(texts: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*given: object) -> None:
        raise AssertionError

    expected = classifier().fit(texts)
    assert expected.answers_ is None
    monkeypatch.setattr(fitting, "with_answers", fail)
    monkeypatch.setattr(fitting, "correct", fail)
    same = classifier().fit(texts, audit=None)
    assert same.decision_function(texts).tobytes() == expected.decision_function(texts).tobytes()
    assert (same.threshold_, same.prior_estimate_) == (expected.threshold_, expected.prior_estimate_)


def test_other_answers_are_another_meaning(texts: list[str], is_sports: NDArray[np.bool_]) -> None:
    """A person who looks for hockey alone gets hockey."""
    hockey = np.array(["hockey" in text for text in texts])
    baseball = np.array(["baseball" in text for text in texts]) & ~hockey
    before = classifier().fit(texts)
    said = {int(place): 1 for place in np.flatnonzero(hockey)[::2]} | {
        int(place): 0 for place in np.flatnonzero(baseball)[::2]
    }
    after = classifier().fit(texts, audit=said)
    new = (hockey | baseball) & ~np.isin(np.arange(len(texts)), list(said))
    auc = [roc_auc_score(hockey[new], clf.decision_function(texts)[new]) for clf in (before, after)]
    assert auc[1] > auc[0]


@pytest.mark.parametrize("rounds", [0, 1, 4])
def test_no_guess_overrides_an_answer(texts: list[str], rounds: int, monkeypatch: pytest.MonkeyPatch) -> None:
    trusting = LearnConfig(rounds=rounds, allowed_loss=1e9)
    clf = classifier(learning=trusting).fit(texts)
    keyword, other = (
        clf.pseudo_labels_.positives[:3].tolist(),
        np.flatnonzero(~clf.pseudo_labels_.positive)[:3].tolist(),
    )
    said = dict.fromkeys(keyword, 0) | dict.fromkeys(other, 1)
    seen: list[NDArray[np.float64]] = []

    def spy(view: Any, positive: NDArray[np.float64], *rest: Any, **named: Any) -> Any:
        seen.append(positive)
        return fit_view(view, positive, *rest, **named)

    for module in (fitting, self_training):
        monkeypatch.setattr(module, "fit_view", spy)
    again = classifier(learning=trusting).fit(texts, audit=said)
    assert len(seen) == 2 * (1 + rounds)
    for positive in seen:
        assert not positive[keyword].any()
        assert (positive[other] >= trusting.answer_weight).all()
    # The two sets of Algorithm 1, of which an audit tells theta, stay what they are.
    assert again.pseudo_labels_.positive.tolist() == clf.pseudo_labels_.positive.tolist()


def test_the_quality_and_the_estimated_prior_stay_without_labels(texts: list[str], audit: Audit) -> None:
    before, after = classifier().fit(texts), classifier().fit(texts, audit=audit)
    assert before.quality_ is not None
    assert after.quality_ is not None
    assert before.quality_.plain() == after.quality_.plain()
    assert before.prior_estimate_.assumes == after.prior_estimate_.assumes
    widths = [
        logit(one.prior_estimate_.high) - logit(one.prior_estimate_.low) for one in (before, after)
    ]  # of a ranking that learned from answers the guess may differ, but it is not surer
    assert widths[1] == pytest.approx(widths[0])


def test_the_prior_of_an_audit(texts: list[str], audit: Audit) -> None:
    clf = classifier(prior="audit").fit(texts, audit=audit)
    prevalence = measure(audit).prevalence
    assert (clf.prior_, clf.prior_estimate_.low, clf.prior_estimate_.high) == (
        prevalence.value,
        prevalence.low,
        prevalence.high,
    )
    assert clf.prior_estimate_.basis == "audit"
    assert clf.threshold_ == cut_at_prior(clf.decision_function(texts), clf.prior_)
    # The chances are modelled, the prior is measured: what holds the one has to hold the mean of the others.
    assert prevalence.low < clf.posterior_.at(clf.decision_function(texts)).mean() < prevalence.high
    frame = classifier(prior="audit").fit_rank(texts, audit=audit)
    assert frame["decision"].to_list() == clf.rank(texts)["decision"].to_list()


def test_the_prior_of_an_audit_needs_one(texts: list[str]) -> None:
    with pytest.raises(SettingError, match=r"needs an Audit, which knows how its documents were drawn"):
        classifier(prior="audit").fit(texts, audit={0: 1, 1: 0})
    with pytest.raises(SettingError, match=r"a fit has none yet.*or the Audit to fit"):
        classifier(prior="audit").fit(texts)


def test_bad_labels_are_refused(texts: list[str]) -> None:
    with pytest.raises(InputError, match=r"has 2 labels for \d+ documents; give one for each"):
        classifier().fit(texts, audit=[1, 0])


def test_an_audit_of_other_documents_is_refused(texts: list[str], audit: Audit, ranking: pl.DataFrame) -> None:
    with pytest.raises(InputError, match=r"of a ranking of \d+ documents, but there are \d+; fit the documents"):
        classifier().fit(texts[1:], audit=audit)
    own = ranking.with_columns(id=pl.format("mail-{}", "document"))
    with pytest.raises(InputError, match=r"ids of its own.*hand in \{place: 1 or 0\}"):
        classifier().fit(texts, audit=audit_of(own, np.zeros(len(texts), dtype=bool)))


def test_one_kind_of_answer_is_used_as_far_as_possible(texts: list[str]) -> None:
    before = classifier().fit(texts)
    place = int(before.pseudo_labels_.positives[0])
    with pytest.warns(KeysiftWarning, match=r"All answers \(1\) say irrelevant: their documents change sets") as seen:
        after = classifier().fit(texts, audit={place: 0})
    assert seen[0].filename == __file__
    scores = [clf.decision_function(texts) for clf in (before, after)]
    assert (scores[1] < scores[1][place]).mean() < (scores[0] < scores[0][place]).mean()


def test_answers_that_leave_a_set_empty(texts: list[str]) -> None:
    found = classifier().fit(texts).pseudo_labels_.positive
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", KeysiftWarning)
        with pytest.raises(KeywordError, match=r"with a keyword were judged irrelevant, and no other one relevant"):
            classifier().fit(texts, audit=np.where(found, 0, -1))
        with pytest.raises(KeywordError, match=r"without a keyword were judged relevant"):
            classifier().fit(texts, audit=np.where(found, -1, 1))


def test_networks_learn_from_the_corrected_sets(texts: list[str], is_sports: NDArray[np.bool_]) -> None:
    torch.manual_seed(0)
    quick = Training(epochs=2)
    expected = KeywordClassifier(KEYWORDS, model="mlp", training=quick).fit(texts)
    same = dict(enumerate(expected.pseudo_labels_.positive.astype(int).tolist()))
    scores = KeywordClassifier(KEYWORDS, model="mlp", training=quick).fit(texts, audit=same).decision_function(texts)
    assert scores.tobytes() == expected.decision_function(texts).tobytes()
    truth = KeywordClassifier(KEYWORDS, model="mlp", training=quick).fit(texts, audit=is_sports.astype(int))
    assert truth.decision_function(texts).tobytes() != scores.tobytes()


def test_an_audit_of_another_classifier_is_refused(texts: list[str], audit: Audit) -> None:
    law = KeywordClassifier(["court", "parliament"], **LIGHT).fit(texts)
    with pytest.raises(InputError, match="nothing shows that it was this one"):
        law.apply_audit(audit)
    assert classifier().fit(texts).apply_audit(audit).prior_estimate_.basis == "audit"
