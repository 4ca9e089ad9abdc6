"""Pass 1: count what adds up over shards, and choose the training documents by a hash of their content.

All documents with a keyword are taken, up to a cap, and of the others a sample; each stands for as many as there are
of its kind for each that is taken, so the corrupted sets keep their proportions. The choice depends neither on the
order of the documents nor on who reads which: one process, many and a cluster choose the same.
"""

import json
import time
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from keysift.corpus.shards import Chosen, Shard, read_documents
from keysift.errors import KeysiftWarning
from keysift.files.atomic import written_whole
from keysift.keywords.expansion import Keyword
from keysift.keywords.match import count_in
from keysift.settings import Settings
from keysift.streaming.content_hash import content_hash
from keysift.streaming.ledger import finish
from keysift.text.counts import Term
from keysift.text.tokens import tokenize

ABOVE = 2**64 - 1
"""The highest hash."""
BOUNDS = "bounds"
"""The file of the bounds."""
HELD_SHARE = 2
"""Of the sample, one in so many at most holds a keyword, unless there are too few others."""


@dataclass(frozen=True)
class SurveyJob:
    """What every shard is asked."""

    folder: str
    chosen: Chosen
    terms: tuple[Term, ...]
    excluded: tuple[Keyword, ...]
    settings: Settings
    """With the language of the documents."""
    sample: int


@dataclass(frozen=True)
class Survey:
    """What adds up over shards."""

    documents: int = 0
    empty: int = 0
    held: int = 0
    """With a keyword or an expansion, and no excluded keyword."""
    excluded: int = 0
    bytes: int = 0
    by_term: tuple[int, ...] = ()
    """Documents with each term."""

    @classmethod
    def restore(cls, info: Mapping[str, Any]) -> "Survey":
        """From what is kept of one shard."""
        numbers = {name: int(info[name]) for name in ("documents", "empty", "held", "excluded", "bytes")}
        return cls(**numbers, by_term=tuple(info["by_term"]))

    def __add__(self, other: "Survey") -> "Survey":
        by_term = [a + b for a, b in zip(self.by_term or (0,) * len(other.by_term), other.by_term, strict=True)]
        return Survey(
            self.documents + other.documents,
            self.empty + other.empty,
            self.held + other.held,
            self.excluded + other.excluded,
            self.bytes + other.bytes,
            tuple(by_term),
        )


def survey_name(number: int, language: str) -> str:
    """The file that keeps the candidates of a shard; in another language keywords have other forms."""
    return f"survey-{language}-{number:06d}.parquet"


def survey_shard(item: tuple[int, Shard], job: SurveyJob) -> dict[str, Any]:
    """Count in one shard, and keep its candidates for the sample: those of lowest hash, of either kind."""
    number, shard = item
    started = time.process_time()
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", KeysiftWarning)
        corpus = read_documents(shard, job.chosen)
        texts = pl.Series("text", [], dtype=pl.String) if corpus is None else corpus.texts
        tokens = tokenize(texts, job.settings.tokenizer)
        matches, exclusions = count_in(tokens, job.terms, job.settings, job.excluded)
        held = np.diff(matches.indptr) > 0
        empty = tokens.lengths == 0
        candidates = pl.DataFrame({"hash": content_hash(texts), "held": held, "text": texts})
        known = corpus is not None and (job.chosen.id is not None or bool(shard.files))
        named = corpus.ids.cast(pl.String) if corpus is not None and known else pl.lit("")
        candidates = candidates.with_columns(named.alias("id")).filter(~empty)
        if corpus is not None and corpus.vectors is not None:
            vectors = pl.Series("vector", corpus.vectors.tolist(), dtype=pl.List(pl.Float32))
            candidates = candidates.with_columns(vectors.filter(pl.Series(~empty)))
    info: dict[str, Any] = {
        "documents": len(texts),
        "empty": int(empty.sum()),
        "held": int(held.sum()),
        "excluded": int(exclusions.documents.sum()) if job.excluded else 0,
        "bytes": int(texts.str.len_bytes().sum()),
        "by_term": np.bincount(matches.indices, minlength=len(job.terms)).tolist(),
        "warnings": list(dict.fromkeys(str(warning.message) for warning in said)),
    }
    chosen = lowest(Bounds.read(Path(job.folder)).possible(candidates), job.sample, job.sample)
    info["seconds"] = time.process_time() - started
    return finish(
        Path(job.folder), survey_name(number, job.settings.language), lambda path: chosen.write_parquet(path), info
    )


@dataclass(frozen=True)
class Bounds:
    """Hashes above which no document can be in the sample any more, as far as shards have been counted.

    They only save room: a shard that does not know them keeps more candidates, and the sample is the same.
    """

    held: int = ABOVE
    others: int = ABOVE

    @classmethod
    def read(cls, folder: Path) -> "Bounds":
        """Those that are known by now."""
        try:
            return cls(**json.loads((folder / BOUNDS).read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return cls()

    def possible(self, candidates: pl.DataFrame) -> pl.DataFrame:
        """The candidates that may be in the sample."""
        bound = pl.when("held").then(pl.lit(self.held, pl.UInt64)).otherwise(pl.lit(self.others, pl.UInt64))
        return candidates.filter(pl.col("hash") <= bound)


class BoundsSoFar:
    """Keeps the bounds while shards come in."""

    def __init__(self, folder: Path, sample: int) -> None:
        self.folder, self.sample = folder, sample
        self.kept = {held: np.empty(0, dtype=np.uint64) for held in (True, False)}

    def add(self, name: str) -> None:
        """Take the candidates of one more shard into account."""
        part = pl.read_parquet(self.folder / name, columns=["hash", "held"])
        for held, before in self.kept.items():
            new = part.filter(pl.col("held") == held)["hash"].to_numpy()
            self.kept[held] = np.sort(np.concatenate([before, new]))[: self.sample]
        bounds = {
            name: int(kept[-1]) if len(kept) == self.sample else ABOVE
            for name, kept in (("held", self.kept[True]), ("others", self.kept[False]))
        }
        if min(bounds.values()) < ABOVE:
            with written_whole(self.folder / BOUNDS) as path:
                path.write_text(json.dumps(bounds), encoding="utf-8")


def lowest(candidates: pl.DataFrame, held: int, others: int) -> pl.DataFrame:
    """So many documents with a keyword, and so many without, of lowest hash; in the order of their hash.

    >>> frame = pl.DataFrame({"hash": [3, 1, 2], "held": [True, True, False], "text": ["a", "b", "c"]})
    >>> lowest(frame, 1, 1)["text"].to_list()
    ['b', 'c']
    """
    # By the text where two hashes are the same, so that no order of the input shows.
    ordered = candidates.sort("hash", "text")
    return pl.concat(
        [ordered.filter("held").head(held), ordered.filter(~pl.col("held")).head(others)], rechunk=True
    ).sort("hash", "text")


@dataclass(frozen=True, eq=False)
class Sample:
    """The training documents, and how many each of them stands for."""

    texts: pl.Series
    vectors: NDArray[np.float32] | None
    weights: NDArray[np.float64] | None
    """None where each is one."""
    held: int
    """How many of them hold a keyword."""
    ids: pl.Series
    """Empty where the source has none."""


def draw(files: Sequence[Path], survey: Survey, most: int, *, evenly: bool = False) -> Sample:
    """The sample from the candidates of all shards; `evenly` takes both kinds at the same rate, and nobody weighs more.

    `files` are read one after the other, and never more than twice the sample is in memory.
    """
    others = survey.documents - survey.empty - survey.held
    taken_held, taken_others = shares(survey.held, others, most, evenly=evenly)
    kept: pl.DataFrame | None = None
    for file in files:
        candidates = pl.read_parquet(file)
        both = candidates if kept is None else pl.concat([kept, candidates])
        kept = lowest(both, taken_held, taken_others)
    assert kept is not None
    held = kept["held"].to_numpy()
    vectors = np.array(kept["vector"].to_list(), dtype=np.float32) if "vector" in kept.columns else None
    weights = np.where(held, survey.held / max(1, taken_held), others / max(1, taken_others))
    alone = evenly or bool((weights == 1).all())
    return Sample(kept["text"], vectors, None if alone else weights, int(held.sum()), kept["id"])


def shares(held: int, others: int, most: int, *, evenly: bool = False) -> tuple[int, int]:
    """How many documents with a keyword, and how many others, make up the sample.

    >>> shares(10, 90, 1000), shares(10, 990, 100), shares(900, 100, 500), shares(10, 990, 100, evenly=True)
    ((10, 90), (10, 90), (400, 100), (1, 99))
    """
    most = min(most, held + others)
    if evenly:
        some = max(1, round(most * held / (held + others))) if held else 0
        return some, most - some
    some = min(held, max(most // HELD_SHARE, most - others))
    return some, min(others, most - some)
