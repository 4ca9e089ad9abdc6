"""A topic that is anchored at the keywords, by CorEx."""

from collections.abc import Sequence

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from benchmarks.quality.peers.features import keyword_counts
from benchmarks.quality.peers.packages import package
from benchmarks.quality.shared import shared

__all__ = ["corex"]

TOPICS = 10
"""The anchored one and nine that are free."""
STRENGTH = 3.0
WORDS = 20_000
"""Without English stop words and numbers, and only their presence, as in CorEx's example."""


def corex(train: Sequence[str], test: Sequence[str], keywords: Sequence[str]) -> NDArray[np.float64]:
    """The log-probability of the topic of the keywords, given which words a document holds."""
    Corex = package("corextopic.corextopic").Corex
    anchors, new_anchors = (np.minimum(keyword_counts(texts, keywords), 1) for texts in (train, test))
    useful = (anchors.sum(axis=0) > 0) & (anchors.sum(axis=0) < len(train))
    if not useful.any():
        return np.zeros(len(test))
    words, new_words, vocabulary = _presence(tuple(train), tuple(test))
    # A keyword is one column, phrases and stop words too, and no second one that another topic could take.
    others = ~np.isin(vocabulary, [keyword.lower() for keyword in keywords])
    known = sp.csr_matrix(sp.hstack([sp.csr_matrix(anchors[:, useful]), words[:, others]]))
    new = sp.csr_matrix(sp.hstack([sp.csr_matrix(new_anchors[:, useful]), new_words[:, others]]))
    with np.errstate():  # CorEx changes it for the whole process
        model = Corex(n_hidden=TOPICS, seed=0)
        model.fit(known, anchors=[list(range(int(useful.sum())))], anchor_strength=STRENGTH)
        # `predict_proba` cuts off at one in a million, which ties the best documents.
        _, log_probability, _ = model.calculate_latent(new, model.theta)
    return np.asarray(log_probability[:, 0])


@shared
def _presence(train: tuple[str, ...], test: tuple[str, ...]) -> tuple[sp.csr_matrix, sp.csr_matrix, NDArray[np.str_]]:
    from sklearn.feature_extraction.text import CountVectorizer

    vectorizer = CountVectorizer(binary=True, stop_words="english", max_features=WORDS, min_df=2)
    known = vectorizer.fit_transform(train)
    vocabulary = vectorizer.get_feature_names_out().astype(np.str_)
    words = ~np.strings.isdigit(vocabulary)
    return known[:, words], vectorizer.transform(test)[:, words], vocabulary[words]
