"""All scores in one place, which decide on the prior and the cut; of very many, a sample by the hash of the content."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from keysift.decide.cuts import Top, cut_rule
from keysift.decide.decisions import Decisions, decide_by
from keysift.decide.prior import check_prior
from keysift.learn.scorer import ViewScorer
from keysift.ranker import KeywordRanker
from keysift.streaming.scores import HASH, HELD, OUT, SCORE
from keysift.threads import in_one_thread

MOST = 1_000_000
"""Scores that prior, chances and cut are told by; of more, those whose content has the lowest hash."""
TOP = 1_000
"""Best documents that are given reasons, whatever is decided of them."""


@dataclass(frozen=True, eq=False)
class Gathered:
    """The scores of the documents that are neither empty nor excluded, or a sample of them."""

    held: NDArray[np.float64]
    """Their scores."""
    holders: int
    """How many of them hold a keyword."""
    documents: int
    """In all."""
    out: int
    """Empty or excluded, in all."""
    with_keyword: int
    """In all."""
    top: float
    """The score of the last document that is given reasons as one of the best."""


def gather(files: Sequence[Path], *, exact: bool = False) -> Gathered:
    """Read the scores of all shards; with `exact` all are kept, however many."""
    kept = pl.DataFrame(schema={SCORE: pl.Float64, HELD: pl.Boolean, HASH: pl.UInt64})
    best = np.empty(0)
    documents = out = with_keyword = 0
    for file in files:
        if SCORE not in (schema := pl.read_parquet_schema(file)) or OUT not in schema:
            continue  # a shard without documents
        part = pl.read_parquet(file, columns=[SCORE, HELD, HASH, OUT])
        documents += part.height
        out += int(part[OUT].sum())
        with_keyword += int(part[HELD].sum())
        part = part.filter(~pl.col(OUT)).drop(OUT)
        best = np.sort(np.concatenate([best, part[SCORE].to_numpy()]))[-TOP:]
        kept = pl.concat([kept, part])
        if kept.height > 2 * MOST and not exact:
            kept = kept.bottom_k(MOST, by=HASH)
    if kept.height > MOST and not exact:
        kept = kept.bottom_k(MOST, by=HASH)
    # In an order that no shard decides: sums of many numbers round by it.
    kept = kept.sort(SCORE)
    top = float(best[0]) if len(best) else np.inf
    return Gathered(kept[SCORE].to_numpy(), int(kept[HELD].sum()), documents, out, with_keyword, top)


def needs_all(threshold: object) -> bool:
    """Whether a cut counts documents, so that a sample of their scores would not do."""
    return isinstance(cut_rule(threshold), Top)


@in_one_thread
def decide_all(clf: KeywordRanker, gathered: Gathered) -> Decisions:
    """The decisions about all documents, by the prior and the threshold that the ranker was asked for."""
    asked, rule = check_prior(clf.prior), cut_rule(clf.threshold)
    measured = isinstance(clf.model_.scorer, ViewScorer)
    return decide_by(asked, gathered.held, gathered.holders, rule, measured)
