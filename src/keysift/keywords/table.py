"""The keyword table: what each keyword finds, and what only it finds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.keywords.beliefs import Belief
from keysift.keywords.exclusions import Exclusions
from keysift.keywords.expansion import Expansion, Keyword
from keysift.text.counts import Term

EXCLUDED = "excluded"
"""The verdict on a keyword whose documents count as negatives."""


@dataclass(frozen=True)
class ExpansionRow:
    """An expansion and the number of documents that hold it."""

    word: str
    similarity: float
    documents: int
    used: bool = True
    """Whether it counts; a stop word does not."""
    belief: float | None = None
    """As for a keyword, from the documents without a keyword."""
    verdict: str = ""


@dataclass(frozen=True)
class KeywordRow:
    """All that is known about a keyword without labels."""

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
    """Up to three documents that hold the keyword, or else one of its expansions; most similar first."""
    belief: float | None = None
    """How well its documents are found by the other keywords, an AUC; None where that is not known."""
    verdict: str = ""
    """What follows from it (see `keysift.keywords.beliefs`); empty without a fit."""


def keyword_table(
    keywords: Sequence[Keyword],
    terms: Sequence[Term],
    matches: sp.csr_array,
    similarity: NDArray[np.float64],
    beliefs: Mapping[Term, Belief] | None = None,
) -> list[KeywordRow]:
    """One row per keyword, from the counts of `terms` in each document; `beliefs` are known after a fit.

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
                share=len(own) / max(1, matches.shape[0]),
                in_vectors=keyword.in_vectors,
                expansions=tuple(expansion_row(near) for near in keyword.expansions),
                alone=int((by_document[pulls] == 1).sum()),
                examples=tuple(best.tolist()),
                belief=belief.value,
                verdict=belief.verdict,
            )
        )
    return rows


def excluded_rows(exclusions: Exclusions | None) -> list[KeywordRow]:
    """One row for each excluded keyword: how many documents hold it, and the first of them.

    >>> love = Keyword("-love", ("love",), 1.0, False, ())
    >>> exclusions = Exclusions((love,), sp.csr_array(np.array([[1.0], [0.0]])), np.zeros(1, dtype=np.int64))
    >>> [(row.keyword, row.documents, row.share, row.verdict) for row in excluded_rows(exclusions)]
    [('-love', 1, 0.5, 'excluded')]
    """
    if exclusions is None:
        return []
    columns = sp.csc_array(exclusions.matches)
    held = [columns.indices[start:stop] for start, stop in pairwise(columns.indptr)]
    return [
        KeywordRow(
            keyword=keyword.text,
            weight=keyword.weight,
            documents=len(rows),
            share=len(rows) / max(1, columns.shape[0]),
            in_vectors=False,
            expansions=(),
            alone=0,
            examples=tuple(np.sort(rows)[:3].tolist()),
            verdict=EXCLUDED,
        )
        for keyword, rows in zip(exclusions.keywords, held, strict=True)
    ]
