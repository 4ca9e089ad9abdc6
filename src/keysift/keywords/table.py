"""The keyword table: what each keyword finds, and what only it finds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import overload

import numpy as np
import polars as pl
import scipy.sparse as sp
from numpy.typing import NDArray
from polars.datatypes import DataType, DataTypeClass

from keysift.keywords.beliefs import Belief
from keysift.keywords.exclusions import Exclusions
from keysift.keywords.expansion import Expansion, Keyword
from keysift.text.counts import Term

EXCLUDED = "excluded"
"""The verdict on a keyword whose documents count as negatives."""
COLUMNS: dict[str, DataType | DataTypeClass] = {
    "keyword": pl.String,
    "weight": pl.Float64,
    "documents": pl.Int64,
    "share": pl.Float64,
    "alone": pl.Int64,
    "belief": pl.Float64,
    "verdict": pl.String,
    "expansions": pl.List(pl.String),
    "examples": pl.List(pl.Int64),
}
"""Of the table as a frame."""


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


@dataclass(frozen=True)
class KeywordTable(Sequence[KeywordRow]):
    """The rows of a keyword table, which print as a polars frame.

    >>> table = KeywordTable((KeywordRow("goal", 1.0, 9, 0.5, True, (), 9, (0, 3), 0.875, "fits"),))
    >>> table[0].documents, table.frame().columns
    (9, ['keyword', 'weight', 'documents', 'share', 'alone', 'belief', 'verdict', 'expansions', 'examples'])
    >>> table
    shape: (1, 9)
    ...
    """

    rows: tuple[KeywordRow, ...]

    @overload
    def __getitem__(self, place: int) -> KeywordRow: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[KeywordRow, ...]: ...
    def __getitem__(self, place: int | slice) -> KeywordRow | tuple[KeywordRow, ...]:
        """One row, or some."""
        return self.rows[place]

    def __len__(self) -> int:
        return len(self.rows)

    def frame(self) -> pl.DataFrame:
        """The table as a frame: a row a keyword, expansions and examples as lists."""
        names = ("keyword", "weight", "documents", "share", "alone", "belief", "verdict")
        plain = [{name: getattr(row, name) for name in names} for row in self.rows]
        lists = [{"expansions": [near.word for near in row.expansions], "examples": row.examples} for row in self.rows]
        rows = [one | other for one, other in zip(plain, lists, strict=True)]
        return pl.DataFrame(rows, schema=COLUMNS)

    def __repr__(self) -> str:
        wide = pl.Config(
            tbl_cols=-1, tbl_rows=-1, tbl_width_chars=160, tbl_hide_column_data_types=True, float_precision=2
        )
        with wide:
            return repr(self.frame())

    def _repr_html_(self) -> str:
        return self.frame()._repr_html_()


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
