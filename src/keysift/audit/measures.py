"""All that an audit says of a ranking."""

from dataclasses import dataclass

import numpy as np

from keysift.audit.answers import Audit
from keysift.audit.audited import audited_prior
from keysift.audit.cells import split
from keysift.audit.estimates import Estimate, recall, share
from keysift.audit.stopping import Stopping, may_stop
from keysift.audit.strata import STRATA
from keysift.decide.cuts import cut_at_prior
from keysift.errors import SettingError


@dataclass(frozen=True)
class StratumFigures:
    """One stratum: how many documents, how many of them judged and relevant."""

    name: str
    size: int
    judged: int
    relevant: int


@dataclass(frozen=True)
class CutFigures:
    """What to expect of a cut."""

    above: int
    """Documents above it."""
    threshold: float
    """A score with so many above."""
    precision: Estimate | None
    recall: Estimate

    @property
    def f1(self) -> float | None:
        """The F1 of the relevant class at the two estimates."""
        if self.precision is None or self.precision.value is None or self.recall.value is None:
            return None
        both = self.precision.value + self.recall.value
        return 2 * self.precision.value * self.recall.value / both if both else 0.0


@dataclass(frozen=True)
class Measures:
    """The figures of an audit, each with a 95 % interval."""

    documents: int
    answered: int
    unsure: int
    unanswered: int
    strata: tuple[StratumFigures, ...]
    cut: CutFigures
    """At the cut of the ranking."""
    k: int
    precision_at_k: Estimate
    prevalence: Estimate
    theta: Estimate | None
    """The share of relevant documents among the pseudo-positive ones; None where the ranking does not tell which these
    are."""
    theta_prime: Estimate | None
    """The same among the pseudo-negative ones."""
    prior: float
    """The corrected prior, as a classifier takes it: the prevalence, and of few answers what they and other corpora
    say of it together."""
    recommended: CutFigures
    """At the cut that leaves the share `prior` above it."""
    stopping: Stopping

    @property
    def precision(self) -> Estimate | None:
        """At the cut of the ranking; None if nothing is above it."""
        return self.cut.precision

    @property
    def recall(self) -> Estimate:
        """At the cut of the ranking."""
        return self.cut.recall

    @property
    def threshold(self) -> float:
        """The score to cut at for that prior."""
        return self.recommended.threshold


def measure(audit: Audit, *, k: int | None = None) -> Measures:
    """Every figure of an audit; `k` is that of the sample unless given."""
    ranking, sample = audit.ranking, audit.sample
    k = sample.k if k is None else k
    if k < 1:
        raise SettingError(f"k must be a whole number of 1 or more; got {k!r}.")
    place = np.arange(len(ranking))
    prevalence = share(split(audit, np.ones(len(ranking), dtype=bool))[0])
    precision_at_k = share(split(audit, place < k)[0])
    assert prevalence is not None
    assert precision_at_k is not None
    theta = theta_prime = None
    pseudo = ranking.pseudo_positive
    if pseudo is not None and 0 < pseudo.sum() < len(pseudo):
        cp, cn = split(audit, pseudo)
        theta, theta_prime = share(cp), share(cn)
    prior = audited_prior(audit)[0].value
    threshold = cut_at_prior(ranking.scores, prior)
    strata = sample.strata[audit.known]
    judged = np.bincount(strata, minlength=len(STRATA))
    relevant = np.bincount(strata[audit.answers[audit.known] == 1], minlength=len(STRATA))
    return Measures(
        documents=len(ranking),
        answered=audit.answered,
        unsure=audit.unsure,
        unanswered=audit.unanswered,
        strata=tuple(
            StratumFigures(name, int(size), int(count), int(yes))
            for name, size, count, yes in zip(STRATA, sample.plan.sizes, judged, relevant, strict=True)
            if size
        ),
        cut=figures_at(audit, ranking.above),
        k=min(k, len(ranking)),
        precision_at_k=precision_at_k,
        prevalence=prevalence,
        theta=theta,
        theta_prime=theta_prime,
        prior=prior,
        recommended=figures_at(audit, int((ranking.scores > threshold).sum())),
        stopping=may_stop(audit),
    )


def figures_at(audit: Audit, above: int) -> CutFigures:
    """Precision and recall with the first `above` documents above the cut."""
    documents = len(audit.ranking)
    if not 0 <= above <= documents:
        raise SettingError(f"above must be a number of documents from 0 to {documents:,}; got {above!r}.")
    inside, outside = split(audit, np.arange(documents) < above)
    scores = audit.ranking.scores
    if above == 0:
        threshold = float(scores[0])
    elif above == documents:
        threshold = float(np.nextafter(scores[-1], -np.inf))
    else:
        middle = scores[above] + (scores[above - 1] - scores[above]) / 2
        threshold = float(middle if middle < scores[above - 1] else scores[above])
    return CutFigures(above, threshold, share(inside), recall(inside, outside))
