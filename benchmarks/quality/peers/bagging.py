"""Learning from positive and unlabelled documents, by pulearn."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from benchmarks.quality.peers.features import has_keyword, tfidf
from benchmarks.quality.peers.packages import package

__all__ = ["pulearn"]

ESTIMATORS = 15
"""As in pulearn's example."""


def pulearn(train: Sequence[str], test: Sequence[str], keywords: Sequence[str]) -> NDArray[np.float64]:
    """Bagged logistic regressions on TF-IDF: documents with a keyword against as many of the others at a time.

    Trees, the default, are no better than counting: a keyword or none is all that they need to ask for.
    """
    from sklearn.linear_model import LogisticRegression

    BaggingPuClassifier = package("pulearn").BaggingPuClassifier
    found = has_keyword(train, keywords)
    known, new = tfidf(tuple(train), tuple(test))
    if found.all() or not found.any():
        return np.zeros(len(test))
    model = BaggingPuClassifier(
        LogisticRegression(max_iter=1000),
        n_estimators=ESTIMATORS,
        max_samples=int(min(found.sum(), (~found).sum())),
        oob_score=False,
        random_state=0,
    )
    model.fit(known, found.astype(np.int64))
    return np.asarray(model.predict_proba(new)[:, 1])
