"""A few documents asked about, drawn as an audit draws them: what the answers would tell, and what they tell."""

from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from keysift.audit.answers import Audit
from keysift.audit.asking import audit_of, sample_to_ask
from keysift.audit.audited import audited_prior
from keysift.audit.sampling import FEWEST, Sample
from keysift.decide.curves import Family
from keysift.present.wording import counted
from keysift.session import Result
from keysift.web.refusals import NotReadyError
from keysift.web.schemas import Estimate

CODES = {"y": 1, "n": 0, "unsure": -1}
ASKED = 20
"""Documents that are asked about."""
TRIES = 5
"""Times that they are imagined."""


def after_asking(result: Result) -> Estimate | None:
    """The prior as 20 answers to a random sample would leave it, if the chances are right: the mean of some tries.

    None where the prior is known already, or there are not enough documents to ask about.
    """
    decisions, scores = result.decisions, result.learned.scored
    if decisions.prior.basis != "estimate" or len(scores) < 2 * ASKED:
        return None
    chances, rng = decisions.posterior.at(scores), np.random.default_rng(0)
    family, blank = Family.over(scores), pl.Series("text", [""]).new_from_index(0, len(scores))
    found = []
    for seed in range(TRIES):
        sample = sample_to_ask(scores, decisions.positive(scores), blank, ASKED, seed)
        places = sample.ranking.ids.cast(pl.Int64).to_numpy()[sample.rows]
        said = rng.random(len(places)) < chances[places]
        prior = audited_prior(audit_of(sample, said.astype(int).tolist()), family=family)[0]
        found.append((prior.value, prior.low, prior.high))
    value, low, high = np.mean(found, axis=0).tolist()
    return Estimate(value=value, low=low, high=high)


def draw_to_ask(result: Result, above: int | None, seed: int) -> tuple[Sample, NDArray[np.int64]]:
    """A sample of a ranking, and the places of its documents.

    `above` tells how many documents were above the cut when it was drawn before, so that it is drawn again.
    """
    learned = result.learned
    places = np.flatnonzero(learned.scores > learned.scorer.floor)
    if len(places) < FEWEST:
        raise NotReadyError(f"There are only {counted(len(places), 'document')}; answer all of them in the review.")
    scores = learned.scores[places]
    positive = result.decisions.positive(scores)
    if above is not None:
        positive = np.zeros(len(scores), dtype=bool)
        positive[np.argsort(-scores, kind="stable")[:above]] = True
    blank = pl.Series("text", [""]).new_from_index(0, len(scores))
    sample = sample_to_ask(scores, positive, blank, min(ASKED, len(scores)), seed)
    return sample, places[sample.ranking.ids.cast(pl.Int64).to_numpy()[sample.rows]]


def audit_by(sample: Sample, said: Sequence[str | None]) -> Audit:
    """What was said of the documents of a sample, None for nothing yet, as an audit."""
    answered = sum(one in ("y", "n") for one in said)
    if answered < min(FEWEST, len(said)):
        raise NotReadyError(f"{counted(answered, 'answer')} of yes or no tell too little; give at least {FEWEST}.")
    # Those without an answer come last; the others are still a random sample of each stratum.
    known = [place for place, one in enumerate(said) if one is not None]
    rest = [place for place, one in enumerate(said) if one is None]
    ordered = Sample(sample.ranking, sample.n, sample.seed, sample.k, sample.rows[known + rest], sample.plan)
    return audit_of(ordered, [CODES[str(said[place])] for place in known])
