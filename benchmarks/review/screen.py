"""From a key to the next document on the screen: python -m benchmarks.review.screen --help.

Made-up documents, so that every machine has them; answers are saved and learned as in a review, and nothing waits for
what is learned meanwhile. Time of the processor is that of the thread of the screen alone.
"""

import argparse
import io
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl
from rich.console import Console

from keysift import Session
from keysift.cli.review_screen import ReviewScreen
from keysift.corpus.documents import Corpus
from keysift.review.fingerprints import fingerprints
from keysift.review.state import BEST, State
from keysift.reviewer import Reviewer

__all__ = ["made_up", "main"]

WORDS, LENGTH = 20_000, 120
"""Of the language, and of a document."""
RELEVANT = 0.05


def made_up(documents: int, seed: int = 0) -> list[str]:
    """Documents of words as frequent as those of a language; some hold a keyword."""
    rng = np.random.default_rng(seed)
    chances = 1 / np.arange(1, WORDS + 1)
    places = rng.choice(WORDS, (documents, LENGTH), p=chances / chances.sum())
    words = np.array([f"w{number}" for number in range(WORDS)])
    relevant = rng.random(documents) < RELEVANT
    return [" ".join(words[row]) + " hockey" * int(holds) for row, holds in zip(places, relevant, strict=True)]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print the median and the 95th percentile."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=20_000)
    parser.add_argument("--answered", type=int, default=10_000, help="documents that have an answer already")
    parser.add_argument("--keys", type=int, default=100)
    parser.add_argument("--pause", type=float, default=0.3, help="seconds to think before a key")
    asked = parser.parse_args(arguments)
    texts = made_up(asked.documents)
    session = Session(texts, encoder=None)
    session.keywords("hockey")
    ids = pl.Series("id", [str(number) for number in range(len(texts))])
    corpus = Corpus(ids, pl.Series("text", texts), pl.DataFrame(), "made-up documents")
    with tempfile.TemporaryDirectory() as folder, State.open(Path(folder) / "project") as state:
        numbers = state.corpus(fingerprints(texts), ids.to_list(), corpus.source)
        state.answer_all([(int(number), "n") for number in numbers[: asked.answered]], BEST)
        with Reviewer(session, state, numbers, np.arange(len(texts))) as review:
            screen = ReviewScreen(corpus, review)
            screen.console = Console(
                file=io.StringIO(), force_terminal=True, width=100, height=32, highlight=False, markup=False
            )
            for check in (False, True):
                if check:
                    review.check()
                used, passed = _typed(screen, "yn" * (asked.keys // 2), asked.pause)
                where = "in a stop check" if check else "best first"
                print(f"{where}: processor {_told(used)}; clock {_told(passed)}", flush=True)


def _typed(screen: ReviewScreen, keys: str, pause: float) -> tuple[list[float], list[float]]:
    used, passed = [], []
    for key in keys:
        time.sleep(pause)
        started, clock = time.thread_time(), time.perf_counter()
        shown = screen.review.current
        assert shown is not None
        screen.act(shown, key)
        shown = screen.review.current
        assert shown is not None
        screen.show(shown)
        used.append(time.thread_time() - started)
        passed.append(time.perf_counter() - clock)
    return used, passed


def _told(seconds: list[float]) -> str:
    middle, most = (1000 * float(np.quantile(seconds, level)) for level in (0.5, 0.95))
    return f"median {middle:.1f} ms, 95th percentile {most:.1f} ms"


if __name__ == "__main__":
    main()
