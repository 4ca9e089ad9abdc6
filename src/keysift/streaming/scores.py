"""Pass 2: every document through the scorer, shard by shard."""

import time
import warnings
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import numpy as np
import polars as pl

from keysift.corpus.shards import Chosen, Shard, read_documents
from keysift.errors import KeysiftWarning
from keysift.keywords.match import count_in
from keysift.loading import load_as
from keysift.ranker import KeywordRanker
from keysift.scoring import Scored, score
from keysift.streaming.content_hash import content_hash
from keysift.streaming.ledger import finish

OWN = "__keysift_"
"""Before the names of our columns, so that they are no column of the input."""
ID, ROW, SCORE, EMPTY, OUT, HELD, HASH, VECTOR = (
    f"{OWN}{name}" for name in ("id", "row", "score", "empty", "out", "held", "hash", "vector")
)
FAST: Literal["lz4"] = "lz4"
"""Compression of what is read again in a moment."""


@dataclass(frozen=True)
class ScoreJob:
    """What every shard is scored by."""

    folder: str
    model: str
    """The file of the model."""
    fingerprint: str
    """Of the model, so that a worker knows another one."""
    chosen: Chosen
    encoder: str | None = None
    """The encoder that a user allowed to load, where it is not the one that comes with keysift."""
    encode: bool = True
    """Whether documents are encoded; if not, taught words stand in for their vectors."""


def scored_name(number: int) -> str:
    """The file that keeps a scored shard."""
    return f"scored-{number:06d}.parquet"


@lru_cache(maxsize=2)
def loaded(model: str, fingerprint: str, encoder: str | None) -> KeywordRanker:
    """The model of a file, loaded once in each process."""
    return load_as(KeywordRanker, model, encoder=encoder)


def score_texts(clf: KeywordRanker, texts: pl.Series, vectors: Any = None, *, encode: bool = True) -> Scored:
    """Scores of documents by a loaded model."""
    return score(clf.model_, texts, encoder=clf.encoder_, embeddings=vectors, encode=encode)


def score_shard(item: tuple[int, Shard], job: ScoreJob) -> dict[str, Any]:
    """Score the documents of one shard, and keep them with all their columns."""
    number, shard = item
    started = time.process_time()
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", KeysiftWarning)
        clf = loaded(job.model, job.fingerprint, job.encoder)
        corpus = read_documents(shard, job.chosen)
        if corpus is None:
            frame = pl.DataFrame(schema={ROW: pl.Int64, SCORE: pl.Float64})
        else:
            scored = score_texts(clf, corpus.texts, corpus.vectors, encode=job.encode)
            model = clf.model_
            matches, _ = scored.found or count_in(scored.tokens, model.terms, model.reading)
            own = pl.DataFrame(
                {
                    ROW: np.arange(len(corpus.texts)),
                    SCORE: scored.scores,
                    EMPTY: scored.empty,
                    OUT: scored.out,
                    HELD: np.diff(matches.indptr) > 0,
                    HASH: content_hash(corpus.texts),
                }
            )
            if corpus.vectors is not None:
                own = own.with_columns(pl.Series(VECTOR, corpus.vectors.tolist(), dtype=pl.List(pl.Float32)))
            ids = [corpus.ids.alias(ID)] if job.chosen.id is not None or shard.files else []
            frame = own.with_columns(ids).hstack(corpus.columns)
    info = {
        "documents": frame.height,
        "bytes": int(frame.estimated_size()),
        "prefix": shard.prefix,
        "seconds": time.process_time() - started,
        "warnings": list(dict.fromkeys(str(warning.message) for warning in said)),
    }
    return finish(Path(job.folder), scored_name(number), lambda path: frame.write_parquet(path, compression=FAST), info)
