"""A document as the TF-IDF weights of the character n-grams of its words.

Pieces of words know inflections and compounds in any language, so they stand in for sentence vectors where the encoder
does not know the language, or where there is none.
"""

from dataclasses import dataclass

import numpy as np
import polars as pl
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.features.rows import Rows, Tfidf, inverse_document_frequency
from keysift.features.view import CHARACTERS, CharacterPart, Documents, FittedView, Role
from keysift.features.words import scaled
from keysift.text.vocabulary import locate

SIZES = (3, 4)
"""Characters of an n-gram; the ends of a word count as one each."""
LEAST = 3
"""Documents that hold it."""
LONGEST = 40
"""Characters of a word that are looked at."""
BLOCK = 10_000
"""Documents whose n-grams are counted at a time where only their scores are wanted: counts take far more room."""


@dataclass(frozen=True, eq=False)
class CharacterView:
    """TF-IDF weights of the character n-grams in three or more documents."""

    role: Role = CHARACTERS
    name: str = "characters"

    def fit(self, documents: Documents, words: pl.Series) -> FittedView:
        """One feature per n-gram."""
        spelled, grams = spell(words)
        kept = np.flatnonzero(_in_enough(documents.counts, spelled))
        spelled = spelled[:, kept]
        counts = gram_counts(documents.counts, spelled)
        rows = Tfidf(inverse_document_frequency(counts, LEAST, documents.weights))
        X, scale = scaled(rows(counts))
        return FittedCharacters(X, spelled, grams.gather(kept), rows, scale)


@dataclass(frozen=True, eq=False)
class FittedCharacters:
    """TF-IDF weights of the training documents."""

    X: sp.csr_array
    spelled: sp.csr_array
    """How often each word of the training documents (row) holds each n-gram."""
    grams: pl.Series
    rows: Tfidf
    scale: float

    def transform(self, documents: Documents) -> sp.csr_array:
        """The same for other documents, counted over the same words."""
        return _features(self.rows, gram_counts(documents.counts, self.spelled), self.scale)

    def part(self, coef: NDArray[np.float64], words: pl.Series) -> CharacterPart:
        """A score for every n-gram."""
        return CharacterPart(self.grams, self.rows, coef, 0.0, self.scale)


def spell(words: pl.Series, known: pl.Series | None = None) -> tuple[sp.csr_array, pl.Series]:
    """How often each word holds each n-gram, and the n-grams: all there are, or those that are `known`.

    >>> spelled, grams = spell(pl.Series(["abc"]))
    >>> sorted(grams.to_list())
    [' ab', ' abc', 'abc', 'abc ', 'bc ']
    >>> spell(pl.Series(["abcab"]), pl.Series(["abc", "ab "]))[0].toarray().tolist()
    [[1.0, 1.0]]
    """
    text = " " + words.str.slice(0, LONGEST) + " "
    padded = pl.DataFrame({"word": np.arange(len(words), dtype=np.int32), "text": text, "size": text.str.len_chars()})
    longest = int(padded["size"].to_numpy().max(initial=0))
    pieces = [
        padded.filter(pl.col("size") >= start + size).select("word", gram=pl.col("text").str.slice(start, size))
        for size in SIZES
        for start in range(max(longest - size + 1, 0))
    ]
    found = (
        pl.concat(pieces) if pieces else pl.DataFrame({"word": [], "gram": []}, {"word": pl.Int32, "gram": pl.String})
    )
    grams = found["gram"].unique().sort() if known is None else known
    places = locate(found["gram"], grams).astype(np.int32)  # half as wide: it is a product of these that takes room
    held = places >= 0
    entries = np.ones(int(held.sum()), dtype=np.float32), (found["word"].to_numpy()[held], places[held])
    return sp.csr_array(sp.coo_array(entries, shape=(len(words), len(grams)))), grams


def score_spelling(part: CharacterPart, counts: sp.csr_array, words: pl.Series) -> NDArray[np.float64]:
    """What the n-grams of these words add to the score of each document, without the offset; some documents at a time.

    >>> part = CharacterPart(pl.Series(["abc", "abd"]), Tfidf(np.array([1.0, 1.0])), np.array([2.0, -2.0]), 0.0)
    >>> score_spelling(part, sp.csr_array(np.eye(2)), pl.Series(["xabc", "abd"])).tolist()
    [2.0, -2.0]
    """
    spelled = sp.csc_array(spell(words, part.grams)[0])
    blocks = (gram_counts(counts[start : start + BLOCK], spelled) for start in range(0, counts.shape[0], BLOCK))
    return np.concatenate([np.empty(0), *(_features(part.rows, block, part.scale) @ part.scores for block in blocks)])


def _features(rows: Rows, counts: sp.csr_array, scale: float) -> sp.csr_array:
    X = rows(counts)
    X.data *= scale
    return X


def gram_counts(counts: sp.csr_array, spelled: sp.csr_array | sp.csc_array) -> sp.csr_array:
    """How often each document holds each n-gram.

    >>> spelled, _ = spell(pl.Series(["abc"]), pl.Series(["abc"]))
    >>> gram_counts(sp.csr_array(np.array([[2.0]])), spelled).toarray().tolist()
    [[2.0]]
    """
    # Turned round twice: the n-grams of a document come out in order without being sorted, and the order of a sum
    # decides its last bit.
    return sp.csr_array((_turned(spelled) @ _turned(counts)).T)


def _turned(matrix: sp.csr_array | sp.csc_array) -> sp.csr_array:
    return sp.csr_array(matrix.astype(np.float32, copy=False).T)


def _in_enough(counts: sp.csr_array, spelled: sp.csr_array) -> NDArray[np.bool_]:
    """Which n-grams are in `LEAST` or more documents: those of one word that is, and few others."""
    often = np.bincount(counts.indices, minlength=counts.shape[1]) >= LEAST
    rare = np.flatnonzero(~often)
    known = np.bincount(spelled[np.flatnonzero(often)].indices, minlength=spelled.shape[1]) > 0
    others = np.flatnonzero(~known)
    found = gram_counts(counts[:, rare], spelled[rare][:, others])
    known[others] = np.bincount(found.indices, minlength=len(others)) >= LEAST
    return known
