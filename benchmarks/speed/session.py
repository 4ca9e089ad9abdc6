"""What other keywords and answers cost when the corpus is prepared: python -m benchmarks.speed.session.

The first fit reads the documents and learns; the second has other keywords and only learns. Both in the same run, as
seconds and as CPU seconds: these count all threads and suffer less from what else the machine does. Every set has a
process of its own, whose first fit also loads word vectors and libraries; the last line of a set leaves that out.
"""

import multiprocessing
import os
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from benchmarks.line import Line, show
from benchmarks.paper.datasets import SETS, find_data
from benchmarks.quality.tasks import OTHER_KEYWORDS
from benchmarks.speed.timing import best_time
from keysift import Session
from keysift.errors import KeysiftWarning

__all__ = ["session_figures"]

MATCH, DECIDE, ANSWER, ANSWERED = 0.3, 0.05, 0.5, 40
"""Seconds that a change of the keywords, of the cut, and one more answer may take, after so many answers."""
T = TypeVar("T")


@dataclass(frozen=True)
class Cost:
    """What some work took."""

    seconds: float
    cpu: float


@dataclass(frozen=True)
class Measured:
    """A first fit with other keywords after it, the same again with everything loaded, and three seconds."""

    first: Cost
    second: Cost
    first_again: Cost
    second_again: Cost
    match: float
    decide: float
    answer: float


def session_figures(folder: Path) -> Iterator[Line]:
    """The second fit beside the first, and what a change of a keyword or of the cut costs alone."""
    for name in ("20ng", "subj"):
        title = SETS[name].title
        # Not forked: the threads of this process would be missing in the new one.
        with ProcessPoolExecutor(max_workers=1, mp_context=multiprocessing.get_context("spawn")) as process:
            found = process.submit(measure, name, folder).result()
        cost, first = found.second, found.first
        yield Line(f"{title}: other keywords", cost.seconds, first.seconds, "s", "the first fit", "0.5 or less")
        yield Line(f"{title}: other keywords", cost.cpu, first.cpu, "CPU s", "the first fit", "0.5 or less")
        cost, first = found.second_again, found.first_again
        yield Line(f"{title}: other keywords", cost.cpu, first.cpu, "CPU s", "a fit, all loaded", "0.5 or less")
        yield Line(f"{title}: match", found.match, MATCH, "s", "wanted", "1 or less")
        yield Line(f"{title}: decide", found.decide, DECIDE, "s", "wanted", "1 or less")
        yield Line(f"{title}: an answer", found.answer, ANSWER, "s", "wanted", "1 or less")


def measure(name: str, folder: Path) -> Measured:
    """All of it for one set; nothing is encoded yet when it starts."""
    warnings.simplefilter("ignore", KeysiftWarning)
    with TemporaryDirectory() as cache:
        os.environ["KEYSIFT_CACHE"] = cache  # this process is for one set
        return _measure(name, folder)


def _measure(name: str, folder: Path) -> Measured:
    data = SETS[name]
    texts, keywords, others = data.read(folder).texts, list(data.keywords), OTHER_KEYWORDS[name][0]
    session, first = _cost(partial(_first, texts, keywords))
    _, second = _cost(partial(_learn, session, others))
    session, first_again = _cost(partial(_first, texts, keywords))
    _, second_again = _cost(partial(_learn, session, others))
    match = best_time(partial(session.keywords, keywords), runs=3)
    decide = best_time(partial(session.decide, threshold=("recall", 0.95)), runs=3)
    session.learn()
    for place in range(ANSWERED):
        session.answer(place, place % 2)
    answer = best_time(session.learn, runs=3)
    return Measured(first, second, first_again, second_again, match, decide, answer)


def _first(texts: list[str], keywords: list[str]) -> Session:
    session = Session(texts)
    _learn(session, keywords)
    return session


def _learn(session: Session, keywords: list[str] | str) -> None:
    session.keywords(keywords)
    session.learn()


def _cost(work: Callable[[], T]) -> tuple[T, Cost]:
    start, cpu = time.perf_counter(), time.process_time()
    result = work()
    return result, Cost(time.perf_counter() - start, time.process_time() - cpu)


def main() -> int:
    """Print the lines; 2 where the data are missing."""
    folder = find_data(download=True)
    if folder is None:
        print("The data sets are not there; put them into a folder and name it in KEYSIFT_DATA.", file=sys.stderr)
        return 2
    for line in session_figures(folder):
        show(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
