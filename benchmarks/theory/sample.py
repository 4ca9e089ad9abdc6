"""A trial of the paper as the theory sees it: vectors of both corrupted sets, and the true labels beside them."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.mean_vectors import average_word, centred_word_vectors
from benchmarks.paper.datasets import SETS
from benchmarks.paper.trial import glove, make_trial
from keysift.features.rows import word_shares
from keysift.text.counts import count_words
from keysift.text.tokens import as_documents, tokenize

__all__ = ["Sample", "take_sample"]


@dataclass(frozen=True, eq=False)
class Sample:
    """Standardised mean word vectors of the documents of one trial."""

    title: str
    X: NDArray[np.float64]
    """The training documents."""
    pseudo: NDArray[np.bool_]
    """Whether Algorithm 1 puts each of them into the corrupted positive set."""
    labels: NDArray[np.int64]
    """Their true labels, for the pictures only."""
    X_test: NDArray[np.float64]
    test_labels: NDArray[np.int64]

    @property
    def theta(self) -> float:
        """The share of positives in the corrupted positive set."""
        return float(self.labels[self.pseudo].mean())

    @property
    def theta_prime(self) -> float:
        """The share of positives in the corrupted negative set."""
        return float(self.labels[~self.pseudo].mean())


def take_sample(name: str, folder: Path, trial: int = 0) -> Sample:
    """Read a data set, split it the way of a trial and pseudo-label it by Algorithm 1."""
    data = SETS[name]
    taken = make_trial(data, data.read(folder), trial)
    X, test_X = _vectors(taken.train_texts, taken.test_texts)
    mean, deviation = X.mean(axis=0), X.std(axis=0)
    return Sample(
        data.title,
        (X - mean) / deviation,
        taken.pseudo,
        taken.train_labels,
        (test_X - mean) / deviation,
        taken.test_labels,
    )


def _vectors(train: Sequence[str], test: Sequence[str]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Keysift's document vectors, measured from the average word of the training documents."""
    tokens = tokenize(as_documents([*train, *test]))
    rows = glove().rows(tokens.words)
    known = np.flatnonzero(rows >= 0)
    counts, matrix = count_words(tokens)[:, known], glove().matrix[rows[known]]
    X = word_shares(counts) @ centred_word_vectors(matrix, average_word(counts[: len(train)], matrix))
    return np.asarray(X[: len(train)]), np.asarray(X[len(train) :])
