"""A trial of the paper as the theory sees it: vectors of both corrupted sets, and the true labels beside them."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchmarks.paper.datasets import SETS
from benchmarks.paper.features import counts_of, words_of
from benchmarks.paper.trial import glove, make_trial
from keysift.vectors.documents import average_word, centred_word_vectors, word_shares

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
    train_words, test_words = words_of(train), words_of(test)
    vocabulary = pl.concat([train_words, test_words]).explode(empty_as_null=False).unique(maintain_order=True)
    rows = glove().rows(vocabulary)
    known = np.flatnonzero(rows >= 0)
    matrix = glove().matrix[rows[known]]
    counts = [counts_of(words, vocabulary.gather(known)) for words in (train_words, test_words)]
    centred = centred_word_vectors(matrix, average_word(counts[0], matrix))
    train_X, test_X = (np.asarray(word_shares(count) @ centred) for count in counts)
    return train_X, test_X
