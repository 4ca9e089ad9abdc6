"""The keyword table: what each keyword finds, and what it alone finds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.keywords.expansion import Expansion, Keyword
from keysift.keywords.quality import AMBIGUOUS, ONLY, UNCLEAR, Belief
from keysift.text import Term

__all__ = ["HEADS", "NEAREST", "NUMBERS", "UNTOLD", "ExpansionRow", "KeywordRow", "doubts", "keyword_table", "to_drop"]

UNTOLD = {
    UNCLEAR: "the keywords hardly find each other's documents: they may mean several things",
    ONLY: "only one keyword finds documents",
}
"""Verdicts that leave open which keyword to drop, and why."""


@dataclass(frozen=True)
class ExpansionRow:
    """An expansion and the number of documents that hold it."""

    word: str
    similarity: float
    documents: int
    used: bool = True
    """Whether it has a say; a stop word has none."""
    belief: float | None = None
    """As for a keyword, by the documents that hold no keyword."""
    verdict: str = ""

    @property
    def cell(self) -> str:
        """The expansion as text."""
        found = f"{self.documents:,}" if self.used else "stop word"
        doubt = f", {AMBIGUOUS}" if self.verdict == AMBIGUOUS else ""
        return f"{self.word} {self.similarity:.2f} ({found}{doubt})"


@dataclass(frozen=True)
class KeywordRow:
    """All there is to say about a keyword without a label."""

    keyword: str
    weight: float
    documents: int
    """Documents that hold the keyword itself."""
    share: float
    """The same as a share of all documents."""
    in_vectors: bool
    expansions: tuple[ExpansionRow, ...]
    alone: int
    """Documents that hold this keyword or its expansions, and none of any other keyword's."""
    examples: tuple[int, ...]
    """Up to three documents that hold the keyword, most similar first; without one, its expansions'."""
    belief: float | None = None
    """How well its documents are found by the other keywords, an AUC; None where that is not known."""
    verdict: str = ""
    """What follows from it (see `keysift.keywords.quality`); empty without a fit."""

    @property
    def cells(self) -> tuple[str, ...]:
        """The row as text, in the order of `HEADS`."""
        return (
            self.keyword,
            f"{self.weight:g}",
            f"{self.documents:,}",
            f"{self.share:.2%}",
            "yes" if self.in_vectors else "no",
            f"{self.alone:,}",
            "" if self.belief is None else f"{self.belief:.2f}",
            self.verdict,
            ", ".join(near.cell for near in self.expansions),
        )


NEAREST = "nearest words: similarity (documents)"
HEADS = ("keyword", "weight", "documents", "share", "vector", "alone", "belief", "verdict", NEAREST)
NUMBERS = (1, 2, 3, 5, 6)
"""The columns that hold numbers."""


def keyword_table(
    keywords: Sequence[Keyword],
    terms: Sequence[Term],
    matches: sp.csr_array,
    similarity: NDArray[np.float64],
    beliefs: Mapping[Term, Belief] | None = None,
) -> list[KeywordRow]:
    """One row a keyword, from the counts of `terms` in each document; `beliefs` where something was learned.

    >>> hockey = Keyword("hockey", ("hockey",), 1.0, True, (Expansion("nhl", ("nhl",), 0.7),))
    >>> matches = sp.csr_array(np.array([[1.0, 0.0], [0.0, 2.0], [0.0, 0.0]]))
    >>> keyword_table([hockey], [("hockey",), ("nhl",)], matches, np.array([0.5, 0.9, 0.0]))
    [KeywordRow(keyword='hockey', weight=1.0, documents=1, share=0.333..., in_vectors=True,
        expansions=(ExpansionRow(word='nhl', similarity=0.7, documents=1, used=True, belief=None, verdict=''),),
        alone=2, examples=(0,), belief=None, verdict='')]
    """
    column_of = {term: column for column, term in enumerate(terms)}
    columns = sp.csc_array(matches)
    by_term = np.diff(columns.indptr)
    unknown = Belief(None, 0, "")
    known = beliefs or {}

    def documents_with(term: Term) -> NDArray[np.int64]:
        column = column_of.get(term)
        if column is None:
            return np.empty(0, dtype=np.int64)
        return columns.indices[columns.indptr[column] : columns.indptr[column + 1]].astype(np.int64)

    def documents_of(keyword: Keyword) -> NDArray[np.int64]:
        own = [documents_with(keyword.term), *(documents_with(near.term) for near in keyword.expansions)]
        return np.unique(np.concatenate(own))

    def expansion_row(near: Expansion) -> ExpansionRow:
        column = column_of.get(near.term)
        documents = 0 if column is None else int(by_term[column])
        belief = known.get(near.term, unknown)
        return ExpansionRow(
            near.word, near.similarity, documents, column is not None, belief=belief.value, verdict=belief.verdict
        )

    pulled = [documents_of(keyword) for keyword in keywords]
    by_document = np.bincount(np.concatenate([np.empty(0, np.int64), *pulled]), minlength=matches.shape[0])
    rows = []
    for keyword, pulls in zip(keywords, pulled, strict=True):
        own, belief = documents_with(keyword.term), known.get(keyword.term, unknown)
        candidates = own if len(own) else pulls
        best = candidates[np.argsort(-similarity[candidates], kind="stable")][:3]
        rows.append(
            KeywordRow(
                keyword=keyword.text,
                weight=keyword.weight,
                documents=len(own),
                share=len(own) / matches.shape[0],
                in_vectors=keyword.in_vectors,
                expansions=tuple(expansion_row(near) for near in keyword.expansions),
                alone=int((by_document[pulls] == 1).sum()),
                examples=tuple(best.tolist()),
                belief=belief.value,
                verdict=belief.verdict,
            )
        )
    return rows


def doubts(rows: Sequence[KeywordRow]) -> list[str]:
    """What might be dropped, and why, a phrase for each keyword or expansion.

    >>> doubts([KeywordRow("also", 1.0, 90, 0.5, True, (), 80, (), belief=0.52, verdict=AMBIGUOUS)])
    ['also (belief 0.52: its documents are not what the others look for)']
    """
    reason = "its documents are not what the others look for"
    keywords = [f"{row.keyword} (belief {row.belief:.2f}: {reason})" for row in rows if row.verdict == AMBIGUOUS]
    near = {
        row.word: f"{row.word}, near {keyword.keyword} (belief {row.belief:.2f}: {reason})"
        for keyword in rows
        for row in keyword.expansions
        if row.verdict == AMBIGUOUS
    }
    return [*keywords, *near.values()]


def to_drop(rows: Sequence[KeywordRow]) -> str:
    """What might be dropped, or why that cannot be told, as a sentence without its dot.

    >>> to_drop([KeywordRow("also", 1.0, 90, 0.5, True, (), 80, (), belief=0.52, verdict=UNCLEAR)])
    "cannot be told, because the keywords hardly find each other's documents: they may mean several things"
    """
    verdicts = {row.verdict for row in rows}
    why = [f"cannot be told, because {reason}" for verdict, reason in UNTOLD.items() if verdict in verdicts]
    return "; ".join([*why, *doubts(rows)]) or "none"
