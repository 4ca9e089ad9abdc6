"""A document as the TF-IDF weights of the character n-grams of its words.

Pieces of words know inflections and compounds in any language, so they stand in for sentence vectors where the encoder
does not know the language, or where there is none.
"""

from dataclasses import dataclass

import numpy as np
import polars as pl
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.features.gram_table import LONGEST, SIZES, GramTable
from keysift.features.rows import Tfidf, column_sums, document_frequency, inverse_document_frequency, spans
from keysift.features.view import CHARACTERS, CharacterPart, Documents, FittedView, Role
from keysift.features.words import chosen_columns, scaled
from keysift.text.counts import count_pairs
from keysift.text.dictionary import Cut, Dictionary, cut

LEAST = 3
"""Documents that hold it."""


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
        X, scale = scaled(rows.weigh(counts))
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
        X = self.rows.weigh(gram_counts(documents.counts, self.spelled))
        X.data *= self.scale
        return X

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
    if known is None and (found := GramTable.over(words)) is not None:
        table, grams = found
        return table.spell(words), grams
    text = " " + words.str.slice(0, LONGEST) + " "
    written = text.str.join("").item().encode() if len(text) else b""
    # Where each character begins, and where all of them end; in UTF-8 no byte inside a character begins another one.
    begins = np.flatnonzero(np.frombuffer(written + b" ", dtype=np.uint8) & 0b11000000 != 0b10000000)
    sizes = text.str.len_chars().to_numpy().astype(np.int64)
    owners = np.repeat(np.arange(len(words), dtype=np.int32), sizes)
    left = np.repeat(np.cumsum(sizes), sizes) - np.arange(len(owners))  # characters to the end of the word
    whole = [np.flatnonzero(left >= size) for size in SIZES]
    starts = np.concatenate([begins[places] for places in whole])
    ends = np.concatenate([begins[places + size] for places, size in zip(whole, SIZES, strict=True)])
    dictionary = Dictionary()
    if known is not None:
        dictionary.number(cut(known))
    places = dictionary.number(Cut(written, starts, ends - starts))
    grams = dictionary.words if known is None else known
    if known is None:
        order = grams.arg_sort().to_numpy()
        grams = grams.gather(order)
        places = np.argsort(order).astype(np.int32)[places]
    held = places < len(grams)
    rows = np.concatenate([owners[at] for at in whole])[held]
    return count_pairs(rows, places[held], (len(words), len(grams))), grams


def spell_for(part: CharacterPart, words: pl.Series) -> sp.csr_array:
    """How often each word holds each n-gram of a part."""
    return spell(words, part.grams)[0] if part.table is None else part.table.spell(words)


def score_spelling(
    part: CharacterPart, counts: sp.csr_array, words: pl.Series, known: sp.csr_array | None = None
) -> NDArray[np.float64]:
    """What the n-grams of these words add to the score of each document, without the offset; some documents at a time.

    `known` is how the first of the words are spelled, where that is known already.

    >>> part = CharacterPart(pl.Series(["abc", "abd"]), Tfidf(np.array([1.0, 1.0])), np.array([2.0, -2.0]), 0.0)
    >>> score_spelling(part, sp.csr_array(np.eye(2)), pl.Series(["xabc", "abd"])).tolist()
    [2.0, -2.0]
    """
    if known is None:
        spelled = spell_for(part, words)
    else:
        there = np.flatnonzero(np.bincount(counts.indices, minlength=counts.shape[1]))
        first, others = np.split(there, [np.searchsorted(there, known.shape[0])])
        spelled = sp.csr_array(sp.vstack([known[first], spell_for(part, words.gather(others))], format="csr"))
        counts = chosen_columns(counts, there)
    scores: list[NDArray[np.float64]] = [np.empty(0)]
    for rows in spans(counts.indptr):
        held = _documents_of(counts[rows], spelled)
        values = part.rows.weigh_turned(held)
        values *= part.scale
        values *= np.repeat(part.scores, np.diff(held.indptr))
        scores.append(column_sums(values, held))
    return np.concatenate(scores)


def add_up(X: sp.csr_array, scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """X @ scores, added up as `score_spelling` does: some machines round a product and a sum at once.

    >>> add_up(sp.csr_array(np.array([[1.0, 2.0], [0.0, 3.0]])), np.array([1.0, 0.5])).tolist()
    [2.0, 1.5]
    """
    sums: list[NDArray[np.float64]] = [np.empty(0)]
    for rows in spans(X.indptr):
        starts = X.indptr[rows.start : rows.stop + 1]
        part, sizes = slice(starts[0], starts[-1]), np.diff(starts)
        values, owners = X.data[part] * scores.take(X.indices[part]), np.repeat(np.arange(len(sizes)), sizes)
        sums.append(np.asarray(np.bincount(owners, values, len(sizes)), dtype=np.float64))
    return np.concatenate(sums)


def gram_counts(counts: sp.csr_array, spelled: sp.csr_array) -> sp.csr_array:
    """How often each document holds each n-gram, as float64, which `Tfidf` can weigh in place.

    >>> spelled, _ = spell(pl.Series(["abc"]), pl.Series(["abc"]))
    >>> gram_counts(sp.csr_array(np.array([[2.0]])), spelled).toarray().tolist()
    [[2.0]]
    """
    sizes = np.diff(spelled.indptr)
    # Room for the most there can be, as if no two words of a document shared an n-gram; what is not used costs nothing.
    most = int(sizes[counts.indices].sum(dtype=np.int64))
    width = np.int32 if most < 2**31 else np.int64
    data, indices = np.empty(most), np.empty(most, dtype=width)
    starts, end = [np.zeros(1, dtype=np.int64)], 0
    for rows in spans(counts.indptr):
        block = _block(counts[rows], spelled)
        part = slice(end, end + block.nnz)
        data[part], indices[part] = block.data, block.indices
        starts.append(block.indptr[1:].astype(np.int64) + end)
        end = part.stop
    shape = counts.shape[0], spelled.shape[1]
    return sp.csr_array((data[:end], indices[:end], np.concatenate(starts).astype(width)), shape=shape)


def _block(counts: sp.csr_array, spelled: sp.csr_array) -> sp.csr_array:
    """How often each of some documents holds each n-gram; they and their words are so few that they stay in the cache.

    Turned round twice: the n-grams of a document come out in order without being sorted, and the order of a sum decides
    its last bit.
    """
    return sp.csr_array(_documents_of(counts, spelled).T)


def _documents_of(counts: sp.csr_array, spelled: sp.csr_array) -> sp.csr_array:
    """How often each n-gram is in each document."""
    there = np.flatnonzero(np.bincount(counts.indices, minlength=counts.shape[1]))
    return sp.csr_array(_turned(spelled[there]) @ _turned(chosen_columns(counts, there)))


def _turned(matrix: sp.csr_array) -> sp.csr_array:
    return sp.csr_array(matrix.astype(np.float32, copy=False).T)


def _in_enough(counts: sp.csr_array, spelled: sp.csr_array) -> NDArray[np.bool_]:
    """Which n-grams are in `LEAST` or more documents: those of one word that is, and few others."""
    often = document_frequency(counts) >= LEAST
    rare = np.flatnonzero(~often)
    known = np.bincount(spelled[np.flatnonzero(often)].indices, minlength=spelled.shape[1]) > 0
    others = np.flatnonzero(~known)
    found = gram_counts(counts[:, rare], spelled[rare][:, others])
    known[others] = document_frequency(found) >= LEAST
    return known
