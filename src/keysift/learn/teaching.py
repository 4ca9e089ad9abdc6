"""Words taught by sentences: a score for the documents that there was no time to encode.

Where only some documents were encoded, a ridge regression from their words to what the sentence vectors say of them
gives the others a score, so that the encoder's gain reaches documents that it has never read.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.linalg import lsqr

from keysift.config import DEFAULT, LearnConfig
from keysift.features.view import FittedView
from keysift.features.views import SENTENCES, WORDS
from keysift.learn.view_fit import Fits, ViewFit, seen_by


@dataclass(frozen=True, eq=False)
class Taught:
    """A linear score of words that stands in for sentence vectors: X @ coef + offset."""

    coef: NDArray[np.float64]
    offset: float


def teach(
    words: FittedView, scores: NDArray[np.float64], known: NDArray[np.bool_], config: LearnConfig = DEFAULT
) -> Taught:
    """Learn from the documents that are `known` what their words say of the scores."""
    offset = float(scores[known].mean())
    coef = lsqr(words.X[known], scores[known] - offset, damp=config.taught_damping, iter_lim=config.taught_steps)[0]
    return Taught(np.asarray(coef), offset)


def taught(views: Mapping[str, FittedView], fits: Fits, config: LearnConfig = DEFAULT) -> dict[str, ViewFit]:
    """The same fits, where documents without a sentence vector have the score that their words taught."""
    if SENTENCES not in fits or WORDS not in views or seen_by(views[SENTENCES]).all():
        return dict(fits)
    known, fit, X = seen_by(views[SENTENCES]), fits[SENTENCES], views[WORDS].X
    if not known.any():
        return dict(fits)
    learned = teach(views[WORDS], fit.scores, known, config)
    scores = np.where(known, fit.scores, X @ learned.coef + learned.offset)
    return {**fits, SENTENCES: replace(fit, scores=scores)}
