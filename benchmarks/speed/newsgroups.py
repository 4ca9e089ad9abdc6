"""All of 20 Newsgroups through the command line, against scikit-learn on the same texts."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.linear_model import LogisticRegression

from benchmarks.line import Line
from benchmarks.paper.datasets import read_newsgroups
from benchmarks.speed.timing import best_time
from keysift.text.counts import count_words
from keysift.text.tokens import tokenize

__all__ = ["newsgroups_figures"]

RUNS = 3


def newsgroups_figures(folder: Path) -> Iterator[Line]:
    """`keysift rank` from start to written .csv, its memory, and tokenising alone."""
    documents = read_newsgroups(folder, strip=False)  # as they were posted, 36 MB
    texts = pl.Series("text", documents.texts)
    with TemporaryDirectory() as scratch:
        source, target = Path(scratch) / "20ng.parquet", Path(scratch) / "ranking.csv"
        pl.DataFrame({"id": range(len(texts)), "text": texts}).write_parquet(source)
        without, plain, theirs = [], [], []
        for _ in range(RUNS):  # turn about, so that a noisy minute hits all
            without.append(_rank(source, target, "--encoder", "none"))
            plain.append(_rank(source, target, "--encoder", "none", "--views", "words", "--rounds", "0"))
            theirs.append(best_time(lambda: _supervised(documents.texts, documents.labels.tolist()), runs=1))
        whole, memory = _rank(source, target)
    yield Line("20NG: keysift rank, start to written .csv", whole, 120.0, "s", "the budget for encoding", "1.2 or less")
    supervised = "TfidfVectorizer + LogisticRegression"
    yield Line("20NG: the same without encoder", min(without)[0], min(theirs), "s", supervised, "1.5 or less")
    yield Line("20NG: the same, one view and no rounds", min(plain)[0], min(theirs), "s", supervised, "1 or less")
    yield Line("20NG: peak memory of keysift rank", memory, 1000.0, "MB", "wanted", "1 or less")
    most = max(used for _, used in without)
    yield Line("20NG: peak memory without encoder", most, 1000.0, "MB", "wanted", "1 or less")
    counting = best_time(lambda: CountVectorizer().fit_transform(documents.texts), RUNS)
    tokenising = best_time(lambda: count_words(tokenize(pl.Series("text", documents.texts))), RUNS)
    yield Line("20NG: tokenising to counts", tokenising, counting, "s", "CountVectorizer", "0.5 or less")


def _rank(source: Path, target: Path, *options: str) -> tuple[float, float]:
    """Seconds and peak megabytes of the whole command."""
    keysift = [sys.executable, "-c", "from keysift.cli import main; main()"]
    command = [*keysift, "rank", str(source), "--keywords", "sports, baseball, hockey", "-o", str(target), "--quiet"]
    command += options
    start = time.perf_counter()
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    if os.waitstatus_to_exitcode(status) != 0:
        raise RuntimeError("keysift rank failed")
    # Kilobytes on Linux, bytes on macOS.
    return seconds, usage.ru_maxrss / (1e3 if sys.platform == "linux" else 1e6)


def _supervised(texts: list[str], labels: list[int]) -> None:
    X = TfidfVectorizer().fit_transform(texts)
    LogisticRegression().fit(X, labels).predict(X)
