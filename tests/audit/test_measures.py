import numpy as np
import pytest

from keysift.audit.answers import Audit
from keysift.audit.measures import figures_at, measure
from keysift.audit.ranked_table import ranking_from
from keysift.audit.sampling import draw
from keysift.errors import SettingError
from tests.audit.cases import audit_of, ranking_frame


def test_the_whole_population_gives_the_exact_values() -> None:
    frame = ranking_frame()
    labels, pseudo = frame["label"].to_numpy(), frame["pseudo_positive"].to_numpy() == 1
    result = measure(audit_of(frame, 200), k=30)
    for estimate, truth in (
        (result.precision, labels[:40].mean()),
        (result.precision_at_k, labels[:30].mean()),
        (result.recall, labels[:40].sum() / 50),
        (result.prevalence, 0.25),
        (result.theta, labels[pseudo].mean()),
        (result.theta_prime, labels[~pseudo].mean()),
    ):
        assert estimate is not None
        assert [estimate.value, estimate.low, estimate.high] == pytest.approx([truth] * 3)


def test_the_recommended_cut_leaves_the_prevalence_above_it() -> None:
    result = measure(audit_of(ranking_frame(), 200))
    assert result.prior == pytest.approx(0.25)
    assert result.recommended.above == 50
    scores = ranking_frame()["score"].to_numpy()
    assert (scores > result.threshold).sum() == 50
    precision, recall = result.recommended.precision, result.recommended.recall
    assert precision is not None
    assert precision.value == pytest.approx(recall.value)  # the break-even point
    assert result.recommended.f1 == pytest.approx(precision.value)


def test_every_cut_has_figures_that_hold_their_estimates() -> None:
    frame = ranking_frame(documents=400, above=60, relevant=90)
    audit = audit_of(frame, 80)
    labels = frame["label"].to_numpy()
    held = []
    for above in range(20, 400, 20):
        at = figures_at(audit, above)
        assert at.precision is not None
        assert (audit.ranking.scores > at.threshold).sum() == above
        held += [at.precision.low <= labels[:above].mean() <= at.precision.high]
        held += [at.recall.low <= labels[:above].sum() / 90 <= at.recall.high]
    assert np.mean(held) > 0.9


def test_the_ends_of_the_ranking_are_cuts_too() -> None:
    audit = audit_of(ranking_frame())
    nothing, everything = figures_at(audit, 0), figures_at(audit, 200)
    assert (nothing.precision, nothing.recall.value, nothing.f1) == (None, 0.0, None)
    assert everything.recall.value == 1.0
    with pytest.raises(SettingError, match="from 0 to 200"):
        figures_at(audit, 201)
    with pytest.raises(SettingError, match="k must be"):
        measure(audit, k=0)


def test_without_a_relevant_document_recall_is_unknown() -> None:
    sample = draw(ranking_from(ranking_frame()), 60)
    result = measure(Audit(sample, np.zeros(60, dtype=np.int8), 0, 0))
    assert (result.recall.value, result.recall.low, result.prevalence.value) == (None, 0.0, 0.0)
    assert 0 < result.prior < 0.05  # sixty answers do not prove that there is none
    assert result.recommended.above == round(result.prior * len(sample.ranking))


def test_a_ranking_that_does_not_tell_its_sets_has_no_theta() -> None:
    frame = ranking_frame()
    audit = audit_of(frame.drop("pseudo_positive"))
    result = measure(audit)
    assert (result.theta, result.theta_prime) == (None, None)


def test_an_audit_has_the_same_figures_every_time() -> None:
    assert measure(audit_of(ranking_frame())) == measure(audit_of(ranking_frame()))
