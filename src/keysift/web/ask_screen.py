"""Twenty documents asked about: after them prior, cut, precision and recall are known, with their intervals."""

import numpy as np
import polars as pl
from numpy.typing import NDArray

from keysift.audit.asking import audit_of, sample_to_ask
from keysift.audit.sampling import FEWEST, Sample
from keysift.decide.prior import PriorEstimate
from keysift.present.wording import counted
from keysift.text.visible import visible
from keysift.web.asking import ASKED
from keysift.web.bodies import AskAnswer
from keysift.web.ranked import Ranked
from keysift.web.ranking_schemas import Asking, Shown
from keysift.web.ranking_screen import cells_of
from keysift.web.refusals import NotReadyError

CODES = {"y": 1, "n": 0, "unsure": -1}


def asking(ranked: Ranked) -> Asking:
    """The documents to ask about, and what was said of them so far."""
    places = _drawn(ranked)[1]
    return Asking(
        documents=[_shown(ranked, place) for place in places.tolist()],
        answers=[ranked.answer(place) for place in places.tolist()],
        fewest=min(FEWEST, len(places)),
    )


def answer(ranked: Ranked, given: AskAnswer) -> Asking:
    """Answer one of them; saved at once."""
    if given.document not in _drawn(ranked)[1]:
        raise NotReadyError("The ranking has changed, and this document is not asked about any more; ask again.")
    ranked.reviewer.say_drawn(given.document, given.answer)
    return asking(ranked)


def apply(ranked: Ranked) -> PriorEstimate:
    """Take prior, chances and cut from the answers; the prior, which holds for other keywords, too."""
    sample, places = _drawn(ranked)
    said = [ranked.answer(place) for place in places.tolist()]
    answered = sum(one in ("y", "n") for one in said)
    if answered < min(FEWEST, len(said)):
        raise NotReadyError(f"{counted(answered, 'answer')} of yes or no tell too little; give at least {FEWEST}.")
    # Those without an answer come last; the others are still a random sample of each stratum.
    known = [place for place, one in enumerate(said) if one is not None]
    rest = [place for place, one in enumerate(said) if one is None]
    rows = sample.rows[known + rest]
    ordered = Sample(sample.ranking, sample.n, sample.seed, sample.k, rows, sample.plan)
    audit = audit_of(ordered, [CODES[str(said[place])] for place in known])
    prior = ranked.reviewer.apply_audit(audit).decisions.prior
    ranked.keep_audit(audit)
    return prior


def _drawn(ranked: Ranked) -> tuple[Sample, NDArray[np.int64]]:
    """The sample of this ranking, and the places of its documents; the same until something is learned."""
    result = ranked.result
    learned = result.learned

    def draw() -> tuple[Sample, NDArray[np.int64]]:
        places = np.flatnonzero(learned.scores > learned.scorer.floor)
        if len(places) < FEWEST:
            raise NotReadyError(f"There are only {counted(len(places), 'document')}; answer all of them in the review.")
        scores = learned.scores[places]
        blank = pl.Series("text", [""]).new_from_index(0, len(scores))
        sample = sample_to_ask(
            scores, result.decisions.positive(scores), blank, min(ASKED, len(scores)), ranked.version
        )
        return sample, places[sample.ranking.ids.cast(pl.Int64).to_numpy()[sample.rows]]

    return ranked.memo.once("drawn", learned, draw)


def _shown(ranked: Ranked, place: int) -> Shown:
    opened = ranked.opened
    return Shown(
        document=place,
        id=visible(str(opened.corpus.ids[place])),
        chosen="sample",
        pieces=ranked.marker.everywhere(opened.corpus.texts[place]),
        cells=cells_of(ranked, place),
        note="",
    )
