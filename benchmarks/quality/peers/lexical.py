"""Peers that need no training to speak of: counting, BM25, and the difference of two means."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.quality.peers.features import has_keyword, keyword_counts, tfidf
from benchmarks.quality.peers.packages import package
from benchmarks.quality.shared import shared

__all__ = ["bm25", "counting", "trivial"]


def counting(train: Sequence[str], test: Sequence[str], keywords: Sequence[str]) -> NDArray[np.float64]:
    """How often the keywords are there, all together."""
    return np.asarray(keyword_counts(test, keywords).sum(axis=1))


def trivial(train: Sequence[str], test: Sequence[str], keywords: Sequence[str]) -> NDArray[np.float64]:
    """Mean TF-IDF of the training documents with a keyword minus that of the others, times the document's."""
    found = has_keyword(train, keywords)
    known, new = tfidf(tuple(train), tuple(test))
    if found.all() or not found.any():
        return np.zeros(len(test))
    return np.asarray(new @ (known[found].mean(axis=0) - known[~found].mean(axis=0)))


def bm25(train: Sequence[str], test: Sequence[str], keywords: Sequence[str]) -> NDArray[np.float64]:
    """BM25 (Lucene's) of the keywords as one query, by bm25s.

    It ranks only documents that it has indexed, so frequencies are those of the test documents; the training documents
    are not used. A phrase is its words.
    """
    bm25s = package("bm25s")
    query = bm25s.tokenize([" ".join(keywords)], return_ids=False, show_progress=False)[0]
    return np.asarray(_index(tuple(test)).get_scores(query), dtype=np.float64)


@shared
def _index(texts: tuple[str, ...]) -> Any:
    bm25s = package("bm25s")
    index = bm25s.BM25()
    index.index(bm25s.tokenize(list(texts), show_progress=False), show_progress=False)
    return index
