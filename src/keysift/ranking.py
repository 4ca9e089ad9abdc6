"""Documents in order, best first, with reasons for the rows that are asked for."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.evidence import evidence_frame
from keysift.keywords.exclusions import Exclusions
from keysift.keywords.syntax import NO_WORDS
from keysift.learn.scorer import Scorer
from keysift.text.counts import Term
from keysift.text.tokens import index_of


@dataclass(frozen=True, eq=False)
class Ranking:
    """Scores and decisions of documents, and what is needed to give reasons for them."""

    scores: NDArray[np.float64]
    positive: NDArray[np.bool_]
    """Whether each document is decided positive."""
    pseudo_positive: NDArray[np.bool_]
    """Whether it is in the corrupted positive set or, of new documents, holds a keyword or expansion."""
    empty: NDArray[np.bool_]
    chances: NDArray[np.float64]
    """The chance of each document to be relevant, as far as the prior is right."""
    matches: sp.csr_array
    """How often each document holds each term."""
    terms: Sequence[Term]
    own_terms: Sequence[Term]
    """The keywords themselves; other terms are expansions."""
    scorer: Scorer
    readable: Any
    """The documents as the scorer reads them."""
    exclusions: Exclusions | None = None
    """Where excluded keywords occur: these documents come last, before the empty ones."""

    def __len__(self) -> int:
        return len(self.scores)

    @cached_property
    def order(self) -> NDArray[np.int64]:
        """Places of the documents, best first; excluded and then empty ones last, ties in the order of the input."""
        return np.lexsort((np.arange(len(self.scores)), -self.scores, self.empty))

    @cached_property
    def ranks(self) -> NDArray[np.int64]:
        """The rank of each document, from 1 on."""
        ranks = np.empty(len(self), dtype=np.int64)
        ranks[self.order] = np.arange(1, len(self) + 1)
        return ranks

    def page(self, start: int = 0, n: int = 20) -> pl.DataFrame:
        """So many rows from `start` on, with their reasons; the columns are those of `KeywordClassifier.rank`."""
        return self.rows(self.order[start : start + n])

    def rows(self, documents: NDArray[np.int64]) -> pl.DataFrame:
        """The rows of some documents, by their places in the input, with their reasons."""
        return self._frame(documents, self.scorer.explain(self.readable.take(documents), self.scores[documents]))

    def frame(self) -> pl.DataFrame:
        """All rows with their reasons."""
        moved = self.scorer.explain(self.readable, self.scores)
        return self._frame(self.order, moved[self.order])

    def outline(self) -> pl.DataFrame:
        """All rows without reasons, which takes no time: document, rank, score and decision."""
        return pl.DataFrame(
            {
                "document": self.order,
                "rank": np.arange(1, len(self) + 1),
                "score": self.scores[self.order],
                "decision": self.positive[self.order].astype(np.int64),
            }
        )

    def evidence(self, documents: NDArray[np.int64]) -> pl.Series:
        """The reasons for some documents, a line each, by their places in the input."""
        return self.reasons(documents)["evidence"]

    def reasons(self, documents: NDArray[np.int64]) -> pl.DataFrame:
        """The reasons for some documents in columns: matched, words, contributions and evidence."""
        moved = self.scorer.explain(self.readable.take(documents), self.scores[documents])
        return self._evidence(moved, documents)

    def _evidence(self, moved: sp.csr_array, rows: NDArray[np.int64]) -> pl.DataFrame:
        empty = self.empty[rows]
        if not empty.any():
            return self._reasons(moved, rows)
        # Nothing speaks for or against it, not even its sentence vector.
        said = np.repeat(~empty, np.diff(moved.indptr))
        reasons = self._reasons(sp.csr_array((moved.data * said, moved.indices, moved.indptr), shape=moved.shape), rows)
        told = pl.when(pl.Series(empty)).then(pl.lit(NO_WORDS)).otherwise(pl.col("evidence")).alias("evidence")
        return reasons.with_columns(told)

    def _reasons(self, moved: sp.csr_array, rows: NDArray[np.int64]) -> pl.DataFrame:
        expansions = set(self.terms) - set(self.own_terms)
        if self.exclusions is None or not self.exclusions.keywords:
            return evidence_frame(self.matches[rows], self.terms, moved, self.scorer.words, expansions)
        excluded = [keyword.term for keyword in self.exclusions.keywords]
        both = sp.csr_array(sp.hstack([self.matches[rows], self.exclusions.matches[rows]]))
        return evidence_frame(both, self.terms, moved, self.scorer.words, expansions, excluded)

    def _frame(self, rows: NDArray[np.int64], moved: sp.csr_array) -> pl.DataFrame:
        return pl.DataFrame(
            {
                "document": rows,
                "rank": self.ranks[rows],
                "score": self.scores[rows],
                "decision": self.positive[rows].astype(np.int64),
                "chance": self.chances[rows],
                "pseudo_positive": self.pseudo_positive[rows].astype(np.int64),
            }
        ).hstack(self._evidence(moved, rows))


def with_index(frame: pl.DataFrame, documents: Any) -> pl.DataFrame:
    """The frame of a ranking with the index of its documents, where they are a pandas series with one of its own.

    >>> with_index(pl.DataFrame({"document": [1, 0], "rank": [1, 2]}), ["a goal", "rain"]).columns
    ['document', 'rank']
    """
    index = index_of(documents)
    return frame if index is None else frame.insert_column(1, index.gather(frame["document"]))
