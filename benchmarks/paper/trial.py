"""One trial of the paper: a split of a data set with pseudo-labels, and what a system makes of it."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.paper.datasets import DataSet, Documents, split
from keysift import Settings
from keysift.errors import KeysiftWarning
from keysift.keywords.expansion import Keyword, expand, keyword_document
from keysift.keywords.match import match_terms
from keysift.keywords.parsing import parse_keywords
from keysift.learn.pseudo_labels import pseudo_label
from keysift.text.languages import stop_word_set
from keysift.text.tokens import as_documents, tokenize
from keysift.vectors.glove import load_glove
from keysift.vectors.words import WordVectors

__all__ = ["Outcome", "Trial", "algorithm_1", "algorithm_1_of_scikit_learn", "expanded", "glove", "make_trial"]


@dataclass(frozen=True, eq=False)
class Trial:
    """Texts and true labels of both parts of a split, and the pseudo-labels that take the place of the true ones."""

    data: DataSet
    number: int
    train_texts: list[str]
    test_texts: list[str]
    train_labels: NDArray[np.int64]
    test_labels: NDArray[np.int64]
    pseudo: NDArray[np.bool_]
    """Algorithm 1 on the training documents."""
    test_pseudo: NDArray[np.bool_]
    """Algorithm 1 on the test documents alone: no label is needed to see how well they are ranked by it."""

    @property
    def heuristic(self) -> float:
        """The heuristic prior: the share of pseudo-positives."""
        return float(self.pseudo.mean())


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a system makes of the test documents of a trial."""

    scores: NDArray[np.float64]
    """Of the test documents."""
    decisions: NDArray[np.bool_]
    """On the test documents, at the system's own threshold."""
    fit_seconds: float
    extra: dict[str, Any] = field(default_factory=dict)
    """What else goes into the line of the results."""
    train_scores: NDArray[np.float64] | None = None
    """The same scores of the training documents: the cut at a prior is made on them, or on `scores` where they are not
    given."""


def make_trial(data: DataSet, documents: Documents, number: int) -> Trial:
    """Split the documents the way of this trial and pseudo-label both parts."""
    train, test = split(documents.labels, number)
    train_texts = [documents.texts[row] for row in train]
    test_texts = [documents.texts[row] for row in test]
    return Trial(
        data=data,
        number=number,
        train_texts=train_texts,
        test_texts=test_texts,
        train_labels=documents.labels[train],
        test_labels=documents.labels[test],
        pseudo=algorithm_1(data, train_texts),
        test_pseudo=algorithm_1(data, test_texts),
    )


def algorithm_1(data: DataSet, texts: Sequence[str]) -> NDArray[np.bool_]:
    """Whether each document is pseudo-positive: the paper's alpha, gamma and phi, and no keywords that stop."""
    settings = Settings(alpha=data.alpha, gamma=data.gamma, phi=90, stop_words="english", stop_keywords="drop")
    tokens = tokenize(as_documents(texts))
    document = keyword_document(expanded(data), settings.alpha)
    found = match_terms(tokens, document, stop_words=stop_word_set(settings.stop_words))
    return pseudo_label(found, phi=settings.phi).positive


def algorithm_1_of_scikit_learn(data: DataSet, texts: Sequence[str]) -> NDArray[np.bool_]:
    """The same with scikit-learn's own tokens, as in the authors' code: words of two letters or more.

    A keyword document holds neighbours such as "n't", whose letters count in ours and nowhere in this one.
    """
    from sklearn.feature_extraction.text import TfidfVectorizer

    document = keyword_document(expanded(data), data.alpha)
    words = [" ".join(term) for term, times in document.items() for _ in range(round(times))]
    rows = TfidfVectorizer(stop_words="english").fit_transform([" ".join(words), *texts])
    similarity = (rows[1:] @ rows[0].T).toarray().ravel()
    lowest = np.percentile(similarity[similarity > 0], 10, method="lower")
    return np.asarray(similarity >= lowest * (1 - 1e-12))


@cache
def glove() -> WordVectors:
    """The word vectors, opened once in a process."""
    return load_glove()


def expanded(data: DataSet) -> tuple[Keyword, ...]:
    """The keywords of a data set with their gamma nearest words."""
    return _expanded(data.keywords, data.gamma)


@cache
def _expanded(keywords: tuple[str, ...], gamma: int) -> tuple[Keyword, ...]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", KeysiftWarning)
        return expand(parse_keywords(list(keywords)), glove(), gamma=gamma)
