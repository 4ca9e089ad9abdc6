"""A few documents asked about, drawn as an audit draws them: what the answers would tell, and what they tell."""

import numpy as np
import polars as pl

from keysift.audit.asking import audit_of, sample_to_ask
from keysift.audit.audited import audited_prior
from keysift.decide.curves import Family
from keysift.session import Result
from keysift.web.schemas import Estimate

ASKED = 20
"""Answers that are imagined."""
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
