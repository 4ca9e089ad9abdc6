"""A document as the pieces of its words: character n-grams.

Pieces of words know inflections and compounds in any language, so they stand in for sentence vectors where the encoder
does not know the language, or where there is none. A document is the sum of its words' pieces,

    x(d) = sum over words w of a(w, d) u(w),

with a(w, d) the TF-IDF weight of the word, in rows of length one, and u(w) the n-grams of the word by their own idf. So
every linear score of x is a score of words, u(w) . coef for the word w, and one never seen before has a score too.
"""

from dataclasses import dataclass
from typing import cast

import numpy as np
import polars as pl
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.features.linear import Features, Product
from keysift.features.pieces import Pieces
from keysift.features.rows import Tfidf, damped, documents_held, idf
from keysift.features.view import CHARACTERS, SPREAD, CharacterPart, Documents, FittedView, Role
from keysift.text.counts import recolumn
from keysift.text.vocabulary import locate


@dataclass(frozen=True, eq=False)
class CharacterView:
    """The pieces of all words."""

    role: Role = CHARACTERS
    name: str = "characters"

    def fit(self, documents: Documents, words: pl.Series) -> FittedView:
        """One feature per n-gram."""
        held, total = documents_held(documents.counts, documents.weights)
        rows, unseen = Tfidf(idf(held, total)), float(idf(np.zeros(1), total)[0])
        pieces = Pieces.of(words, held, total)
        left, spelled = rows(documents.counts), pieces.spell(words)
        # The deviation there would be if no two words shared a piece; for the true one all would have to be counted.
        weights = np.ones(left.shape[0]) if documents.weights is None else documents.weights
        squares = (weights @ left.multiply(left)) @ np.asarray(spelled.multiply(spelled).sum(axis=1)) / total
        scale = SPREAD / float(np.sqrt(squares)) if squares > 0 else 0.0
        return FittedCharacters(left, spelled * scale, words, pieces, rows, unseen, scale)


@dataclass(frozen=True, eq=False)
class FittedCharacters:
    """The pieces of the training documents."""

    left: sp.csr_array
    """a(w, d), a row for each document."""
    right: sp.csr_array
    """u(w), a row for each word."""
    words: pl.Series
    pieces: Pieces
    rows: Tfidf
    unseen: float
    """What a word weighs that was never seen before: the idf of no document."""
    scale: float

    @property
    def X(self) -> Features:  # noqa: N802, the name of features in every formula
        """A row for each training document."""
        return cast("Features", Product(self.left, self.right))

    def transform(self, documents: Documents) -> Features:
        """The same for other documents, counted over the same words."""
        return cast("Features", Product(self.rows(documents.counts), self.right))

    def part(self, coef: NDArray[np.float64], words: pl.Series) -> CharacterPart:
        """A score for every word, and for every n-gram."""
        grams = coef * self.scale
        if words is self.words:
            return CharacterPart(self.rows, self.right @ coef, 0.0, self.pieces, grams, self.unseen)
        places = locate(words, self.words)
        weights = np.where(places >= 0, self.rows.idf[places], self.unseen)
        return CharacterPart(Tfidf(weights), self.pieces.spell(words) @ grams, 0.0, self.pieces, grams, self.unseen)


def words_never_seen(part: CharacterPart, counts: sp.csr_array, words: pl.Series) -> NDArray[np.float64]:
    """What words that the part does not know add to each document: the square of its length, and the score.

    The words come in their own order, so that a sum is rounded alike whatever documents stand beside it.

    >>> pieces = Pieces(pl.Series(["abc"]), np.array([2.0]))
    >>> part = CharacterPart(Tfidf(np.ones(0)), np.ones(0), 0.0, pieces, np.array([1.0]), 3.0)
    >>> words_never_seen(part, sp.csr_array(np.eye(2)), pl.Series(["abc", "x"])).tolist()
    [[9.0, 6.0], [9.0, 0.0]]
    """
    order = words.arg_sort().to_numpy()
    scores = part.pieces.spell(words.gather(order)) @ part.pieces_scores
    sorted_counts = recolumn(counts, np.argsort(order), len(words))
    owners = np.repeat(np.arange(counts.shape[0]), np.diff(sorted_counts.indptr))
    weights = damped(sorted_counts.data.astype(np.float64)) * part.unseen
    adds = weights**2, weights * scores[sorted_counts.indices]
    return np.stack([np.bincount(owners, values, counts.shape[0]) for values in adds], axis=1)
