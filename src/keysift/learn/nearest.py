"""A score by example: how near the most similar training documents of a document are to the keywords.

The linear score of a topic is an average over all of its words; similar documents know which words go together.
What a word adds is exact here as well: the similarity of two documents is a sum over the words that they share.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.config import LearnConfig
from keysift.features.rows import Tfidf, inverse_document_frequency
from keysift.files.tensors import Arrays
from keysift.learn.neighbours import is_rare
from keysift.learn.similarity import heaviest, most_similar, unit_length

BLOCK = 2_000
"""Documents compared at a time, to bound the memory."""
ROUNDING = 1e-5
"""Values that differ by less than this share of the largest are all the same."""
KINDS = {"weights": np.float32, "words": np.int32, "ends": np.int64, "values": np.float32, "idf": np.float64}
"""The arrays of a model file."""


@dataclass(frozen=True, eq=False)
class Similar:
    """Some documents and the examples most similar to each, whatever the keywords."""

    rows: sp.csr_array
    """The documents, by the weights of their heaviest words."""
    places: NDArray[np.int64]
    similarity: NDArray[np.float32]
    """Zero where an example does not count."""

    def take(self, documents: NDArray[np.int64]) -> "Similar":
        """Only some of the documents."""
        return Similar(self.rows[documents], self.places[documents], self.similarity[documents])

    @property
    def over(self) -> NDArray[np.float32]:
        """One over the sum of the similarities, or zero."""
        total = self.similarity.sum(axis=1)
        return np.asarray(np.divide(1.0, total, out=np.zeros_like(total), where=total > 0))


@dataclass(frozen=True, eq=False)
class Examples:
    """Training documents to compare with."""

    weigh: Tfidf
    """Words that do not count when documents are compared have no idf."""
    documents: sp.csr_array
    """Rows of length one."""
    neighbours: int
    """How many of the most similar ones count."""
    words: int
    """How many of the heaviest words of a document are compared."""
    copy: float
    """An example at least this similar is taken for the document itself."""

    def similar(self, counts: sp.csr_array) -> Similar:
        """The most similar examples of each document."""
        found = [self._similar(block) for block in _blocks(counts)]
        return Similar(
            sp.csr_array(sp.vstack([one.rows for one in found], format="csr")),
            np.vstack([one.places for one in found]),
            np.vstack([one.similarity for one in found]),
        )

    @cached_property
    def _columns(self) -> sp.csr_array:
        return sp.csr_array(self.documents.T)

    def _similar(self, counts: sp.csr_array) -> Similar:
        rows = _rows(self.weigh, counts, self.words)
        places, similarity = most_similar(rows, self._columns, self.neighbours + 1, same=False)
        # One more than needed was found: the document itself goes, or else the least similar.
        each = np.arange(len(similarity))
        most, least = similarity.argmax(axis=1), similarity.argmin(axis=1)
        itself = similarity[each, most] >= self.copy
        if similarity.shape[1] > self.neighbours:
            similarity[each, np.where(itself, most, least)] = 0.0
        else:
            similarity[each[itself], most[itself]] = 0.0
        return Similar(rows, places, np.maximum(similarity, 0.0))


@dataclass(frozen=True, eq=False)
class Nearest:
    """The examples, the value of each, and how a mean value becomes a score."""

    examples: Examples
    values: NDArray[np.float32]
    scale: float = 1.0
    offset: float = 0.0
    """Also the lowest score: that of a document that is similar to none."""

    def score(self, similar: Similar) -> NDArray[np.float64]:
        """The mean value of the most similar examples, the more similar the more it counts, as a score."""
        means = (similar.similarity * self.values[similar.places]).sum(axis=1) * similar.over
        return np.asarray(means.astype(np.float64) * self.scale + self.offset)

    def explain(self, similar: Similar) -> sp.csr_array:
        """What each word adds to the score above the offset."""
        places = similar.places
        ends = np.arange(0, places.size + 1, places.shape[1])
        counted = (similar.similarity > 0) * self.values[places]
        worth = (counted * similar.over[:, None] * np.float32(self.scale)).ravel()
        mixed = sp.csr_array((worth, places.ravel(), ends), shape=(len(places), len(self.values)))
        return sp.csr_array(similar.rows.multiply(mixed @ self.examples.documents))

    def save(self) -> tuple[Arrays, dict[str, Any]]:
        """The documents as three arrays, the values and the idf."""
        documents, examples = self.examples.documents, self.examples
        arrays = {
            "nearest.weights": documents.data,
            "nearest.words": documents.indices.astype(np.int32),
            "nearest.ends": documents.indptr.astype(np.int64),
            "nearest.values": self.values,
            "nearest.idf": examples.weigh.idf,
        }
        numbers = {"neighbours": examples.neighbours, "words": examples.words, "copy": examples.copy}
        return arrays, {"scale": self.scale, "offset": self.offset, **numbers}

    @classmethod
    def restore(cls, arrays: Arrays, saved: dict[str, Any], words: int) -> "Nearest":
        """From what `save` gave, for so many words; a KeyError names what does not fit."""
        for name, kind in KINDS.items():
            array = arrays[f"nearest.{name}"]
            if array.ndim != 1 or array.dtype != kind or not np.isfinite(array).all():
                raise KeyError(f"nearest.{name}")
        scale, offset, copy = (float(saved[name]) for name in ("scale", "offset", "copy"))
        if not np.isfinite([scale, offset, copy]).all():
            raise KeyError("nearest.scale")
        neighbours, heaviest_words = int(saved["neighbours"]), int(saved["words"])
        if neighbours < 1 or heaviest_words < 1:
            raise KeyError("nearest.neighbours")
        weights, places, ends, values, idf = (arrays[f"nearest.{name}"] for name in KINDS)
        if len(idf) != words:
            raise KeyError("nearest.idf")
        if len(places) != len(weights) or ((places < 0) | (places >= words)).any():
            raise KeyError("nearest.words")
        if len(ends) != len(values) + 1 or ends[0] != 0 or ends[-1] != len(places) or (np.diff(ends) < 0).any():
            raise KeyError("nearest.ends")
        documents = sp.csr_array((weights, places, ends), shape=(len(values), words))
        return cls(Examples(Tfidf(idf), documents, neighbours, heaviest_words, copy), values, scale, offset)


def find_examples(
    counts: sp.csr_array, silent: NDArray[np.bool_], documents: NDArray[np.int64], words: int, config: LearnConfig
) -> Examples:
    """Make examples of some documents, to compare others with, whatever the keywords.

    `silent` says which words (columns) do not count. `words` is how many columns later counts will have; those of the
    training documents come first.
    """
    idf = np.zeros(words)
    rare = is_rare(counts, config.common_word)
    idf[: counts.shape[1]] = np.where(rare & ~silent, inverse_document_frequency(counts), 0.0)
    weigh = Tfidf(idf)
    rows = _rows(weigh, widened(counts, words)[documents], config.example_words)
    return Examples(weigh, rows, config.neighbours, config.example_words, config.copy_similarity)


def widened(counts: sp.csr_array, words: int) -> sp.csr_array:
    """The same counts with room for more words."""
    return sp.csr_array((counts.data, counts.indices, counts.indptr), shape=(counts.shape[0], words))


def fit_nearest(
    examples: Examples, similar: Similar, values: NDArray[np.float64], weight: float, sample: int
) -> Nearest | None:
    """A score whose deviation on training documents is `weight`; None if the values tell nothing.

    `similar` are all training documents, a `sample` of which gives the usual scores; `values` are of the examples.
    """
    nearest = Nearest(examples, values.astype(np.float32))
    total = len(similar.places)
    some = np.unique(np.linspace(0, total - 1, min(sample, total)).astype(int))
    usual = nearest.score(similar.take(some))
    deviation = float(usual.std())
    if deviation == 0 or np.ptp(nearest.values) <= ROUNDING * nearest.values.max():
        return None
    return replace(nearest, scale=weight / deviation, offset=-weight * float(usual.mean()) / deviation)


def _rows(weigh: Tfidf, counts: sp.csr_array, words: int) -> sp.csr_array:
    return unit_length(heaviest(weigh(counts).astype(np.float32), words))


def _blocks(counts: sp.csr_array) -> Iterator[sp.csr_array]:
    """One block at least, be it an empty one."""
    for start in range(0, max(1, counts.shape[0]), BLOCK):
        yield counts[start : start + BLOCK]
