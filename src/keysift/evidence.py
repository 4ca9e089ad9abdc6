"""A reason for every hit: the keywords a document holds, and the words that moved its score most.

The score is a sum over the words of the document, but for a constant (`keysift.learn.scorer`), so what each word adds
to it is exact.
"""

from collections.abc import Collection, Sequence

import numpy as np
import polars as pl
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.keywords.syntax import WITH_EXCLUDED
from keysift.text.counts import Term
from keysift.text.scripts import spelled

WORDS_SHOWN = 5
TERMS_SHOWN = 8


def top_of_each_row(matrix: sp.csr_array, k: int = WORDS_SHOWN) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Columns and values of the k entries of greatest absolute value in each row; column -1 where there are fewer.

    >>> columns, values = top_of_each_row(sp.csr_array(np.array([[1.0, -3.0, 2.0], [0.0, 0.0, 0.0]])), k=2)
    >>> columns.tolist(), values.tolist()
    ([[1, 2], [-1, -1]], [[-3.0, 2.0], [0.0, 0.0]])
    """
    columns = np.full((matrix.shape[0], k), -1, dtype=np.int64)
    values = np.zeros((matrix.shape[0], k))
    lengths = np.diff(matrix.indptr)
    rows = np.flatnonzero(lengths)
    starts, owners = matrix.indptr[rows], np.repeat(np.arange(len(rows)), lengths[rows])
    size = np.abs(matrix.data)
    for place in range(k if len(rows) else 0):
        largest = np.maximum.reduceat(size, starts)
        hits = np.flatnonzero((size == largest[owners]) & (size > 0))
        first = hits[np.flatnonzero(np.diff(owners[hits], prepend=-1))]  # one a row, where values are tied
        columns[rows[owners[first]], place] = matrix.indices[first]
        values[rows[owners[first]], place] = matrix.data[first]
        size[first] = -1.0
    return columns, values


def evidence_frame(
    matches: sp.csr_array,
    terms: Sequence[Term],
    moved: sp.csr_array,
    words: pl.Series,
    expansions: Collection[Term] = (),
    excluded: Sequence[Term] = (),
) -> pl.DataFrame:
    """One row a document: `matched` terms, the `words` that moved it, their `contributions`, and all as `evidence`.

    Terms that are `expansions` are told apart from the keywords themselves. The last columns of `matches` are those of
    `excluded` terms, which are matched with a hyphen.

    >>> matches = sp.csr_array(np.array([[1.0], [0.0]]))
    >>> moved = sp.csr_array(np.array([[0.5, 0.0], [0.0, -0.25]]))
    >>> evidence_frame(matches, [("ice", "hockey")], moved, pl.Series(["puck", "tax"]))["evidence"].to_list()
    ['keywords: ice hockey; moved by: puck +0.50', 'moved by: tax -0.25']
    >>> evidence_frame(matches, [], moved, pl.Series(["puck", "tax"]), excluded=[("ice",)])["evidence"][0]
    'excluded: ice; moved by: puck +0.50'
    """
    columns, values = top_of_each_row(moved)
    documents, places = columns.shape
    flat = pl.DataFrame(
        {
            "document": np.repeat(np.arange(documents), places),
            "word": words.gather(np.where(columns < 0, 0, columns).ravel()) if len(words) else [None] * columns.size,
            "contribution": values.ravel(),
        },
        schema_overrides={"word": pl.String},
    ).filter(pl.Series(columns.ravel() >= 0))
    # No more than a whole number can hold, which only a model that somebody made up would add.
    hundredths = (pl.col("contribution").abs() * 100).round().clip(upper_bound=1e18).cast(pl.Int64)
    signed = pl.format(
        "{} {}{}.{}",
        "word",
        pl.when(pl.col("contribution") < 0).then(pl.lit("-")).otherwise(pl.lit("+")),
        hundredths // 100,
        (hundredths % 100).cast(pl.String).str.zfill(2),
    )
    by_words = (
        flat.with_columns(moved=signed)
        .group_by("document", maintain_order=True)
        .agg(words=pl.col("word"), contributions=pl.col("contribution"), moved=pl.col("moved"))
        .with_columns(pl.col("moved").list.join(", "))  # to join them group by group takes five times as long
    )
    shown = [*map(spelled, terms), *(f"-{spelled(term)}" for term in excluded)]
    names = pl.Series("term", shown, dtype=pl.String)
    near = pl.Series("near", [*(term in expansions for term in terms), *(False for _ in excluded)], dtype=pl.Boolean)
    out = pl.Series("out", [False] * len(terms) + [True] * len(excluded), dtype=pl.Boolean)
    found = pl.DataFrame(
        {
            "document": np.repeat(np.arange(documents), np.diff(matches.indptr)),
            "term": names.gather(matches.indices),
            "near": near.gather(matches.indices),
            "out": out.gather(matches.indices),
        }
    )
    term = pl.col("term")
    by_terms = found.group_by("document", maintain_order=True).agg(
        matched=term,
        held=_few(term.filter(~pl.col("near") & ~pl.col("out"))),
        near=_few(term.filter(pl.col("near"))),
        out=_few(term.filter(pl.col("out")).str.slice(1)),
    )
    return (
        pl.DataFrame({"document": np.arange(documents)})
        .join(by_terms, on="document", how="left", maintain_order="left")
        .join(by_words, on="document", how="left", maintain_order="left")
        .select(
            pl.col("matched", "words", "contributions").fill_null([]),
            evidence=pl.concat_str(
                pl.format(f"{WITH_EXCLUDED}{{}}", "out"),
                pl.format("keywords: {}", "held"),
                pl.format("near them: {}", "near"),
                pl.format("moved by: {}", "moved"),
                separator="; ",
                ignore_nulls=True,
            ).fill_null(""),
        )
    )


def _few(terms: pl.Expr) -> pl.Expr:
    """The first of them, and how many more there are; null where there is none."""
    count = terms.len()
    more = pl.when(count > TERMS_SHOWN).then(pl.format(" and {} more", count - TERMS_SHOWN)).otherwise(pl.lit(""))
    return pl.when(count > 0).then(pl.concat_str(terms.head(TERMS_SHOWN).str.join(", "), more))
