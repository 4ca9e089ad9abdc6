"""Documents as the paper's baselines see them: which tokens they hold, and the mean vector of their words."""

import sys
from collections.abc import Callable, Collection, Sequence
from functools import cache

import numpy as np
import polars as pl
import scipy.sparse as sp
from numpy.typing import NDArray

from benchmarks.paper.stop_words import NLTK_STOP_WORDS
from keysift.text.tokens import as_documents
from keysift.text.vocabulary import locate
from keysift.vectors.words import WordVectors

__all__ = ["Split", "counts_of", "mean_vectors", "nltk_words", "presence_matrices", "tokens_of", "words_of"]

TOKEN = r"\S+"
WORD = r"\w+"
ALPHABETIC = r"^\p{Alphabetic}+$"

Split = Callable[[Sequence[str]], pl.Series]
"""From documents to the tokens of each."""


def tokens_of(texts: Sequence[str], lower: bool = True) -> pl.Series:
    """The tokens between white space of each document, lower-cased or as they are written.

    >>> tokens_of(["Great, great food."]).to_list()
    [['great,', 'great', 'food.']]
    """
    documents = as_documents(texts)
    return (documents.str.to_lowercase() if lower else documents).str.extract_all(TOKEN)


def words_of(texts: Sequence[str]) -> pl.Series:
    """The lower-cased words of each document, without the punctuation at them.

    >>> words_of(["Great, great food."]).to_list()
    [['great', 'great', 'food']]
    """
    return as_documents(texts).str.to_lowercase().str.extract_all(WORD)


def nltk_words(texts: Sequence[str], lower: bool = True, sentences: bool = False) -> pl.Series:
    """The tokens of NLTK's word tokenizer, which the authors' code uses for mean vectors.

    `nltk.word_tokenize` parts sentences first, so that a full stop in the middle of a document is a token of its own,
    by a model that has to be downloaded; with `sentences` the same rules run without what that model has learned.

    >>> nltk_words(["I don't like it. Bad food."]).to_list()
    [['i', 'do', "n't", 'like', 'it.', 'bad', 'food', '.']]
    >>> nltk_words(["I like it. Bad food."], sentences=True).to_list()
    [['i', 'like', 'it', '.', 'bad', 'food', '.']]
    """
    found = [_by_nltk(text, lower, sentences) for text in texts]
    return pl.Series("tokens", found, dtype=pl.List(pl.String))


@cache
def _by_nltk(text: str, lower: bool, sentences: bool) -> list[str]:
    from nltk.tokenize import NLTKWordTokenizer, PunktSentenceTokenizer

    parts = PunktSentenceTokenizer().tokenize(text) if sentences else [text]
    cased = (part.lower() if lower else part for part in parts)
    return [sys.intern(token) for part in cased for token in NLTKWordTokenizer().tokenize(part)]


def counts_of(tokens: pl.Series, vocabulary: pl.Series) -> sp.csr_array:
    """How often each document holds each word of a vocabulary; other words are left out.

    >>> counts_of(tokens_of(["a b a", "c"]), pl.Series(["b", "a"])).toarray().tolist()
    [[1.0, 2.0], [0.0, 0.0]]
    """
    columns = locate(tokens.explode(empty_as_null=False), vocabulary)
    owners = np.repeat(np.arange(len(tokens)), tokens.list.len().to_numpy())
    known = columns >= 0
    ones = np.ones(int(known.sum()))
    shape = (len(tokens), len(vocabulary))
    return sp.csr_array(sp.coo_array((ones, (owners[known], columns[known])), shape=shape))


def presence_matrices(
    train: Sequence[str], test: Sequence[str], split: Split = tokens_of
) -> tuple[sp.csr_array, sp.csr_array]:
    """1 where a document holds a token of the training documents.

    >>> train, test = presence_matrices(["a b a", "c"], ["b d"])
    >>> train.toarray().tolist(), test.toarray().tolist()
    ([[1.0, 1.0, 0.0], [0.0, 0.0, 1.0]], [[0.0, 1.0, 0.0]])
    """
    tokens = split(train)
    vocabulary = tokens.explode(empty_as_null=False).unique(maintain_order=True)
    return _there(counts_of(tokens, vocabulary)), _there(counts_of(split(test), vocabulary))


def mean_vectors(
    texts: Sequence[str],
    vectors: WordVectors,
    split: Split = words_of,
    stop_words: Collection[str] = NLTK_STOP_WORDS,
) -> NDArray[np.float64]:
    """The mean vector of the alphabetic words that are no stop words; zero where a document has none with a vector."""
    tokens = split(texts)
    words = tokens.explode(empty_as_null=False).unique(maintain_order=True)
    words = words.filter(words.str.contains(ALPHABETIC) & ~words.is_in(list(stop_words)))
    rows = vectors.rows(words)
    known = np.flatnonzero(rows >= 0)
    counts = counts_of(tokens, words.gather(known))
    lengths = np.maximum(counts.sum(axis=1), 1.0)
    return np.asarray(counts @ vectors.matrix[rows[known]].astype(np.float64) / lengths[:, None])


def _there(counts: sp.csr_array) -> sp.csr_array:
    return sp.csr_array((np.ones(counts.nnz), counts.indices, counts.indptr), shape=counts.shape)
