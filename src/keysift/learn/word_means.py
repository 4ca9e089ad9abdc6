"""A word is known by the documents that hold it: what they score on average.

    m(w) = sum of s(d) over the documents d that hold w / (their number + 2)
    t(d) = sum over words w in d of weight(w) m(w) / (the weights of d's words and of `means_added` average ones)

s is the score of all views together, less its mean. Where the documents do not fall into two sides, what lies below
the mean is just other topics and counts as the mean. weight(w) is the squared log of one in how many documents hold w.

Documents of one kind share rare words that nobody would think of: names, places, what a thread quotes. A fit to the
few documents with keywords says nothing of these, but what their documents score does. t is linear in the shares of
words, so it is a part of the model as any other, and the evidence shows what each word adds.
"""

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.config import LearnConfig
from keysift.features.rows import Shares, document_frequency, documents_held
from keysift.features.view import Part

LEAST = 2
"""A word in fewer documents has no mean but their own score."""
BESIDE = 2
"""So many documents of the mean score stand beside those that hold a word, so that none is known by its own score."""


def word_means(
    counts: sp.csr_array,
    scores: NDArray[np.float64],
    config: LearnConfig,
    *,
    two_sides: bool,
    counted: NDArray[np.float64] | None = None,
) -> tuple[Part, NDArray[np.float64]]:
    """A score for each word by the documents that hold it, and what it adds to each document: 0 on average.

    `counted` says how many documents each stands for.

    >>> counts = sp.csr_array(np.array([[1.0, 1, 0], [0, 1, 0], [0, 0, 1], [0, 0, 1]]))
    >>> part, added = word_means(counts, np.array([3.0, 1, -2, -2]), LearnConfig(), two_sides=True)
    >>> (part.scores / part.scores.max()).round(2).tolist(), (added / added.max()).round(2).tolist()
    ([0.0, 1.0, -1.0], [1.0, 1.0, -1.0, -1.0])
    """
    held, total = documents_held(counts, counted)
    known = document_frequency(counts) >= LEAST
    weights = np.where(known, np.log((total + 1) / (held + 0.5)) ** 2, 0.0)
    average = float(held @ weights) / max(float(held @ known), 1e-12)
    around = scores - np.average(scores, weights=counted)
    told = around if two_sides else np.maximum(around, 0.0)
    told = told - np.average(told, weights=counted)
    each = np.repeat(told if counted is None else told * counted, np.diff(counts.indptr))
    means = np.where(known, np.bincount(counts.indices, each, counts.shape[1]) / (held + BESIDE), 0.0)
    undamped = (counts @ (weights * means)) / np.maximum(counts @ weights, 1e-12)
    score, mean = (float(np.sqrt(np.average(one**2, weights=counted))) for one in (around, undamped))
    rows = Shares(weights / max(config.means_added * average, 1e-12))
    part = Part(rows, config.means_weight * score / mean * means if mean > 1e-12 else np.zeros_like(means), 0.0)
    added = rows(counts) @ part.scores
    offset = -float(np.average(added, weights=counted))
    return Part(rows, part.scores, offset), added + offset
