"""The paper's baselines: each takes a trial and gives scores and decisions on its test documents."""

import time
from collections.abc import Callable, Collection
from typing import Any

import numpy as np
import polars as pl
import scipy.sparse as sp
from numpy.typing import NDArray

from benchmarks.paper.features import Split, counts_of, mean_vectors, presence_matrices, tokens_of, words_of
from benchmarks.paper.maxent import STEPS, fit_maxent
from benchmarks.paper.naive_bayes import fit_naive_bayes, fit_positive_naive_bayes
from benchmarks.paper.stop_words import NLTK_STOP_WORDS
from benchmarks.paper.trial import Outcome, Trial, expanded, glove
from keysift import PairwiseLinearClassifier
from keysift.keywords.expansion import keyword_document
from keysift.vectors.words import WordVectors

__all__ = [
    "default_keysift",
    "glove_ranking",
    "maxent",
    "naive_bayes",
    "nearest_neighbours",
    "oracle_maxent",
    "positive_naive_bayes",
    "random_forest",
    "voting",
]

HALF = 0.5
"""The default threshold of everything that gives a probability or a cosine."""
NEIGHBOURS = 10
TREES, DEPTH, FEATURES_AT_A_SPLIT = 10, 5, 1

Fit = Callable[[sp.csr_array], Callable[[sp.csr_array], NDArray[np.float64]]]
"""From the presence matrix of the training documents to the function that scores others."""
Embed = Callable[[list[str], WordVectors], NDArray[np.float64]]
"""From documents to vectors."""
Score = Callable[[list[str]], NDArray[np.float64]]
"""From documents to scores."""


def naive_bayes(trial: Trial, split: Split = tokens_of) -> Outcome:
    """Naive Bayes on the pseudo-labels."""
    return _on_tokens(trial, lambda presence: fit_naive_bayes(presence, trial.pseudo).score, split)


def positive_naive_bayes(trial: Trial, split: Split = tokens_of) -> Outcome:
    """Naive Bayes from positive and unlabelled documents: the pseudo-positives and the rest."""

    def fit(presence: sp.csr_array) -> Callable[[sp.csr_array], NDArray[np.float64]]:
        return fit_positive_naive_bayes(presence[trial.pseudo], presence[~trial.pseudo]).score

    return _on_tokens(trial, fit, split)


def maxent(trial: Trial, steps: int = STEPS, split: Split = tokens_of) -> Outcome:
    """Maximum entropy on the pseudo-labels."""
    return _on_tokens(trial, lambda presence: fit_maxent(presence, trial.pseudo, steps).score, split)


def oracle_maxent(trial: Trial, steps: int = STEPS, split: Split = tokens_of) -> Outcome:
    """Maximum entropy on the true labels."""
    return _on_tokens(trial, lambda presence: fit_maxent(presence, trial.train_labels == 1, steps).score, split)


def random_forest(trial: Trial, embed: Embed = mean_vectors) -> Outcome:
    """A small random forest on mean word vectors."""
    from sklearn.ensemble import RandomForestClassifier

    forest = RandomForestClassifier(TREES, max_depth=DEPTH, max_features=FEATURES_AT_A_SPLIT, random_state=trial.number)
    return _on_vectors(trial, forest, embed)


def nearest_neighbours(trial: Trial, embed: Embed = mean_vectors) -> Outcome:
    """The share of pseudo-positives among the ten nearest mean word vectors."""
    from sklearn.neighbors import KNeighborsClassifier

    return _on_vectors(trial, KNeighborsClassifier(NEIGHBOURS), embed)


def glove_ranking(trial: Trial, stop_words: Collection[str] = NLTK_STOP_WORDS, split: Split = words_of) -> Outcome:
    """Cosine of a document's mean word vector with that of the expanded keyword document; nothing is learned."""
    start = time.perf_counter()
    words, times = _keyword_document(trial)
    rows = glove().rows(words)
    known = (rows >= 0) & ~words.is_in(list(stop_words)).to_numpy()
    mean = np.average(glove().matrix[rows[known]].astype(np.float64), axis=0, weights=times[known])
    seconds = time.perf_counter() - start

    def score(texts: list[str]) -> NDArray[np.float64]:
        documents = mean_vectors(texts, glove(), split, stop_words)
        return np.asarray(_unit(documents) @ _unit(mean[None]).ravel())

    return _judged(trial, score, seconds)


def voting(trial: Trial, *, expand: bool = True, lower: bool = False) -> Outcome:
    """How often a document holds the words of the keyword document, each as often as it stands there.

    Tokens count as they are written, and expansions count: of the readings that were tried, only this one has the
    paper's figures on all five sets, at its default threshold as well.
    """
    words, times = _keyword_document(trial)
    if not expand:
        words, times = words[: len(trial.data.keywords)], times[: len(trial.data.keywords)]
    return _judged(trial, lambda texts: counts_of(tokens_of(texts, lower), words) @ times, 0.0, threshold=1.0)


def default_keysift(trial: Trial) -> Outcome:
    """Our linear model on the mean word vector and the two sets of Algorithm 1; docs/quality.md has the default."""
    start = time.perf_counter()
    train = mean_vectors(trial.train_texts, glove())
    model = PairwiseLinearClassifier().fit(train, trial.pseudo.astype(np.int64))
    seconds = time.perf_counter() - start
    scores = model.decision_function(mean_vectors(trial.test_texts, glove()))
    train_scores = model.decision_function(train)
    cut = np.quantile(train_scores, 1 - trial.pseudo.mean())
    return Outcome(scores=scores, decisions=scores > cut, fit_seconds=seconds, train_scores=train_scores)


def _keyword_document(trial: Trial) -> tuple[pl.Series, NDArray[np.float64]]:
    """The words of the expanded keyword document, the keywords first, and how often each stands there."""
    document = keyword_document(expanded(trial.data), trial.data.alpha)
    words = pl.Series("word", [" ".join(term) for term in document], dtype=pl.String)
    return words, np.array(list(document.values()))


def _unit(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths == 0, 1.0, lengths))


def _on_tokens(trial: Trial, fit: Fit, split: Split = tokens_of) -> Outcome:
    start = time.perf_counter()
    train, test = presence_matrices(trial.train_texts, trial.test_texts, split)
    score = fit(train)
    seconds = time.perf_counter() - start
    scores = score(test)
    return Outcome(scores, scores >= HALF, seconds, train_scores=score(train))


def _on_vectors(trial: Trial, model: Any, embed: Embed) -> Outcome:
    start = time.perf_counter()
    model.fit(embed(trial.train_texts, glove()), trial.pseudo)
    seconds = time.perf_counter() - start
    return _judged(trial, lambda texts: model.predict_proba(embed(texts, glove()))[:, 1], seconds)


def _judged(trial: Trial, score: Score, seconds: float, threshold: float = HALF) -> Outcome:
    scores = np.asarray(score(trial.test_texts), dtype=np.float64)
    train_scores = np.asarray(score(trial.train_texts), dtype=np.float64)
    return Outcome(scores, scores >= threshold, seconds, train_scores=train_scores)
