"""Where a ranking is cut, why there, and what to expect of it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from keysift.decide.cuts import AtPrior, cut_rule
from keysift.decide.posterior import Expected, Posterior
from keysift.present.wording import counted

if TYPE_CHECKING:
    import polars as pl

    from keysift.ranker import KeywordRanker

PRIORS = {"given": "as given", "heuristic": "a heuristic", "estimate": "estimated", "audit": "from the audit"}
"""Where a prior comes from, in a word or two."""


@dataclass(frozen=True)
class CutFacts:
    """The cut of a ranking: from which prior it comes, how many documents are above it."""

    prior: float
    prior_origin: str
    threshold: float
    positive: int
    origin: str
    """Which prior, and whether the threshold comes from it."""
    expected: str
    """Empty where nothing is above the threshold."""
    decided: str


def cut_facts(clf: "KeywordRanker", ranking: "pl.DataFrame", prior: float | None = None) -> CutFacts:
    """The cut of a ranking by `clf`; `prior` is the one that `rank` was given, if any."""
    scores, positive = ranking["score"].to_numpy(), int(ranking["decision"].sum())
    threshold = clf.threshold_ if prior is None else _cut_in(ranking)
    posterior = posterior_for(clf, prior)
    where = f"the threshold {threshold:.3f}" if prior is None else f"the cut for the prior {prior:g}"
    return CutFacts(
        prior=clf.prior_ if prior is None else prior,
        prior_origin=PRIORS[clf.prior_estimate_.basis if prior is None else "given"],
        threshold=threshold,
        positive=positive,
        origin=threshold_origin(clf, prior),
        expected=expected_above(posterior.expected(scores, threshold), posterior.basis),
        decided=f"{positive:,} of {counted(len(ranking), 'document')} score above {where}.",
    )


def posterior_for(clf: "KeywordRanker", prior: float | None) -> Posterior:
    """The chance of every score, for documents with a prior of their own where one is given."""
    return clf.posterior_ if prior is None else clf.posterior_.for_prior(clf.prior_, prior)


def prior_words(clf: "KeywordRanker", prior: float | None = None) -> str:
    """The prior, its range and where it comes from."""
    return str(clf.prior_estimate_) if prior is None else f"{prior:g}, as given"


def threshold_origin(clf: "KeywordRanker", prior: float | None = None) -> str:
    """Where the threshold comes from, so that nobody takes a guess for knowledge."""
    words = prior_words(clf, prior)
    if cut_rule(clf.threshold) == AtPrior():
        return f"The threshold comes from the prior {words}."
    return f"The threshold is as asked for. The prior is {words}."


def expected_above(expected: Expected, basis: str) -> str:
    """What to expect above a threshold; empty where nothing is above it."""
    if not expected.count:
        return ""
    return f"Expected above the threshold: precision {expected.precision}, recall {expected.recall}, from {basis}."


def _cut_in(ranking: "pl.DataFrame") -> float:
    """A score between the documents that are decided positive and the others."""
    above = ranking.filter(ranking["decision"] == 1)["score"].to_numpy()
    below = ranking.filter(ranking["decision"] == 0)["score"].to_numpy()
    if not len(above):
        return float(below.max())
    lowest = float(above.min())
    return float(np.nextafter(lowest, -np.inf)) if not len(below) else (lowest + float(below.max())) / 2
