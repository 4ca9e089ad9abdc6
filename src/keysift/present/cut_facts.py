"""Where a ranking is cut, why there, and what to expect of it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from keysift.config import DEFAULT
from keysift.decide.cuts import AtPrior, cut_rule
from keysift.decide.posterior import Expected, Posterior
from keysift.decide.prior import PriorEstimate
from keysift.present.facts import Fact
from keysift.present.wording import counted

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

    from keysift.ranker import KeywordRanker

PRIORS = {"given": "as given", "heuristic": "a heuristic", "estimate": "a guess, not known", "audit": "from answers"}
"""Where a prior comes from, in a word or two."""
ASK = "answer 20 documents to know (keysift rank with --ask 20, in Python ask(20))"
OF_TRAINING = "The threshold and the chances are those of the documents of training, and may not fit these."
UNMEASURED = (
    "How often the intervals hold was not measured for such scores, so no precision is given; audit the ranking."
)


@dataclass(frozen=True)
class CutFacts:
    """The cut of a ranking: from which prior it comes, how many documents are above it."""

    prior: Fact
    threshold: float
    positive: int
    origin: str
    """Which prior, and whether the threshold comes from it."""
    expected: str
    """Empty where nothing is above the threshold."""
    decided: str
    provisional: bool
    """Whether nobody gave a prior or an answer."""
    unlike: bool = False
    """Whether the documents look unlike those of training, so that nothing can be expected."""
    figures: tuple[Fact, ...] = ()
    """Precision and recall to expect; empty where nothing can be said of them."""


def cut_facts(clf: "KeywordRanker", ranking: "pl.DataFrame", prior: float | None = None) -> CutFacts:
    """The cut of a ranking by `clf`; `prior` is the one that `rank` was given, if any."""
    scores, positive = held_scores(clf, ranking), int(ranking["decision"].sum())
    threshold = clf.threshold_ if prior is None else _cut_in(ranking)
    posterior = posterior_for(clf, prior)
    where = f"the threshold {threshold:.3f}" if prior is None else f"the cut for the prior {prior:g}"
    provisional = is_provisional(clf, prior)
    heuristic = prior is None and clf.prior_estimate_.basis == "heuristic"
    unlike = unlike_training(clf, ranking) if prior is None else ""
    known = None if unlike or heuristic or not len(scores) else posterior.expected(scores, threshold)
    if unlike:
        expected = f"{unlike} No precision or recall is given; audit the ranking."
    else:
        expected = "" if known is None else expected_above(known, posterior)
    return CutFacts(
        prior=prior_figure(clf.prior_estimate_ if prior is None else PriorEstimate(prior, prior, prior, "given", "")),
        threshold=threshold,
        positive=positive,
        origin=OF_TRAINING if unlike else threshold_origin(clf, prior),
        expected=expected,
        decided=f"{positive:,} of {counted(len(ranking), 'document')} {'scores' if positive == 1 else 'score'} above"
        f" {where}{' (provisional)' if provisional else ''}.",
        provisional=provisional,
        unlike=bool(unlike),
        figures=() if known is None else expected_figures(known, posterior),
    )


def held_scores(clf: "KeywordRanker", ranking: "pl.DataFrame") -> "NDArray[np.float64]":
    """The scores of the documents that are not empty; the others have no say in what to expect."""
    scores = ranking["score"].to_numpy()
    return np.asarray(scores[scores > clf.scorer_.floor])


def unlike_training(clf: "KeywordRanker", ranking: "pl.DataFrame") -> str:
    """That documents look unlike those of training, in a sentence; empty where they do not."""
    from keysift.scoring import drift_of  # and with it scipy, which most pages do without

    drift = drift_of(clf.model_, held_scores(clf, ranking), clf.learning or DEFAULT)
    return "" if drift is None else f"These documents look unlike those of training ({drift})."


def posterior_for(clf: "KeywordRanker", prior: float | None) -> Posterior:
    """The chance of every score, for documents with a prior of their own where one is given."""
    return clf.posterior_ if prior is None else clf.posterior_.for_prior(prior)


def prior_words(clf: "KeywordRanker", prior: float | None = None) -> str:
    """The prior, its range and where it comes from."""
    return str(clf.prior_estimate_) if prior is None else f"{prior:g}, as given"


def is_provisional(clf: "KeywordRanker", prior: float | None = None) -> bool:
    """Whether the decisions wait for a prior or for answers."""
    return prior is None and clf.prior_estimate_.provisional and clf.decisions_.rule.depends_on_prior


def threshold_origin(clf: "KeywordRanker", prior: float | None = None) -> str:
    """Where the threshold comes from, so that nobody takes a guess for knowledge."""
    words, at_prior = prior_words(clf, prior), cut_rule(clf.threshold) == AtPrior()
    if prior is None and clf.prior_estimate_.basis == "estimate":
        cut = "the threshold is where macro F1 is highest over all of that" if at_prior else "the threshold is as asked"
        return f"{unknown_share(clf.prior_estimate_)} Until then {cut}, and decisions are provisional."
    if at_prior:
        return f"The threshold comes from the prior {words}."
    return f"The threshold is as asked for. The prior is {words}."


def unknown_share(prior: PriorEstimate) -> str:
    """What can be said of the share of relevant documents before any answer.

    >>> unknown_share(PriorEstimate(0.122, 0.0112, 0.63, "estimate", ""))
    'Relevant: about 12 % (between 1 % and 63 %): keywords cannot tell how many; answer 20 documents to know
    (keysift rank with --ask 20, in Python ask(20)).'
    """
    value, low, high = (f"{100 * one:.0f} %" for one in prior.interval)
    return f"Relevant: about {value} (between {low} and {high}): keywords cannot tell how many; {ASK}."


def expected_above(expected: Expected, posterior: Posterior) -> str:
    """What to expect above a threshold; empty where nothing is above it."""
    if not expected.count:
        return ""
    if not posterior.measured:
        return UNMEASURED
    return (
        f"Expected above the threshold: precision {expected.precision}, recall {expected.recall}"
        f" (90 % intervals, modelled from {posterior.basis})."
    )


def expected_figures(expected: Expected, posterior: Posterior) -> tuple[Fact, ...]:
    """Precision and recall to expect above a threshold; none where `expected_above` gives none."""
    if not expected.count or not posterior.measured:
        return ()
    return tuple(
        Fact(f"{100 * value:.0f} %", f"expected {name}")
        if low == high
        else Fact(f"{100 * value:.0f} %", f"expected {name}, 90 % interval", f"{100 * low:.0f} to {100 * high:.0f}")
        for name, (value, low, high) in (("precision", expected.precision), ("recall", expected.recall))
    )


def prior_figure(prior: PriorEstimate) -> Fact:
    """The prior with its bounds, and where it comes from.

    >>> prior_figure(PriorEstimate(0.122, 0.0112, 0.63, "estimate", ""))
    Fact(value='0.122', name='prior, a guess, not known', bounds='0.011 to 0.63')
    """
    bounds = "" if prior.low == prior.high else f"{prior.low:.2g} to {prior.high:.2g}"
    return Fact(f"{prior.value:.3g}", f"prior, {PRIORS[prior.basis]}", bounds)


def _cut_in(ranking: "pl.DataFrame") -> float:
    """A score between the documents that are decided positive and the others."""
    above = ranking.filter(ranking["decision"] == 1)["score"].to_numpy()
    below = ranking.filter(ranking["decision"] == 0)["score"].to_numpy()
    if not len(above):
        return float(below.max())
    lowest = float(above.min())
    return float(np.nextafter(lowest, -np.inf)) if not len(below) else (lowest + float(below.max())) / 2
