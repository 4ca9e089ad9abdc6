"""Pseudo-label counts beside the paper's, and the time of one fit."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.line import Line
from benchmarks.mean_vectors import document_vectors
from benchmarks.paper.datasets import SETS, DataSet, Documents, split
from benchmarks.paper.trial import algorithm_1
from benchmarks.speed.timing import best_time
from keysift import PairwiseLinearClassifier
from keysift.text.counts import count_words
from keysift.text.tokens import as_documents, tokenize
from keysift.vectors.glove import load_glove

__all__ = ["paper_figures"]

TRIALS = 5
WANTED_COUNT = {"subj": 6, "custrev": 6, "mpqa": 6, "ayi": 6, "20ng": 15}


def paper_figures(folder: Path) -> Iterator[Line]:
    """Counts on all five sets, and the time of one fit."""
    for data in SETS.values():
        documents = data.read(folder)
        yield _pseudo_labels(data, documents)
        if data.name == "subj":
            yield _one_fit(data, documents)


def _pseudo_labels(data: DataSet, documents: Documents) -> Line:
    """Mean size of the corrupted positive set over the trials, the paper's way with stop words."""
    sizes = []
    for trial in range(TRIALS):
        train, _ = split(documents.labels, trial)
        sizes.append(algorithm_1(data, [documents.texts[row] for row in train]).sum())
    return Line(
        f"{data.title}: pseudo-positives",
        float(np.mean(sizes)),
        float(sum(data.paper_pseudo_positives)),
        "documents",
        "the paper's",
        f"within {WANTED_COUNT[data.name]} %",
    )


def _one_fit(data: DataSet, documents: Documents) -> Line:
    """All pairs on the features of one data set, standardisation and threshold included."""
    tokens = tokenize(as_documents(documents.texts))
    vectors = load_glove()
    rows = vectors.rows(tokens.words)
    X, _ = document_vectors(count_words(tokens)[:, np.flatnonzero(rows >= 0)], vectors.matrix[rows[rows >= 0]])
    positive = algorithm_1(data, documents.texts)
    seconds = best_time(lambda: PairwiseLinearClassifier().fit(X, positive), runs=3)
    return Line(f"{data.title}: one fit on its features", seconds, 1.0, "s", "a second", "1 or less")
