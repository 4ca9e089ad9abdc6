"""NLTK's naive Bayes and positive naive Bayes on a sparse presence matrix.

A feature of NLTK is a word with the value True where the document holds it; a document that does not hold it has the
value None. Only words that a document holds take part when it is scored. Probabilities are smoothed by one half (ELE)
and logarithms have base 2, as in NLTK. The probability that comes out is exactly 1 where the odds are above 2^53, so
long documents are tied at the top: that is part of what is reproduced.
"""

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

__all__ = ["NaiveBayes", "fit_naive_bayes", "fit_positive_naive_bayes", "probability"]

ELE = 0.5
"""What the expected likelihood estimate adds to every count."""


@dataclass(frozen=True, eq=False)
class NaiveBayes:
    """log2 P(label) and log2 P(word is there | label), for the labels False and True."""

    log_label: tuple[float, float]
    log_word: tuple[NDArray[np.float64], NDArray[np.float64]]

    def score(self, presence: sp.csr_array) -> NDArray[np.float64]:
        """P(True | the words of each document)."""
        false, true = (
            label + _add_up(presence, word) for label, word in zip(self.log_label, self.log_word, strict=True)
        )
        return probability(true, false)


def fit_naive_bayes(presence: sp.csr_array, labels: NDArray[np.bool_]) -> NaiveBayes:
    """As NaiveBayesClassifier.train on {word: True} features."""
    total = presence.shape[0]
    sizes = (int((~labels).sum()), int(labels.sum()))
    held = (_documents(presence[~labels]), _documents(presence[labels]))
    # None is a value only of a word that some document does not hold.
    bins = np.where(held[0] + held[1] < total, 2, 1)
    log_words = [np.log2((count + ELE) / (size + ELE * bins)) for count, size in zip(held, sizes, strict=True)]
    log_labels = [float(np.log2((size + ELE) / (total + 2 * ELE))) for size in sizes]
    return NaiveBayes((log_labels[0], log_labels[1]), (log_words[0], log_words[1]))


def fit_positive_naive_bayes(positive: sp.csr_array, unlabelled: sp.csr_array, prior: float = 0.5) -> NaiveBayes:
    """As PositiveNaiveBayesClassifier.train: P(w | False) = (P(w) - prior P(w | True)) / (1 - prior), cut at 0."""
    there = _smoothed(positive)
    anywhere = _smoothed(unlabelled)
    held = np.maximum((anywhere - prior * there) / (1 - prior), 0.0)
    missing = np.maximum(((1 - anywhere) - prior * (1 - there)) / (1 - prior), 0.0)
    both = held + missing
    share = np.divide(held, both, out=np.full_like(held, 0.5), where=both > 0)
    with np.errstate(divide="ignore"):
        return NaiveBayes(
            (float(np.log2(1 - prior)), float(np.log2(prior))),
            (np.log2(share), np.log2(there)),
        )


def probability(true: NDArray[np.float64], false: NDArray[np.float64]) -> NDArray[np.float64]:
    """2^true / (2^true + 2^false) as NLTK normalises it; one half where both are impossible.

    >>> probability(np.array([0.0, -np.inf, -1e5]), np.array([-1.0, -np.inf, 0.0])).round(3).tolist()
    [0.667, 0.5, 0.0]
    """
    impossible = np.isneginf(true) & np.isneginf(false)
    true, false = np.where(impossible, 0.0, true), np.where(impossible, 0.0, false)
    return np.asarray(np.exp2(true - np.logaddexp2(true, false)))


def _documents(presence: sp.csr_array) -> NDArray[np.float64]:
    return np.asarray(presence.sum(axis=0, dtype=np.float64)).ravel()


def _smoothed(presence: sp.csr_array) -> NDArray[np.float64]:
    return np.asarray((_documents(presence) + ELE) / (presence.shape[0] + 2 * ELE))


def _add_up(presence: sp.csr_array, log_word: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sum over the words of each document; minus infinity as soon as one word is impossible."""
    impossible = np.isneginf(log_word)
    total = np.asarray(presence @ np.where(impossible, 0.0, log_word))
    return np.where(presence @ impossible.astype(np.float64) > 0, -np.inf, total)
