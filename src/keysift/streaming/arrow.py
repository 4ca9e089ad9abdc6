"""Batches in, batches out: a saved model inside Spark, Dask, or anything else that speaks Arrow.

Spark:  `frame.mapInArrow(keysift.score_batches("sports.keysift"), schema)`
Dask:   `frame.map_partitions(keysift.score_table, "sports.keysift")`
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from keysift.corpus.documents import Corpus, corpus_from
from keysift.corpus.writing import with_other_columns
from keysift.ranker import KeywordRanker
from keysift.streaming.scores import loaded, score_texts


def score_frame(clf: KeywordRanker, corpus: Corpus) -> pl.DataFrame:
    """Id, score, decision and chance of every document, in the order of the input, and its other columns."""
    scored = score_texts(clf, corpus.texts, corpus.vectors)
    decisions = clf.decisions_
    results = pl.DataFrame(
        {
            "id": corpus.ids,
            "score": scored.scores,
            "decision": decisions.positive(scored.scores, scored.out).astype(np.int64),
            "chance": np.where(scored.out, 0.0, decisions.posterior.at(scored.scores)),
        }
    )
    return with_other_columns(results, corpus.columns)


def score_table(table: Any, model: str | Path, *, text: str | None = None, id: str | None = None) -> pl.DataFrame:
    """Score a table of documents with a saved model: id, score, decision and chance before its own columns.

    `table` is anything with the Arrow C interface: a record batch or table of pyarrow, a frame of polars or pandas.
    The model is loaded once in each process.

    >>> from tempfile import TemporaryDirectory
    >>> documents = ["a hockey game", "a tax law", "the hockey team", "the court"]
    >>> with TemporaryDirectory() as folder:
    ...     KeywordRanker(["hockey"], prior=0.5, encoder=None).fit(documents).save(f"{folder}/a.keysift")
    ...     score_table(pl.DataFrame({"text": documents}), f"{folder}/a.keysift")["decision"].to_list()
    [1, 0, 1, 0]
    """
    path = Path(model).resolve()
    clf = loaded(str(path), f"{path.stat().st_size} {path.stat().st_mtime_ns}", None)
    frame = table if isinstance(table, pl.DataFrame) else pl.DataFrame(table)
    if frame.is_empty():
        empty = pl.DataFrame(schema={"id": pl.Int64, "score": pl.Float64, "decision": pl.Int64, "chance": pl.Float64})
        return with_other_columns(empty, frame)
    return score_frame(clf, corpus_from(frame, "the table", text=text, id=id, remembered=clf.columns_))


def score_batches(
    model: str | Path, *, text: str | None = None, id: str | None = None
) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """A function from Arrow record batches to Arrow record batches, as Spark's `mapInArrow` takes one."""

    def score(batches: Iterable[Any]) -> Iterator[Any]:
        for batch in batches:
            scored = score_table(batch, model, text=text, id=id)
            made = getattr(type(batch), "from_pydict", None)  # pyarrow's, where the batch is one of it
            yield scored if made is None else made(scored.to_dict(as_series=False))

    return score
