"""Word vectors from the user's own documents: shifted positive PMI and a truncated SVD.

Levy and Goldberg (2014) show that this is what word2vec's skip-gram factorises. It needs nothing but the corpus,
so it works for any language that a tokenizer can split.
"""

import numpy as np
import polars as pl
import scipy.sparse as sp

from keysift.errors import InputError
from keysift.text.tokens import Tokens
from keysift.text.vocabulary import align
from keysift.vectors.svd import randomized_svd
from keysift.vectors.words import WordVectors

WINDOW = 5
MIN_COUNT = 5
MAX_WORDS = 50_000
DIMENSIONS = 100
SHIFT = 2.0
"""Number of negative samples k in max(PMI - log k, 0)."""


def learn_vectors(tokens: Tokens, rng: np.random.Generator) -> WordVectors:
    """Vectors for the frequent words of a corpus, from the words that occur near them.

    >>> from keysift.text.tokens import tokenize
    >>> texts = ["the cat drinks milk", "the dog drinks water", "the car needs oil"] * 10
    >>> vectors = learn_vectors(tokenize(pl.Series(texts)), np.random.default_rng(0))
    >>> vectors.matrix.shape
    (9, 8)
    """
    words = _frequent_words(tokens)
    if len(words) < 3:
        raise InputError(
            f"Cannot learn vectors from these documents: they contain only {len(words)} different words;"
            " give more documents or use vectors='glove-6b-50d'."
        )
    association = _shifted_ppmi(_near(align(tokens, words)))
    if not association.nnz:
        raise InputError(
            "Cannot learn vectors from these documents: no two words occur together more often than by chance; give"
            " longer documents or use vectors='glove-6b-50d'."
        )
    left, values, _ = randomized_svd(
        association, min(DIMENSIONS, len(words) - 1), n_iter=5, random_state=int(rng.integers(2**31))
    )
    return WordVectors("corpus", words, np.asarray(left * np.sqrt(values), dtype=np.float32))


def _frequent_words(tokens: Tokens) -> pl.Series:
    counts = np.bincount(tokens.codes, minlength=len(tokens.words))
    order = np.argsort(-counts, kind="stable")[:MAX_WORDS]
    frequent = order[counts[order] >= MIN_COUNT]
    # In a tiny corpus hardly any word is frequent; then all of them are used.
    return tokens.words.gather(frequent if len(frequent) >= 3 else order)


def _near(tokens: Tokens) -> sp.csr_array:
    """How often each pair of words occurs within the window; closer pairs count more."""
    size = len(tokens.words)
    owners = tokens.owners
    total = sp.csr_array((size, size), dtype=np.float32)
    for distance in range(1, min(WINDOW, len(tokens.codes) - 1) + 1):
        together = np.flatnonzero(owners[distance:] == owners[:-distance])
        weight = np.full(len(together), (WINDOW - distance + 1) / WINDOW, dtype=np.float32)
        pairs = (tokens.codes[together], tokens.codes[together + distance])
        total = total + sp.csr_array(sp.coo_array((weight, pairs), shape=(size, size)))
    return sp.csr_array(total + total.T)


def _shifted_ppmi(near: sp.csr_array) -> sp.csr_array:
    """max(log p(a, b) / (p(a) p(b)) - log k, 0), contexts smoothed by the power 0.75."""
    pairs = near.tocoo()
    row, column = pairs.coords
    word = np.bincount(row, pairs.data, near.shape[0])
    context = np.bincount(column, pairs.data, near.shape[1]) ** 0.75
    pmi = np.log(pairs.data * context.sum() / (word[row] * context[column])) - np.log(SHIFT)
    kept = pmi > 0
    return sp.csr_array(sp.coo_array((pmi[kept].astype(np.float32), (row[kept], column[kept])), shape=near.shape))
