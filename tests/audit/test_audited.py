from dataclasses import replace
from typing import Any

import pytest

from keysift.audit.answers import Audit
from keysift.audit.audited import audited_decisions, prior_of
from keysift.audit.measures import measure
from keysift.decide.curves import known
from keysift.decide.cuts import AtPrior, MaxF1, Recall, cut_at_prior
from keysift.decide.decisions import Decisions, make_decisions
from keysift.decide.prior import given_prior
from keysift.errors import SettingError
from tests.audit.cases import audit_of, ranking_frame


@pytest.fixture(scope="module")
def audit() -> Audit:
    return audit_of(ranking_frame(), 60)


def before_of(audit: Audit, prior: float = 0.6) -> Decisions:
    scores = audit.ranking.scores
    return make_decisions(scores, given_prior(prior), known(scores, prior), AtPrior())


def test_the_prior_is_the_prevalence_of_the_audit(audit: Audit) -> None:
    prior, prevalence = prior_of(audit), measure(audit).prevalence
    assert (prior.value, prior.low, prior.high) == (prevalence.value, prevalence.low, prevalence.high)
    assert (prior.basis, prior.assumes) == ("audit", "from 60 answers")
    assert prior.low <= 50 / 200 <= prior.high


@pytest.mark.parametrize("relevant", [0, 200])
def test_no_audit_says_all_documents_or_none(relevant: int) -> None:
    prior = prior_of(audit_of(ranking_frame(relevant=relevant), 60))
    assert prior.value == (1 / 200 if relevant == 0 else 1 - 1 / 200)


@pytest.mark.parametrize(("given", "message"), [(None, "a fit has none yet"), ({0: 1}, "needs an Audit, which knows")])
def test_what_has_no_prevalence(given: Any, message: str, audit: Audit) -> None:
    with pytest.raises(SettingError, match=message):
        prior_of(given)
    with pytest.raises(SettingError, match=message):
        audited_decisions(given, before_of(audit), AtPrior())


def test_few_answers_are_read_with_what_is_usual(audit: Audit) -> None:
    before = before_of(audit)
    decisions = audited_decisions(audit, before, AtPrior())
    scores, prior = audit.ranking.scores, decisions.prior
    assert (prior.basis, prior.assumes) == ("audit", "from 60 answers and other corpora")
    assert prior.low <= 50 / 200 <= prior.high
    assert prior.high - prior.low < 0.3
    assert not prior.provisional
    assert decisions.threshold == cut_at_prior(scores, prior.value)
    assert decisions.expected == decisions.posterior.expected(scores, decisions.threshold)
    assert before.prior.value == 0.6  # what was decided before stays as it was


def test_many_answers_speak_for_themselves() -> None:
    audit = audit_of(ranking_frame(), 120)
    decisions = audited_decisions(audit, before_of(audit), AtPrior())
    assert decisions.prior == prior_of(audit)
    assert decisions.posterior.at(audit.ranking.scores).mean() == pytest.approx(decisions.prior.value, abs=0.01)
    assert decisions.posterior.basis == "120 audited documents"
    assert decisions.threshold == measure(audit).threshold


def test_answers_say_nothing_of_whether_intervals_were_measured(audit: Audit) -> None:
    before = before_of(audit)
    unmeasured = replace(before, posterior=replace(before.posterior, measured=False))
    assert audited_decisions(audit, before, AtPrior()).posterior.measured
    assert not audited_decisions(audit, unmeasured, AtPrior()).posterior.measured


@pytest.mark.parametrize("rule", [MaxF1(), Recall(0.8)])
def test_another_rule_cuts_by_the_new_chances(audit: Audit, rule: Any) -> None:
    decisions = audited_decisions(audit, before_of(audit), rule)
    scores = audit.ranking.scores
    assert decisions.rule == rule
    assert decisions.threshold == rule.threshold(scores, decisions.prior.value, decisions.posterior)
    assert decisions.expected == decisions.posterior.expected(scores, decisions.threshold)
