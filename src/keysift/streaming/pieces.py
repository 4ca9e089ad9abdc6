"""Pass 3: ranks, decisions and reasons, piece by piece of the result."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from keysift.corpus.columns import joined
from keysift.corpus.shards import Chosen
from keysift.corpus.writing import with_other_columns
from keysift.decide.decisions import Decisions
from keysift.ranker import KeywordRanker
from keysift.scoring import rank_new
from keysift.streaming.ledger import finish
from keysift.streaming.scores import FAST, HELD, ID, OUT, OWN, SCORE, VECTOR, loaded, score_texts
from keysift.streaming.sorting import sorted_bucket

LISTS: dict[str, pl.DataType | type[pl.DataType]] = {
    "evidence": pl.String,
    "matched": pl.List(pl.String),
    "words": pl.List(pl.String),
}
"""The columns of reasons."""
REASONED = 10_000
"""Documents whose reasons are found together: what every word adds takes far more room than what is told of it."""
FILLED = (pl.col("evidence").fill_null(""), pl.col("matched", "words").fill_null([]))
"""The same where there are none."""


@dataclass(frozen=True)
class PieceJob:
    """How rows with a score become rows of the result."""

    folder: str
    model: str
    fingerprint: str
    chosen: Chosen
    decisions: Decisions
    top: float
    """Documents with this score or a better one are given reasons, and those that are decided positive."""
    encoder: str | None = None
    encode: bool = True
    all_reasons: bool = False
    with_text: bool = False
    """Whether the text is a column of its own, because no other one would be found as it."""


def piece_name(number: int) -> str:
    """The file of a piece of the result."""
    return f"part-{number:06d}.parquet"


def finish_bucket(item: tuple[int, int], job: PieceJob) -> dict[str, Any]:
    """The piece of one bucket, whose best document has this rank."""
    number, rank = item
    rows = sorted_bucket(Path(job.folder), number)
    ranks = pl.Series("rank", np.arange(rank, rank + rows.height))
    return _finish(rows, ranks, number, job)


def finish_rows(item: tuple[int, str], job: PieceJob) -> dict[str, Any]:
    """The piece of rows in the order of the input."""
    number, file = item
    return _finish(pl.read_ipc(file), None, number, job)


def _finish(rows: pl.DataFrame, ranks: pl.Series | None, number: int, job: PieceJob) -> dict[str, Any]:
    clf = loaded(job.model, job.fingerprint, job.encoder)
    piece = result_rows(rows, ranks, clf, job)
    info = {"documents": piece.height, "positive": int(piece["decision"].sum())}
    return finish(Path(job.folder), piece_name(number), lambda path: piece.write_parquet(path, compression=FAST), info)


def result_rows(rows: pl.DataFrame, ranks: pl.Series | None, clf: KeywordRanker, job: PieceJob) -> pl.DataFrame:
    """Rows of the result: what `rank` writes, and the columns of the input; without `ranks` there are none."""
    scores, out = rows[SCORE].to_numpy(), rows[OUT].to_numpy()
    positive = job.decisions.positive(scores, out)
    texts = joined(rows, job.chosen.text)
    results = pl.DataFrame({"id": rows[ID]})
    if ranks is not None:
        results = results.with_columns(ranks)
    results = results.with_columns(
        pl.Series("score", scores),
        pl.Series("decision", positive.astype(np.int64)),
        pl.Series("chance", np.where(out, 0.0, job.decisions.posterior.at(scores))),
        pl.Series("pseudo_positive", rows[HELD].cast(pl.Int64)),
    )
    wanted = np.flatnonzero(positive | (scores >= job.top) | job.all_reasons)
    results = results.hstack(_reasons(rows, texts, wanted, clf, job))
    results = results.with_columns(pl.lit(clf.model_.fingerprint).alias("model"))
    if job.with_text:
        results = results.with_columns(texts.alias("text"))
    return with_other_columns(results, rows.select(pl.exclude(f"^{OWN}.*$")))


def _reasons(
    rows: pl.DataFrame, texts: pl.Series, wanted: NDArray[np.int64], clf: KeywordRanker, job: PieceJob
) -> pl.DataFrame:
    everyone = pl.DataFrame({"row": np.arange(rows.height)})
    if not len(wanted):
        return everyone.with_columns(pl.lit(None, kind).alias(name) for name, kind in LISTS.items()).select(*FILLED)
    blocks = [wanted[start : start + REASONED] for start in range(0, len(wanted), REASONED)]
    told = pl.concat(_reasons_of(rows, texts, block, clf, job) for block in blocks)
    return everyone.join(told, on="row", how="left", maintain_order="left").select(*FILLED)


def _reasons_of(
    rows: pl.DataFrame, texts: pl.Series, wanted: NDArray[np.int64], clf: KeywordRanker, job: PieceJob
) -> pl.DataFrame:
    vectors = rows[VECTOR].gather(wanted).to_list() if VECTOR in rows.columns else None
    scored = score_texts(clf, texts.gather(wanted), vectors and np.array(vectors, np.float32), encode=job.encode)
    reasons = rank_new(clf.model_, scored, job.decisions).reasons(np.arange(len(wanted)))
    return pl.DataFrame({"row": wanted}).hstack(reasons.select(*LISTS))
