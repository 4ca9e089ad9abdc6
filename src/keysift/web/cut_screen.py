"""Where the ranking is cut, as a picture to drag: the histogram, every cut that can be chosen, and the prior."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from keysift.audit.answers import Audit
from keysift.audit.estimates import Estimate as Sampled
from keysift.audit.measures import figures_at
from keysift.decide.cuts import Threshold
from keysift.decide.posterior import Expected
from keysift.errors import SettingError
from keysift.present.cut_facts import PRIORS
from keysift.present.wording import counted
from keysift.web.bodies import CutAt
from keysift.web.project import Told
from keysift.web.ranked import Ranked
from keysift.web.ranking_schemas import Cut, Cuts, Histogram
from keysift.web.schemas import Estimate

Basis = Literal["modelled", "measured", "none"]
BINS = 60
UNMEASURED = (
    "Your answers have changed the ranking, and what to expect of such a ranking was not measured, so no precision and"
    " recall is given; answer 20 documents drawn at random to know them."
)
TOLD = (
    "Your {} to a random sample told of the ranking as it was then: of its first {}, {} are relevant, which is {} of"
    " all that are. The ranking {} since, so they cannot judge it any more; answer 20 others to know."
)
MODELLED = "Precision and recall are modelled from {} (90 % intervals)."
MEASURED = "Precision and recall are measured by your {} to a random sample, at this very cut (95 % intervals)."
UNKNOWN = "Keywords cannot tell how many documents are relevant. Answer 20 of them to know."
CUTS = 400
"""Places between the highest score and the lowest to which the line can be dragged."""


def cuts(ranked: Ranked, told: Told | None = None) -> Cuts:
    """Everything about the cut; `told` is what answers to a random sample said of an earlier ranking."""
    result = ranked.result
    decisions, scores = result.decisions, result.learned.scored
    measured = decisions.posterior.measured
    audit = None if measured else ranked.audit
    line = np.linspace(scores.max(), np.nextafter(scores.min(), -np.inf), CUTS)
    prior = decisions.prior
    if measured:
        basis: Basis = "modelled"
        source = MODELLED.format(decisions.posterior.basis)
    elif audit is not None:
        basis, source = "measured", MEASURED.format(counted(audit.answered, "answer"))
    else:
        basis, source = "none", ""
    known = UNKNOWN if prior.basis == "estimate" else ""
    return Cuts(
        histogram=_histogram(ranked),
        cuts=[_cut(one, measured) for one in decisions.posterior.expected_at(scores, line)],
        current=_cut(decisions.expected, measured) if audit is None else _proved(decisions.expected, audit),
        rule=_in_words(decisions.rule.plain),
        prior=Estimate(value=prior.value, low=prior.low, high=prior.high),
        origin=PRIORS.get(prior.basis, prior.basis),
        provisional=prior.provisional and decisions.rule.depends_on_prior,
        ask=prior.basis == "estimate" or not (measured or audit is not None),
        asked=ranked.asked if prior.basis == "estimate" else None,
        basis=basis,
        source=source,
        advice=known if basis != "none" else UNMEASURED if told is None else _told(told, ranked),
    )


def told_by(ranked: Ranked, made: Cuts) -> Told | None:
    """What answers to a random sample say of the cut, to be remembered; None where they say nothing of it."""
    audit, current = ranked.audit, made.current
    if audit is None or current.precision is None or current.recall is None:
        return None
    return Told(audit.answered, current.count, _three(current.precision), _three(current.recall))


def _three(estimate: Estimate) -> tuple[float, float, float]:
    return estimate.value, estimate.low, estimate.high


def _told(told: Told, ranked: Ranked) -> str:
    answers, documents = counted(told.answers, "answer"), counted(told.count, "document")
    why = "has changed" if ranked.reviewer.drawn else "has learned from these answers"
    return TOLD.format(answers, documents, _percent(told.precision), _percent(told.recall), why)


def _percent(estimate: tuple[float, float, float]) -> str:
    """A share with its interval.

    >>> _percent((0.8, 0.52, 0.953))
    '80 % (52 to 95)'
    """
    value, low, high = (f"{100 * one:.0f}" for one in estimate)
    return f"{value} % ({low} to {high})"


def threshold_of(asked: CutAt) -> Threshold:
    """The rule that was asked for."""
    if asked.by in ("prior", "max_f1"):
        return asked.by
    if asked.value is None:
        raise SettingError(f"To cut by {asked.by} takes a value; give one.")
    if asked.by == "score":
        return asked.value
    if asked.by == "top":
        if asked.value != int(asked.value):
            raise SettingError(f"top must be a whole number above 0; got {asked.value:g}.")
        return ("top", int(asked.value))
    return (asked.by, asked.value)


def _cut(expected: Expected, measured: bool) -> Cut:
    told = measured and expected.count > 0
    return Cut(
        threshold=expected.threshold,
        count=expected.count,
        precision=_estimate(expected.precision) if told else None,
        recall=_estimate(expected.recall) if told else None,
    )


def _proved(expected: Expected, audit: Audit) -> Cut:
    """A cut with what the answers to a random sample say of it, whatever the model expects."""
    found = figures_at(audit, expected.count)
    return Cut(
        threshold=expected.threshold,
        count=expected.count,
        precision=_sampled(found.precision),
        recall=_sampled(found.recall),
    )


def _sampled(estimate: Sampled | None) -> Estimate | None:
    if estimate is None or estimate.value is None:
        return None
    return Estimate(value=estimate.value, low=estimate.low, high=estimate.high)


def _estimate(interval: tuple[float, float, float]) -> Estimate:
    value, low, high = interval
    return Estimate(value=value, low=low, high=high)


def _histogram(ranked: Ranked) -> Histogram:
    ranking, floor = ranked.result.ranking, ranked.result.learned.scorer.floor
    scores, held = ranking.scores, ranking.scores > floor
    low, high = float(scores[held].min()), float(scores[held].max())
    edges = np.linspace(low, high if high > low else low + 1.0, BINS + 1)
    matched = np.diff(ranking.matches.indptr) > 0
    said = ranked.answers()

    def bars(some: NDArray[np.bool_]) -> list[int]:
        return [int(count) for count in np.histogram(scores[some & held], edges)[0]]

    def answered(answer: str) -> NDArray[np.bool_]:
        there = np.zeros(len(scores), dtype=bool)
        there[[place for place, one in said.items() if one == answer]] = True
        return there

    return Histogram(
        edges=edges.tolist(),
        matched=bars(matched),
        others=bars(~matched),
        relevant=bars(answered("y")),
        irrelevant=bars(answered("n")),
    )


def _in_words(plain: object) -> str:
    """A rule as people say it.

    >>> _in_words("prior"), _in_words(["top", 100]), _in_words(["recall", 0.95]), _in_words(1.5)
    ('at the prior', 'the top 100', 'recall 0.95', 'at the score 1.5')
    """
    if isinstance(plain, str):
        return {"prior": "at the prior", "max_f1": "at the highest F1"}.get(plain, plain)
    if isinstance(plain, list | tuple):
        return f"the top {plain[1]}" if plain[0] == "top" else f"{plain[0]} {plain[1]}"
    return f"at the score {plain:.4g}"
