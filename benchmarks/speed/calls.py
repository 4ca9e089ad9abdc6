"""How often is the same work asked for in one `keysift rank`? python -m benchmarks.speed.calls counts.

The command line runs in this process, on the demo's docstrings; calls are counted in every thread.
"""

import sys
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

import polars as pl

from keysift.cli.app import app
from keysift.demo import KEYWORDS, collect_docstrings
from keysift.features.views import check_views
from keysift.keywords.parsing import parse_keywords
from keysift.risk.sides import Sides
from keysift.text.counts import count_terms

__all__ = ["BEFORE", "count_calls", "main"]

DOCUMENTS = 1000
BEFORE = {"count_terms": 7, "check_views": 5, "parse_keywords": 3, "Sides.of": 1328}
"""Before the pipeline, when weights were normalised in every evaluation of the risk."""
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "count_terms": count_terms,
    "check_views": check_views,
    "parse_keywords": parse_keywords,
    "Sides.of": Sides.of,
}


def count_calls(work: Callable[[], object]) -> Counter[str]:
    """How often each of the functions is called while some work is done, by name."""
    names = {getattr(function, "__func__", function).__code__: name for name, function in FUNCTIONS.items()}
    counts: Counter[str] = Counter()
    lock = threading.Lock()

    def hook(frame: FrameType, event: str, argument: object) -> None:
        if event == "call" and frame.f_code in names:
            with lock:
                counts[names[frame.f_code]] += 1

    threading.setprofile(hook)
    sys.setprofile(hook)
    try:
        work()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return counts


def _rank() -> None:
    with TemporaryDirectory() as folder:
        source = Path(folder) / "docstrings.parquet"
        texts = collect_docstrings().texts
        pl.DataFrame({"text": texts.gather_every(max(1, len(texts) // DOCUMENTS))}).write_parquet(source)
        output = Path(folder) / "ranking.csv"
        arguments = ["rank", str(source), "--keywords", ", ".join(KEYWORDS), "-o", str(output), "--quiet"]
        app(arguments, prog_name="keysift", standalone_mode=False)


def main() -> None:
    """Print the counts as a table."""
    counts = count_calls(_rank)
    print(f"{'function':<16} {'before':>8} {'now':>8}")
    for name in FUNCTIONS:
        print(f"{name:<16} {BEFORE[name]:>8,} {counts[name]:>8,}")


if __name__ == "__main__":
    main()
