"""A score by example: how much of a keyword the training documents hold that are most like a document.

The linear score of a topic is an average over all of its words; the nearest documents know which words go together.
What a word adds is exact here as well: the likeness of two documents is a sum over the words that they share.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.learning import NEAREST, heaviest, is_rare, most_alike, unit_rows
from keysift.modelfile import Arrays
from keysift.views import Tfidf, inverse_document_frequency

__all__ = ["Nearest", "find_nearest"]

WORDS = 50
"""Of each document so many words of the largest weight are compared."""
COPY = 0.999
"""A training document that is at least so much alike is taken for the document itself, which tells nothing of it."""
SAMPLE = 2000
"""Enough training documents to know the usual scores."""
ROUNDING = 1e-5
"""Values that differ by less than this share of the largest are all the same."""
KINDS = {"weights": np.float32, "words": np.int32, "ends": np.int64, "values": np.float32, "idf": np.float64}
"""The arrays of a model file."""


@dataclass(frozen=True, eq=False)
class Nearest:
    """The training documents, what each of them is worth, and how a mean of that becomes a score."""

    weigh: Tfidf
    """Words that do not make documents alike have no idf."""
    documents: sp.csr_array
    """Rows of length one."""
    values: NDArray[np.float32]
    scale: float = 1.0
    offset: float = 0.0
    """Also the lowest score: that of a document that is like none."""

    def score(self, counts: sp.csr_array) -> NDArray[np.float64]:
        """The mean value of the nearest documents, the more alike the more it counts, as a score."""
        places, likeness, over = self._nearest(_rows(self.weigh, counts))
        means = (likeness * self.values[places]).sum(axis=1) * over
        return np.asarray(means.astype(np.float64) * self.scale + self.offset)

    def explain(self, counts: sp.csr_array) -> sp.csr_array:
        """What each word adds to the score above the offset."""
        rows = _rows(self.weigh, counts)
        places, likeness, over = self._nearest(rows)
        ends = np.arange(0, places.size + 1, places.shape[1])
        worth = ((likeness > 0) * self.values[places] * over[:, None] * np.float32(self.scale)).ravel()
        examples = sp.csr_array((worth, places.ravel(), ends), shape=(rows.shape[0], len(self.values)))
        return sp.csr_array(rows.multiply(examples @ self.documents))

    def save(self) -> tuple[Arrays, dict[str, Any]]:
        """The documents as three arrays, the values and the idf."""
        arrays = {
            "nearest.weights": self.documents.data,
            "nearest.words": self.documents.indices.astype(np.int32),
            "nearest.ends": self.documents.indptr.astype(np.int64),
            "nearest.values": self.values,
            "nearest.idf": self.weigh.idf,
        }
        return arrays, {"scale": self.scale, "offset": self.offset}

    @classmethod
    def restore(cls, arrays: Arrays, saved: dict[str, Any], words: int) -> "Nearest":
        """From what `save` gave, for so many words; a KeyError names what does not fit."""
        for name, kind in KINDS.items():
            array = arrays[f"nearest.{name}"]
            if array.ndim != 1 or array.dtype != kind or not np.isfinite(array).all():
                raise KeyError(f"nearest.{name}")
        scale, offset = float(saved["scale"]), float(saved["offset"])
        if not np.isfinite([scale, offset]).all():
            raise KeyError("nearest.scale")
        weights, places, ends, values, idf = (arrays[f"nearest.{name}"] for name in KINDS)
        if len(idf) != words:
            raise KeyError("nearest.idf")
        if len(places) != len(weights) or ((places < 0) | (places >= words)).any():
            raise KeyError("nearest.words")
        if len(ends) != len(values) + 1 or ends[0] != 0 or ends[-1] != len(places) or (np.diff(ends) < 0).any():
            raise KeyError("nearest.ends")
        documents = sp.csr_array((weights, places, ends), shape=(len(values), words))
        return cls(Tfidf(idf), documents, values, scale, offset)

    @cached_property
    def _columns(self) -> sp.csr_array:
        return sp.csr_array(self.documents.T)

    def _nearest(self, rows: sp.csr_array) -> tuple[NDArray[np.int64], NDArray[np.float32], NDArray[np.float32]]:
        """Where they are, how much alike, and one over the sum of that, or zero."""
        places, likeness = most_alike(rows, self._columns, NEAREST + 1, same=False)
        # One more than needed was found: the document itself goes, or else the least alike.
        each = np.arange(len(likeness))
        most, least = likeness.argmax(axis=1), likeness.argmin(axis=1)
        itself = likeness[each, most] >= COPY
        if likeness.shape[1] > NEAREST:
            likeness[each, np.where(itself, most, least)] = 0.0
        else:
            likeness[each[itself], most[itself]] = 0.0
        likeness = np.maximum(likeness, 0.0)
        total = likeness.sum(axis=1)
        return places, likeness, np.divide(1.0, total, out=np.zeros_like(total), where=total > 0)


def find_nearest(
    counts: sp.csr_array,
    silent: NDArray[np.bool_],
    documents: NDArray[np.int64],
    values: NDArray[np.float64],
    words: int,
    weight: float,
) -> Nearest | None:
    """From the counts of all training documents: those in `documents` are the examples; None if they tell nothing.

    `silent` says which words (columns) have no say. `words` is how many columns later counts will have; those of the
    training documents come first. `weight` is the deviation of the score on training documents.
    """
    idf = np.zeros(words)
    idf[: counts.shape[1]] = np.where(is_rare(counts) & ~silent, inverse_document_frequency(counts), 0.0)
    weigh = Tfidf(idf)
    wide = sp.csr_array((counts.data, counts.indices, counts.indptr), shape=(counts.shape[0], words))
    nearest = Nearest(weigh, _rows(weigh, wide[documents]), values[documents].astype(np.float32))
    some = np.unique(np.linspace(0, counts.shape[0] - 1, min(SAMPLE, counts.shape[0])).astype(int))
    usual = nearest.score(wide[some])
    deviation = float(usual.std())
    if deviation == 0 or np.ptp(nearest.values) <= ROUNDING * nearest.values.max():
        return None
    return replace(nearest, scale=weight / deviation, offset=-weight * float(usual.mean()) / deviation)


def _rows(weigh: Tfidf, counts: sp.csr_array) -> sp.csr_array:
    return unit_rows(heaviest(weigh(counts).astype(np.float32), WORDS))
