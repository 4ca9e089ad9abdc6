"""Answers learned on top of what the keywords taught: a moment, where a whole fit takes long."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from keysift.decide.two_groups import two_groups
from keysift.errors import SettingError
from keysift.features.prepared import Prepared
from keysift.keywords.match import Matches
from keysift.pipeline import Learned, spread, training_scores
from keysift.threads import in_one_thread


@in_one_thread
def learn_answers(prepared: Prepared, matches: Matches, learned: Learned, answers: NDArray[np.int8] | None) -> Learned:
    """The same keywords with other answers: what was learned from the keywords stays, the answers correct it.

    No choice that was made without labels is made again, so it takes a moment. Prior and intervals stay what they are
    without answers, however many there are: nobody says that the documents were drawn at random. A random sample is
    told by `prior`, from an audit.

    >>> from keysift.pipeline import learn, match, prepare
    >>> prepared = prepare(["a hockey game", "a tax law", "the hockey team", "a tax game"])
    >>> matches = match(prepared, "hockey")
    >>> learned = learn(prepared, matches)
    >>> again = learn_answers(prepared, matches, learned, np.array([-1, 0, -1, 1], dtype=np.int8))
    >>> bool(again.scores[3] - again.scores[1] > learned.scores[3] - learned.scores[1])
    True
    """
    fitted = learned.fitted
    if fitted is None:
        raise SettingError("Answers correct a linear model; a network is fitted to them anew: give them to learn.")
    some, found, places = prepared.filled, matches.filled, np.flatnonzero(~prepared.empty)
    said = None if answers is None else answers[places]
    scorer = fitted.scorer(some, said)
    whole = len(some) == len(prepared)
    documents = learned.readable
    if not whole:
        documents = documents.take(places)
    scores = training_scores(scorer, documents, found)
    moved = None if said is None else fitted.to_read(scores, said)
    if not whole:
        documents, scores = documents.spread(places, len(prepared)), spread(scores, places, len(prepared), scorer)
    reading = None
    if moved is not None:
        held = scores[places] > scorer.floor
        reading = np.full(len(scores), min(scorer.floor, float(moved.min()) - 1))
        reading[places[held]] = moved[held]
    groups = learned.groups or two_groups(learned.scored)
    now = replace(learned, scorer=scorer, scores=scores, readable=documents)
    return replace(now, reading=reading, answers=answers, groups=groups)
