"""Answers: what a person said of some documents corrects what the keywords taught.

    sets         an answer decides how much its document counts as positive, whatever keywords and views say
                 (`with_answers`)
    correction   then the score g of every view becomes g + w . x, where w minimises the pairwise risk between the
                 relevant answers and the irrelevant ones together with documents that were not read, plus l2/2 |w|^2

A ranking that agrees with the answers has a risk that hardly falls, and stays as it is. The fewer the answers, the
larger the penalty. Both steps minimise the pairwise risk of a symmetric loss, so both tolerate mistaken answers.

What was not read holds a smaller share of relevant documents than the relevant answers do, which is all that a
symmetric loss needs (Theorem 2). Who reads best first sees only irrelevant documents that resemble relevant ones; what
was not read keeps the correction from what tells those two apart and nothing else.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from keysift.features.view import FittedView
from keysift.learn.linear_fit import minimise_risk
from keysift.learn.view_fit import FitPlan, Fits, ViewFit


def with_answers(strength: NDArray[np.float64], answers: NDArray[np.int8], weight: float) -> NDArray[np.float64]:
    """A document that was judged relevant counts this much as positive, one that was judged irrelevant not at all.

    >>> with_answers(np.array([1.2, 0.8, 0.0]), np.array([0, -1, 1], dtype=np.int8), 1.0).tolist()
    [0.0, 0.8, 1.0]
    """
    return np.where(answers == 1, np.maximum(strength, weight), np.where(answers == 0, 0.0, strength))


def correct(
    views: Mapping[str, FittedView], fits: Fits, answers: NDArray[np.int8], plan: FitPlan
) -> dict[str, ViewFit]:
    """Correct every view by the answers: 1 relevant, 0 not, -1 unknown; nothing changes without both kinds."""
    relevant, irrelevant = int((answers == 1).sum()), int((answers == 0).sum())
    if not relevant or not irrelevant:
        return dict(fits)
    l2 = plan.config.correction_l2 * (1 / relevant + 1 / irrelevant) / 2
    positive, negative = (answers == 1).astype(np.float64), (answers == 0).astype(np.float64)
    unread = _some(np.flatnonzero(answers < 0), plan.config.unread_documents)
    if len(unread):
        negative[unread] = plan.config.unread_weight * irrelevant / len(unread)
    rows = np.flatnonzero(positive + negative > 0)
    corrected = {}
    for name, fit in fits.items():
        X = views[name].X
        coef, _ = minimise_risk(
            X[rows],
            positive[rows],
            negative[rows],
            plan.loss,
            l2=l2,
            offsets=fit.scores[rows],
            max_iter=plan.config.max_iter,
            tol=plan.config.tol,
        )
        moved = np.asarray(X @ coef)
        mean = float(moved.mean())
        corrected[name] = ViewFit(fit.coef + coef, fit.offset - mean, fit.scores + moved - mean)
    return corrected


def _some(places: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    """So many places at most, at even steps.

    >>> _some(np.arange(10), 4).tolist(), _some(np.arange(3), 4).tolist()
    ([0, 2, 5, 7], [0, 1, 2])
    """
    return places if len(places) <= most else places[np.arange(most) * len(places) // most]
