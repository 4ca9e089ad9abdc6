"""Twelve thousand tweets through the command line: the first time, and again when their vectors are kept."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.line import Line
from benchmarks.suite.tasks import find_suite

__all__ = ["tweets_figures"]

FILE = "airline_tweets.csv.gz"
FIRST, SECOND = 60.0, 8.0
"""Seconds that the two may take."""


def tweets_figures() -> Iterator[Line]:
    """`keysift rank` from start to written .csv with nothing kept, and the same again."""
    suite = find_suite()
    if suite is None:
        print("Skipped: the tweets of the suite. Put the suite into a folder and name it in KEYSIFT_SUITE.")
        return
    with TemporaryDirectory() as folder:
        first, second = (_rank(suite / "data" / FILE, Path(folder)) for _ in range(2))
    yield Line("12,000 tweets: keysift rank, the first time", first, FIRST, "s", "wanted", "1 or less")
    yield Line("12,000 tweets: the same again, vectors kept", second, SECOND, "s", "wanted", "1 or less")


def _rank(source: Path, folder: Path) -> float:
    command = [sys.executable, "-c", "from keysift.cli import main; main()", "rank", str(source), "--text", "text"]
    command += ["-k", "luggage, bag, baggage, lost", "-o", str(folder / "ranking.csv"), "--quiet"]
    start = time.perf_counter()
    subprocess.run(command, check=True, env={**os.environ, "KEYSIFT_CACHE": str(folder / "cache")})
    return time.perf_counter() - start
