"""Small corpora over a dozen words, and every view of them."""

import numpy as np
import polars as pl
import scipy.sparse as sp
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from keysift.features.characters import CharacterView
from keysift.features.linear import Features
from keysift.features.sentences import SentenceView
from keysift.features.view import View
from keysift.features.words import WordView
from keysift.vectors.words import WordVectors

WORDS = pl.Series(
    "word", ["goal", "hockey", "court", "tax", "the", "soup", "garlic", "zzzzqqq", "goalie", "law", "ice", "né"]
)
VECTORS = WordVectors(
    "few",
    pl.Series("word", ["tax", "goal", "unused", "hockey", "the", "zero", "ice", "soup", "law"]),
    np.random.default_rng(1).normal(size=(9, 5)).astype(np.float32) * (np.arange(9) != 5)[:, None],
)
SENTENCE_LENGTH = 3
EVERY: dict[str, View] = {"words": WordView(), "characters": CharacterView(), "sentences": SentenceView()}


@st.composite
def counted(draw: st.DrawFn, most: int = 8) -> sp.csr_array:
    """Counts of `WORDS` in two or more documents; some are empty."""
    shape = draw(array_shapes(min_dims=1, max_dims=1, min_side=2, max_side=most))
    cells = draw(arrays(np.int64, (*shape, len(WORDS)), elements=st.sampled_from([0, 0, 0, 1, 1, 2, 5])))
    return sp.csr_array(cells.astype(np.float64))


def sentence_vectors(documents: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    return np.random.default_rng(documents).normal(2.0, size=(documents, SENTENCE_LENGTH)).astype(np.float32)


def dense(X: Features) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Features as a plain array, however they are kept."""
    return np.asarray(X if isinstance(X, np.ndarray) else X.toarray())
