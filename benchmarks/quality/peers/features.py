"""Documents as most peers see them: TF-IDF, and how often each keyword is there."""

from collections.abc import Sequence

import numpy as np
import polars as pl
import scipy.sparse as sp
from numpy.typing import NDArray

from benchmarks.quality.shared import shared
from keysift.text.counts import count_terms, split_terms
from keysift.text.tokens import Tokens, as_documents, tokenize

__all__ = ["has_keyword", "keyword_counts", "tfidf"]


def keyword_counts(texts: Sequence[str], keywords: Sequence[str]) -> NDArray[np.float64]:
    """How often each document holds each keyword; the words of a phrase stand side by side.

    >>> keyword_counts(["Space: the Middle East", "space space"], ["middle east", "space"]).tolist()
    [[1.0, 1.0], [0.0, 2.0]]
    """
    counts = count_terms(_tokens(tuple(texts)), split_terms(keywords))
    return counts.toarray().astype(np.float64)


def has_keyword(texts: Sequence[str], keywords: Sequence[str]) -> NDArray[np.bool_]:
    """Whether each document holds one of the keywords: what stands for a label where a peer needs one."""
    return np.asarray(keyword_counts(texts, keywords).sum(axis=1) > 0)


@shared
def tfidf(train: tuple[str, ...], test: tuple[str, ...]) -> tuple[sp.csr_array, sp.csr_array]:
    """TF-IDF of both parts, rows of length 1, vocabulary and weights from the training documents."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectorizer = TfidfVectorizer(sublinear_tf=True, min_df=2)
    return sp.csr_array(vectorizer.fit_transform(train)), sp.csr_array(vectorizer.transform(test))


@shared
def _tokens(texts: tuple[str, ...]) -> Tokens:
    return tokenize(as_documents(pl.Series("text", texts, dtype=pl.String)))
