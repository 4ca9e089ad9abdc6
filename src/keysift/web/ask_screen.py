"""Twenty documents asked about: after them prior, cut, precision and recall are known, with their intervals."""

from keysift.audit.sampling import FEWEST
from keysift.decide.prior import PriorEstimate
from keysift.text.visible import visible
from keysift.web.bodies import AskAnswer
from keysift.web.ranked import Ranked
from keysift.web.ranking_schemas import Asking, Shown
from keysift.web.ranking_screen import cells_of
from keysift.web.refusals import NotReadyError


def asking(ranked: Ranked) -> Asking:
    """The documents to ask about, and what was said of them so far."""
    places = ranked.drawn()[1]
    return Asking(
        documents=[_shown(ranked, place) for place in places.tolist()],
        answers=[ranked.answer(place) for place in places.tolist()],
        fewest=min(FEWEST, len(places)),
    )


def answer(ranked: Ranked, given: AskAnswer) -> Asking:
    """Answer one of them; saved at once."""
    if given.document not in ranked.drawn()[1]:
        raise NotReadyError("The ranking has changed, and this document is not asked about any more; ask again.")
    ranked.reviewer.say_drawn(given.document, given.answer)
    return asking(ranked)


def apply(ranked: Ranked) -> PriorEstimate:
    """Take prior, chances and cut from the answers; the prior, which holds for other keywords, too."""
    audit = ranked.asked_so_far()
    prior = ranked.reviewer.apply_audit(audit).decisions.prior
    ranked.keep_audit(audit)
    return prior


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
