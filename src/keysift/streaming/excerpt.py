"""Some of a result, for a page about all of it: the best documents, and every so manieth of the ranking."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from keysift.corpus.documents import Corpus, corpus_from
from keysift.corpus.shards import Chosen
from keysift.decide.decisions import Decisions
from keysift.ranker import KeywordRanker
from keysift.scoring import rank_new
from keysift.streaming.gathered import Gathered
from keysift.streaming.scores import score_texts

BEST = 100
"""Best documents that are taken in any case."""
MOST = 10_000
"""Others, about."""


@dataclass(frozen=True, eq=False)
class Excerpt:
    """Some documents of a ranking, and what there is of all of them."""

    corpus: Corpus
    ranking: pl.DataFrame
    """As `rank` makes it; the ranks are those in the whole ranking."""
    every: int
    """Beside the best, each whose rank is a multiple of this is in it."""
    documents: int
    with_keyword: int
    positive: int

    def __str__(self) -> str:
        return (
            f"This page shows {len(self.ranking):,} of {self.documents:,} documents: the best {BEST} and those of every"
            f" {self.every:,}th rank. The numbers at its head are of all documents, tables and pictures of those shown."
        )


def excerpt_of(
    pieces: Sequence[Path],
    source: str,
    chosen: Chosen,
    clf: KeywordRanker,
    decisions: Decisions,
    gathered: Gathered,
    positive: int,
    *,
    encode: bool,
) -> Excerpt:
    """Read some rows of the pieces of a ranking, and give reasons for each."""
    every = max(1, gathered.documents // MOST)
    wanted = (pl.col("rank") <= BEST) | (pl.col("rank") % every == 0)
    rows = pl.concat(pl.scan_parquet(piece, glob=False).filter(wanted).collect() for piece in pieces)
    corpus = corpus_from(rows, source, text=chosen.text, id="id", vector_column=chosen.vector_column)
    scored = score_texts(clf, corpus.texts, corpus.vectors, encode=encode)
    ranking = rank_new(clf.model_, scored, decisions).frame()
    ranking = ranking.with_columns(rows["rank"].gather(ranking["document"]))
    return Excerpt(corpus, ranking, every, gathered.documents, gathered.with_keyword, positive)
