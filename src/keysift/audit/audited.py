"""The prior and the cut that the answers of an audit ask for."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keysift.audit.answers import Audit
from keysift.audit.cells import split
from keysift.audit.estimates import share
from keysift.decide.calibration import Calibration
from keysift.decide.curves import Family, answered
from keysift.decide.cuts import CutRule
from keysift.decide.decisions import Decisions, make_decisions, with_prior
from keysift.decide.posterior import Posterior
from keysift.decide.prior import PriorEstimate
from keysift.errors import InputError, SettingError

FEW = 99
"""Answers that are read together with what is usual in other corpora."""


def check_made_by(audit: Audit, model: str, scores: NDArray[np.float64] | None = None) -> None:
    """Refuse an audit of a ranking that another model made, known by its fingerprint.

    A ranking that does not name its model passes; given the `scores` of the training documents in order, it passes only
    if it has the very same ones.
    """
    _check(audit)
    named = audit.ranking.model
    if named is not None and named != model:
        raise InputError(
            f"The ranking was made by another model: it names {named!r}, and this model is {model!r}; give the model"
            " that ranked, or rank with this one and audit that."
        )
    if named is None and scores is not None and not _alike(audit.ranking.scores, scores):
        raise InputError(
            "The ranking does not say which model made it, and nothing shows that it was this one; give the ranking as"
            " keysift rank or score wrote it, with its column 'model'."
        )


def _alike(scores: NDArray[np.float64], wanted: NDArray[np.float64]) -> bool:
    """Whether these are the scores that are wanted, in any order; a spreadsheet keeps fifteen digits of them."""
    return len(scores) == len(wanted) and bool(np.allclose(np.sort(scores), wanted, rtol=1e-12, atol=1e-12))


def prior_of(audit: Any) -> PriorEstimate:
    """The prevalence of an audit as a prior, never all documents nor none; or an error that says what is missing."""
    _check(audit)
    documents = len(audit.ranking)
    prevalence = share(split(audit, np.ones(documents, dtype=bool))[0])
    assert prevalence is not None
    value = float(np.clip(prevalence.value or 0.0, 1 / documents, 1 - 1 / documents))
    return PriorEstimate(value, prevalence.low, prevalence.high, "audit", f"from {audit.answered:,} answers")


def audited_decisions(
    audit: Audit,
    before: Decisions,
    rule: CutRule,
    calibration: Calibration | None = None,
    family: Family | None = None,
) -> Decisions:
    """The prior and the chances that the answers ask for, and the audited ranking cut again.

    `calibration` and `family` are for simulations.
    """
    prior, posterior = audited_prior(audit, calibration, family)
    return make_decisions(audit.ranking.scores, prior, replace(posterior, measured=before.posterior.measured), rule)


def audited_prior(
    audit: Audit, calibration: Calibration | None = None, family: Family | None = None
) -> tuple[PriorEstimate, Posterior]:
    """The prior and the chances that the answers ask for.

    Up to `FEW` answers are read together with what is usual in other corpora. More of them speak for themselves: the
    prior is the prevalence that the design of the sample proves.
    """
    _check(audit)
    scores, yes = audit.ranking.scores, audit.answers[audit.known] == 1
    found, posterior = answered(scores, scores[audit.sample.rows[audit.known]], yes, calibration, family)
    if audit.answered <= FEW:
        return PriorEstimate(*found, "audit", f"from {posterior.basis}"), posterior
    prior = prior_of(audit)
    return prior, with_prior(posterior, prior, scores, f"{len(yes):,} audited documents")


def _check(audit: Any) -> None:
    if not isinstance(audit, Audit):
        raise SettingError(
            "prior='audit' needs answers, and a fit has none yet: fit with prior='estimate', audit the ranking, and"
            " hand the answers to apply_audit, or the Audit to fit."
            if audit is None
            else "prior='audit' needs an Audit, which knows how its documents were drawn, and plain labels do not:"
            " hand in the Audit, or choose prior='estimate' or a number."
        )
