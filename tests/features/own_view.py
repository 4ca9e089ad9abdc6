"""A view of a user's own: letters of words, weighed in one of three ways."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.features.rows import Rows, Shares, Tfidf
from keysift.features.view import Documents, FittedView, Part, Role


@dataclass(frozen=True, eq=False)
class Doubled:
    """Rows that no model file knows: twice the counts."""

    size: int

    @property
    def known(self) -> NDArray[np.bool_]:
        return np.ones(self.size, dtype=bool)

    def __call__(self, counts: sp.csr_array) -> sp.csr_array:
        return sp.csr_array(counts * 2.0)


def spelled(words: pl.Series) -> NDArray[np.float64]:
    """The share of some letters in each word."""
    return np.array([[word.count(letter) / len(word) for letter in "aeghkt"] for word in words])


def rows_of(kind: str, words: pl.Series) -> Rows:
    if kind == "shares":
        return Shares(np.array([float(len(word) > 2) for word in words]))
    return Tfidf(np.array([float(len(word)) for word in words])) if kind == "tfidf" else Doubled(len(words))


@dataclass(frozen=True, eq=False)
class FittedLetters:
    X: NDArray[np.float64]
    words: pl.Series
    kind: str

    def transform(self, documents: Documents) -> NDArray[np.float64]:
        return np.asarray(rows_of(self.kind, self.words)(documents.counts) @ spelled(self.words))

    def part(self, coef: NDArray[np.float64], words: pl.Series) -> Part:
        rows = rows_of(self.kind, words)
        return Part(rows, np.where(rows.known, spelled(words) @ coef, 0.0), 0.0)


class Letters:
    """How often documents have some letters; the role may be left out."""

    def __init__(self, kind: str, role: Role | None = None) -> None:
        self.name, self.kind = "letters", kind
        if role is not None:
            self.role = role

    def fit(self, documents: Documents, words: pl.Series) -> FittedView:
        fitted = FittedLetters(np.empty((0, 0)), words, self.kind)
        return FittedLetters(fitted.transform(documents), words, self.kind)

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Letters) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]
