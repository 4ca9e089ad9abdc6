"""Labelling functions, the label model that weighs them, and the classifier that it teaches: Snorkel's way."""

from collections.abc import Sequence

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from benchmarks.quality.peers.features import has_keyword, keyword_counts, tfidf
from benchmarks.quality.peers.packages import package

__all__ = ["snorkel"]

ABSTAIN, NEGATIVE, POSITIVE = -1, 0, 1
EPOCHS = 500
"""As in Snorkel's tutorial."""


def snorkel(train: Sequence[str], test: Sequence[str], keywords: Sequence[str]) -> NDArray[np.float64]:
    """A logistic regression on TF-IDF, taught by the probabilities of the label model.

    One labelling function for each keyword votes positive where it is found. With these alone there is nothing to
    learn: nobody ever disagrees, the accuracies stay around the 70 % that Snorkel starts from, and after leaving out
    documents without a vote, as its tutorial does, a single class remains. So one more function votes negative where no
    keyword is found. The balance of the classes is the share of documents with a keyword: no label is needed for it.
    """
    from sklearn.linear_model import LogisticRegression

    LabelModel = package("snorkel.labeling.model").LabelModel
    found = keyword_counts(train, keywords) > 0
    known, new = tfidf(tuple(train), tuple(test))
    any_found = has_keyword(train, keywords)
    share = float(any_found.mean())
    if share in (0.0, 1.0):
        return np.zeros(len(test))
    positive = np.where(found, POSITIVE, ABSTAIN)
    negative = np.where(any_found, ABSTAIN, NEGATIVE)
    votes = np.column_stack([positive, negative])
    model = LabelModel(cardinality=2, verbose=False)
    model.fit(votes, class_balance=[1 - share, share], n_epochs=EPOCHS, seed=0, progress_bar=False)
    probability = model.predict_proba(votes)[:, POSITIVE]
    # Each document once as positive and once as negative, weighted by how probable that is.
    taught = LogisticRegression(max_iter=1000).fit(
        sp.vstack([known, known]),
        np.repeat([1, 0], len(train)),
        sample_weight=np.concatenate([probability, 1 - probability]),
    )
    return np.asarray(taught.decision_function(new))
