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
"""A training document that is at least so much alike is the document itself, or a copy, and tells nothing of it."""
SAMPLE = 2000
"""Enough training documents to know the usual scores."""
CHUNK = 20_000


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
        scores = np.empty(counts.shape[0])
        for start in range(0, counts.shape[0], CHUNK):
            part = slice(start, start + CHUNK)
            places, likeness, over = self._nearest(self._rows(counts[part]))
            scores[part] = (likeness * self.values[places]).sum(axis=1) * over
        return scores * self.scale + self.offset

    def explain(self, counts: sp.csr_array) -> sp.csr_array:
        """What each word adds to the score above the offset."""
        parts = [sp.csr_array((0, counts.shape[1]))]
        for start in range(0, counts.shape[0], CHUNK):
            rows = self._rows(counts[start : start + CHUNK])
            places, likeness, over = self._nearest(rows)
            ends = np.arange(0, places.size + 1, places.shape[1])
            known = ((likeness > 0) * self.values[places] * over[:, None] * self.scale).ravel()
            examples = sp.csr_array((known, places.ravel(), ends), shape=(rows.shape[0], len(self.values)))
            parts.append(sp.csr_array(rows.multiply(examples @ self.documents)))
        return sp.csr_array(sp.vstack(parts, format="csr"))

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
        places, ends, values = arrays["nearest.words"], arrays["nearest.ends"], arrays["nearest.values"]
        if len(arrays["nearest.idf"]) != words:
            raise KeyError("nearest.idf")
        if len(places) != len(arrays["nearest.weights"]) or ((places < 0) | (places >= words)).any():
            raise KeyError("nearest.words")
        if len(ends) != len(values) + 1 or ends[0] != 0 or ends[-1] != len(places) or (np.diff(ends) < 0).any():
            raise KeyError("nearest.ends")
        documents = sp.csr_array((arrays["nearest.weights"], places, ends), shape=(len(values), words))
        return cls(Tfidf(arrays["nearest.idf"]), documents, values, saved["scale"], saved["offset"])

    @cached_property
    def _columns(self) -> sp.csr_array:
        return sp.csr_array(self.documents.T)

    def _rows(self, counts: sp.csr_array) -> sp.csr_array:
        return _rows(self.weigh, counts)

    def _nearest(self, rows: sp.csr_array) -> tuple[NDArray[np.int64], NDArray[np.float32], NDArray[np.float32]]:
        """Where they are, how much alike, and one over the sum of that, or zero."""
        places, likeness = most_alike(rows, self._columns, NEAREST + 1, same=False)
        likeness = np.where(likeness < COPY, np.maximum(likeness, 0.0), 0.0)
        if likeness.shape[1] > NEAREST:  # one more was found, for a copy; where there is none, the least alike goes
            likeness[np.arange(len(likeness)), likeness.argmin(axis=1)] = 0.0
        total = likeness.sum(axis=1)
        return places, likeness, np.divide(1.0, total, out=np.zeros_like(total), where=total > 0)


def find_nearest(
    counts: sp.csr_array, documents: NDArray[np.int64], values: NDArray[np.float64], words: int, weight: float
) -> Nearest | None:
    """From the counts of all training documents: those in `documents` are the examples; there may be none worth it.

    `words` is how many columns later counts will have; those of the training documents come first. `weight` is the
    deviation of the score on training documents.
    """
    idf = np.zeros(words)
    idf[: counts.shape[1]] = np.where(is_rare(counts), inverse_document_frequency(counts), 0.0)
    weigh = Tfidf(idf)
    wide = sp.csr_array((counts.data, counts.indices, counts.indptr), shape=(counts.shape[0], words))
    nearest = Nearest(weigh, _rows(weigh, wide[documents]), values[documents].astype(np.float32))
    some = np.unique(np.linspace(0, len(documents) - 1, min(SAMPLE, len(documents))).astype(int))
    usual = nearest.score(wide[documents[some]])
    deviation = float(usual.std())
    if deviation == 0:
        return None
    return replace(nearest, scale=weight / deviation, offset=-weight * float(usual.mean()) / deviation)


def _rows(weigh: Tfidf, counts: sp.csr_array) -> sp.csr_array:
    return unit_rows(heaviest(weigh(counts).astype(np.float32), WORDS))
