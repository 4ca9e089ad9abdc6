"""How fast, beside what one would use instead: python -m benchmarks.speed, some minutes; writes docs/speed.md.

Every figure and its yardstick come from the same run, each in a process of its own, which take turns; the least time of
several runs counts. Resumable: what is in results.jsonl is not run again, `--again` runs all of it anew.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.speed.corpora import CORPORA
from benchmarks.speed.page import PAGE, page
from benchmarks.speed.start import HELP, IMPORT, best_starts
from benchmarks.speed.work import fit_models

RESULTS = Path(__file__).with_name("results.jsonl")
TURNS = (
    ("20NG", ("tokens keysift", "tokens keysift, counted", "tokens polars", "tokens HashingVectorizer"), 5),
    ("20NG", ("score keysift", "score scikit-learn"), 5),
    ("200,000 sentences", ("score keysift", "score scikit-learn"), 5),
    ("20NG", ("rank keysift", "rank BM25", "rank pulearn", "rank Snorkel", "rank CorEx"), 1),
    ("200,000 sentences", ("rank keysift", "rank BM25", "rank pulearn", "rank Snorkel", "rank CorEx"), 1),
)
"""What takes turns on which corpus, and how often."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure what is missing, and write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.speed", description=__doc__)
    parser.add_argument("--again", action="store_true", help="measure everything anew")
    if parser.parse_args(arguments).again:
        RESULTS.unlink(missing_ok=True)
    if not _done("start"):
        for name, start in best_starts({"import keysift": IMPORT, "keysift --help": HELP}).items():
            _keep({"corpus": "start", "work": name, "seconds": start.seconds, "cpu": start.cpu})
    with TemporaryDirectory() as name:
        for corpus, make in CORPORA.items():
            turns = [(works, runs) for on, works, runs in TURNS if on == corpus and set(works) - _done(corpus)]
            folder = Path(name) / corpus.replace(",", "").replace(" ", "-")
            folder.mkdir()
            if turns and not make(folder):
                print(f"Skipped: {corpus}; its data are not there (KEYSIFT_DATA, KEYSIFT_SUITE).")
                continue
            if any(work.startswith("score") for works, _ in turns for work in works):
                fit_models(folder)
            for works, runs in turns:
                _take_turns(corpus, folder, works, runs)
    PAGE.write_text(page(_results()), encoding="utf-8")
    print(f"Wrote {PAGE.name}.")


def _take_turns(corpus: str, folder: Path, works: Sequence[str], runs: int) -> None:
    taken: dict[str, list[dict[str, float]]] = {work: [] for work in works}
    for _ in range(runs):
        for work in works:
            command = [sys.executable, "-m", "benchmarks.speed.work", work, str(folder)]
            done = subprocess.run(command, check=True, capture_output=True, text=True, env=os.environ)
            taken[work].append(json.loads(done.stdout.splitlines()[-1]))
    for work, measured in taken.items():
        least = {name: min(one[name] for one in measured) for name in measured[0]}
        _keep({"corpus": corpus, "work": work, "runs": runs, **least})


def _keep(row: dict[str, Any]) -> None:
    print(json.dumps(row), flush=True)
    with RESULTS.open("a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")


def _results() -> list[dict[str, Any]]:
    return [json.loads(line) for line in RESULTS.read_text(encoding="utf-8").splitlines()] if RESULTS.exists() else []


def _done(corpus: str) -> set[str]:
    return {row["work"] for row in _results() if row["corpus"] == corpus}


if __name__ == "__main__":
    main()
