"""One piece of work in a process of its own: python -m benchmarks.speed.work NAME FOLDER.

Prints, as JSON, its seconds, its CPU seconds and the most memory of the process in megabytes; where it gives scores,
also their AUC. The folder holds `corpus.parquet` (text, relevant), `keywords.json` and, for scoring, the two models.
What has to be imported and loaded is there before the clock starts, because a few documents are put through first.
"""

import json
import resource
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from benchmarks.quality import peers
from keysift.errors import KeysiftWarning

__all__ = ["CORPUS", "KEYWORDS", "MODEL", "PIPELINE", "WORKS", "fit_models", "main"]

FEW = 300
"""Documents put through first."""
CORPUS, KEYWORDS, MODEL, PIPELINE = "corpus.parquet", "keywords.json", "model.keysift", "pipeline.joblib"

Work = Callable[[pl.Series], Any]
"""From texts to scores, or to anything else, which is then only timed."""


def fit_models(folder: Path) -> None:
    """A model of keysift without encoder, and scikit-learn's TF-IDF and logistic regression with the labels."""
    import joblib
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    from keysift.ranker import KeywordRanker

    corpus = pl.read_parquet(folder / CORPUS)
    KeywordRanker(_keywords(folder), encoder=None).fit(corpus["text"]).save(folder / MODEL)
    pipeline = make_pipeline(TfidfVectorizer(), LogisticRegression())
    joblib.dump(pipeline.fit(corpus["text"].to_list(), corpus["relevant"].to_list()), folder / PIPELINE)


def _keywords(folder: Path) -> list[str]:
    keywords: list[str] = json.loads((folder / KEYWORDS).read_text(encoding="utf-8"))
    return keywords


def _tokenize(folder: Path) -> Work:
    from keysift.text.tokens import tokenize

    return tokenize


def _count(folder: Path) -> Work:
    from keysift.text.counts import count_words
    from keysift.text.tokens import tokenize

    return lambda texts: count_words(tokenize(texts))


def _extract(folder: Path) -> Work:
    return lambda texts: texts.str.extract_all(r"\w+")


def _hash(folder: Path) -> Work:
    from sklearn.feature_extraction.text import HashingVectorizer

    return lambda texts: HashingVectorizer().transform(texts.to_list())


def _score(folder: Path) -> Work:
    from keysift.loading import load_as
    from keysift.ranker import KeywordRanker

    return load_as(KeywordRanker, folder / MODEL).decision_function


def _score_pipeline(folder: Path) -> Work:
    import joblib

    pipeline = joblib.load(folder / PIPELINE)
    return lambda texts: pipeline.decision_function(texts.to_list())


def _rank(folder: Path) -> Work:
    from keysift.ranker import KeywordRanker

    def rank(texts: pl.Series) -> Any:
        return KeywordRanker(_keywords(folder), encoder=None).fit_rank(texts).sort("document")["score"].to_numpy()

    return rank


def _peer(name: str) -> Callable[[Path], Work]:
    def make(folder: Path) -> Work:
        peer, keywords = getattr(peers, name), _keywords(folder)

        def rank(texts: pl.Series) -> Any:
            listed = texts.to_list()
            return peer(listed, listed, keywords)

        return rank

    return make


WORKS: dict[str, Callable[[Path], Work]] = {
    "tokens keysift": _tokenize,
    "tokens keysift, counted": _count,
    "tokens polars": _extract,
    "tokens HashingVectorizer": _hash,
    "score keysift": _score,
    "score scikit-learn": _score_pipeline,
    "rank keysift": _rank,
    "rank BM25": _peer("bm25"),
    "rank pulearn": _peer("pulearn"),
    "rank Snorkel": _peer("snorkel"),
    "rank CorEx": _peer("corex"),
}
"""Each is made from the folder; what is made is timed."""


def _most_memory() -> float:
    """Of this process so far, in megabytes."""
    status = Path("/proc/self/status")
    if status.exists():  # ru_maxrss begins with what the process had that started this one
        peak = next(line for line in status.read_text(encoding="utf-8").splitlines() if line.startswith("VmHWM"))
        return float(peak.split()[1]) / 1e3
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6  # bytes on macOS


def main(name: str, folder: Path) -> dict[str, float]:
    """Do it and measure it."""
    from keysift.metrics import auc_between

    warnings.simplefilter("ignore", KeysiftWarning)
    corpus = pl.read_parquet(folder / CORPUS)
    texts, relevant = corpus["text"], corpus["relevant"].to_numpy()
    work = WORKS[name](folder)
    work(pl.concat([texts.filter(corpus["relevant"]).head(FEW), texts.head(FEW)]))
    start, cpu = time.perf_counter(), time.process_time()
    result = work(texts)
    measured = {"seconds": time.perf_counter() - start, "cpu": time.process_time() - cpu}
    measured["memory"] = _most_memory()
    if isinstance(result, np.ndarray):
        measured["auc"] = auc_between(result[relevant], result[~relevant])
    return measured


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], Path(sys.argv[2]))))
