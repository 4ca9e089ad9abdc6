"""What a person said of some documents, in a ranking that keywords taught.

    sets         an answer decides in which set its document is, in every fit, whatever keywords and views believe
                 (`Split.with_answers`)
    correction   then the score g of every view becomes g + w . x, where w minimises the pairwise risk between the
                 relevant and the irrelevant answers, plus l2/2 |w|^2

A ranking that agrees with the answers has a risk that hardly falls, and stays as it is. The fewer the answers, the
larger the penalty. Both steps minimise the pairwise risk of a symmetric loss, so both stand mistaken answers.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from keysift.learning.across import Fits, Plan, ViewFit
from keysift.training import fit_linear
from keysift.views import Reading

__all__ = ["correct"]

DOUBT = 20.0
"""The penalty of a correction by one answer of each kind; it falls with their number."""


def correct(readings: Mapping[str, Reading], fits: Fits, answers: NDArray[np.int8], plan: Plan) -> dict[str, ViewFit]:
    """Correct every view by the answers: 1 relevant, 0 not, -1 unknown; nothing changes without both kinds."""
    rows, relevant = np.flatnonzero(answers >= 0), int((answers == 1).sum())
    irrelevant = len(rows) - relevant
    if not relevant or not irrelevant:
        return dict(fits)
    l2 = DOUBT * (1 / relevant + 1 / irrelevant) / 2
    corrected = {}
    for name, fit in fits.items():
        X = readings[name].X
        model, _ = fit_linear(
            X[rows],
            answers[rows] == 1,
            plan.loss,
            l2=l2,
            offsets=fit.scores[rows],
            max_iter=plan.max_iter,
            tol=plan.tol,
            standardize=False,
        )
        moved = np.asarray(X @ model.coef)
        mean = float(moved.mean())
        corrected[name] = ViewFit(fit.coef + model.coef, fit.offset - mean, fit.scores + moved - mean)
    return corrected
