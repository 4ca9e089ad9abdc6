"""The prior and the cut that the answers of an audit ask for."""

from dataclasses import replace
from typing import Any

import numpy as np

from keysift.audit.answers import Audit
from keysift.audit.measures import measure
from keysift.decide.cuts import AtPrior, CutRule
from keysift.decide.decisions import Decisions, make_decisions
from keysift.decide.posterior import recalibrated
from keysift.decide.prior import PriorEstimate
from keysift.errors import SettingError


def prior_of(audit: Any) -> PriorEstimate:
    """The prevalence of an audit as a prior, never all documents nor none; or an error that says what is missing."""
    if not isinstance(audit, Audit):
        raise SettingError(
            "prior='audit' needs answers, and a fit has none yet: fit with prior='estimate', audit the ranking, and"
            " hand the answers to apply_audit, or the Audit to fit."
            if audit is None
            else "prior='audit' needs an Audit, which knows how its documents were drawn, and plain labels do not:"
            " hand in the Audit, or choose prior='estimate' or a number."
        )
    measured = measure(audit)
    share = float(np.clip(measured.prior, 1 / measured.documents, 1 - 1 / measured.documents))
    prevalence = measured.prevalence
    return PriorEstimate(share, prevalence.low, prevalence.high, "audit", f"from {measured.answered:,} answers")


def audited_decisions(audit: Audit, before: Decisions, rule: CutRule) -> Decisions:
    """The chances made to agree with the answers, and the audited ranking cut again."""
    prior = prior_of(audit)
    scores, known = audit.ranking.scores, audit.known
    posterior = recalibrated(
        before.posterior,
        scores[audit.sample.rows[known]],
        audit.answers[known],
        audit.weights[known],
        scores,
        prior.interval,
        f"{audit.answered:,} audited documents",
    )
    decisions = make_decisions(scores, prior, posterior, rule)
    if rule != AtPrior():
        return decisions
    threshold = measure(audit).threshold
    return replace(decisions, threshold=threshold, expected=posterior.expected(scores, threshold))
