import pytest

from keysift.classifier import KeywordClassifier
from keysift.errors import KeysiftWarning
from keysift.networks.training import Training
from keysift.present.cut_facts import UNMEASURED, cut_facts
from keysift.present.facts import Fact
from tests.light import KEYWORDS, LIGHT


def test_precision_and_recall_are_those_of_the_sentence(texts: list[str]) -> None:
    clf = KeywordClassifier(KEYWORDS, **LIGHT)
    facts = cut_facts(clf, clf.fit_rank(texts))
    precision, recall = facts.figures
    assert (precision.name, recall.name) == ("expected precision, 90 % interval", "expected recall, 90 % interval")
    assert (
        f"precision {precision.value} ({precision.bounds}), recall {recall.value} ({recall.bounds})" in facts.expected
    )
    expected = clf.expected_.precision
    assert precision.value == f"{100 * expected.value:.0f} %"
    assert precision.bounds == f"{100 * expected.low:.0f} to {100 * expected.high:.0f}"
    assert facts.prior.bounds


def test_a_prior_of_new_documents_changes_what_to_expect(texts: list[str]) -> None:
    clf = KeywordClassifier(KEYWORDS, prior=0.3, **LIGHT).fit(texts)
    usual, rare = (cut_facts(clf, clf.rank(texts, prior=prior), prior) for prior in (0.3, 0.05))
    assert rare.prior == Fact("0.05", "prior, as given")
    assert usual.figures
    assert rare.figures != usual.figures


@pytest.mark.parametrize("texts_above", [True, False])
def test_nothing_is_expected_of_an_empty_set(texts: list[str], texts_above: bool) -> None:
    clf = KeywordClassifier(KEYWORDS, threshold=-1e3 if texts_above else 1e3, **LIGHT)
    assert bool(cut_facts(clf, clf.fit_rank(texts)).figures) == texts_above


def test_a_heuristic_is_no_ground_to_expect_anything(texts: list[str]) -> None:
    clf = KeywordClassifier(KEYWORDS, prior="heuristic", **LIGHT)
    facts = cut_facts(clf, clf.fit_rank(texts))
    assert (facts.figures, facts.expected) == ((), "")


def test_intervals_that_nobody_measured_are_not_shown(texts: list[str]) -> None:
    clf = KeywordClassifier(KEYWORDS, model="mlp", training=Training(epochs=1), encoder=None)
    facts = cut_facts(clf, clf.fit_rank(texts))
    assert (facts.figures, facts.expected) == ((), UNMEASURED)


def test_documents_unlike_those_of_training_have_no_figures(texts: list[str]) -> None:
    clf = KeywordClassifier(KEYWORDS, prior=0.3, **LIGHT).fit(texts)
    others = [text for text in texts if "hockey" in text or "baseball" in text] * 20
    with pytest.warns(KeysiftWarning, match="look unlike"):
        ranking = clf.rank(others)
    facts = cut_facts(clf, ranking)
    assert facts.unlike
    assert facts.figures == ()
    assert "No precision or recall is given" in facts.expected
    given = cut_facts(clf, clf.rank(others, prior=0.9), 0.9)  # somebody knows them
    assert given.figures
