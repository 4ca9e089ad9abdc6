"""The rankings that keysift has to be worth more than: keyword counts, and differences of means; nothing is learned.

A mean difference is the weighted mean of the keyword documents minus the mean of all documents; a document's score is
its projection on it. The yardstick sums three of them, standardised: in TF-IDF of words, in TF-IDF of character
n-grams and in sentence vectors.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchmarks.suite.tasks import SuiteTask

__all__ = ["counting", "distinct_keywords", "has_encoder", "mean_difference", "with_keyword", "yardstick"]

READ = 1500
"""The yardstick reads so many characters of a document."""
COMMON = 0.2
"""Where a larger share of the documents holds a keyword, one alone says little, and the weights are squared."""
ENCODER = "minilm"


def counting(task: SuiteTask) -> NDArray[np.float64]:
    """How often the keywords occur, as whole words; as substrings where there are no spaces."""
    pattern = _pattern(task.keywords, task.spaced, end=r"\b")
    return np.array([len(pattern.findall(text)) for text in task.texts], dtype=np.float64)


def with_keyword(task: SuiteTask) -> NDArray[np.float64]:
    """Mean TF-IDF of the documents with a keyword minus that of the rest, times the document's."""
    found = counting(task) > 0
    if found.all() or not found.any():
        return np.zeros(len(found))
    X = _plain(task.texts, task.spaced)
    direction = np.asarray(X[found].mean(axis=0) - X[~found].mean(axis=0)).ravel()
    return np.asarray(X @ direction)


def yardstick(task: SuiteTask, *, sentences: bool) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The sum of the mean differences, and the weights; the encoder has a say only on English."""
    texts = _beginnings(task.texts)
    weights = distinct_keywords(texts, task.keywords, task.spaced)
    if (weights > 0).mean() > COMMON:
        weights = weights**2
    if not weights.any():
        return np.zeros(len(texts)), weights
    total = mean_difference(_characters(texts, task.spaced), weights)
    if task.spaced:
        total = total + mean_difference(_words(texts), weights)
    if sentences and task.language == "en":
        total = standardised(total) + mean_difference(_sentences(task.texts), weights)
    return total, weights


def mean_difference(X: Any, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Standardised projections on the weighted mean minus the mean of all.

    >>> X = np.array([[1.0, 0.0], [0.0, 1.0]])
    >>> mean_difference(X, np.array([1.0, 0.0])).round(3).tolist()
    [1.0, -1.0]
    """
    direction = np.asarray(X.T @ weights).ravel() / weights.sum() - np.asarray(X.mean(axis=0)).ravel()
    return standardised(np.asarray(X @ direction).ravel())


def standardised(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mean 0 and standard deviation 1."""
    return np.asarray((scores - scores.mean()) / (scores.std() + 1e-9))


def distinct_keywords(texts: Sequence[str], keywords: Sequence[str], spaced: bool) -> NDArray[np.float64]:
    """How many different keywords each text holds; a word that begins with one counts, so that inflections do.

    >>> distinct_keywords(["Lost cards, lost", "a lost bag"], ["lost", "card", "bag"], spaced=True).tolist()
    [2.0, 2.0]
    """
    pattern = _pattern(keywords, spaced)
    return np.array([len({found.lower() for found in pattern.findall(text)}) for text in texts], dtype=np.float64)


def has_encoder() -> bool:
    """Whether a sentence encoder comes with keysift."""
    return find_spec(f"keysift.encoding.{ENCODER}") is not None


def _pattern(keywords: Sequence[str], spaced: bool, end: str = "") -> re.Pattern[str]:
    words = "|".join(map(re.escape, keywords))
    return re.compile(rf"\b(?:{words}){end}" if spaced else f"(?:{words})", re.IGNORECASE)


# One corpus at a time: its tasks follow each other.


@lru_cache(maxsize=1)
def _beginnings(texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(text[:READ] for text in texts)


@lru_cache(maxsize=1)
def _plain(texts: tuple[str, ...], spaced: bool) -> Any:
    from sklearn.feature_extraction.text import TfidfVectorizer

    read = {} if spaced else {"analyzer": "char", "ngram_range": (1, 2)}
    return TfidfVectorizer(sublinear_tf=True, min_df=2, **read).fit_transform(texts)


@lru_cache(maxsize=1)
def _words(texts: tuple[str, ...]) -> Any:
    from sklearn.feature_extraction.text import TfidfVectorizer

    return TfidfVectorizer(sublinear_tf=True, min_df=2, token_pattern=r"(?u)\b\w+\b").fit_transform(texts)


@lru_cache(maxsize=1)
def _characters(texts: tuple[str, ...], spaced: bool) -> Any:
    from sklearn.feature_extraction.text import TfidfVectorizer

    read = {"analyzer": "char_wb", "ngram_range": (3, 4)} if spaced else {"analyzer": "char", "ngram_range": (1, 2)}
    return TfidfVectorizer(sublinear_tf=True, min_df=3, max_features=60_000, **read).fit_transform(texts)


@lru_cache(maxsize=1)
def _sentences(texts: tuple[str, ...]) -> NDArray[np.float64]:
    """Centred sentence vectors of length 1; keysift keeps them on disk."""
    from keysift.encoding.encode import encode_documents
    from keysift.encoding.encoder import get_encoder

    vectors = encode_documents(get_encoder(ENCODER), pl.Series(texts)).astype(np.float64)
    vectors -= vectors.mean(axis=0)
    return np.asarray(vectors / (np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-12))
