"""What it costs to start: python -m benchmarks.speed.start.

Every line is a Python of its own, from its start to its end, as seconds and as CPU seconds: the best of five, taken in
turns, so that what else the machine does disturbs all of them alike. The yardstick is to import numpy and polars, which
every command that reads a table has to do.
"""

import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import polars as pl

__all__ = ["HELP", "IMPORT", "Start", "best_starts", "main", "write_ranking"]

RUNS = 5
ROWS = 10_000
DOCUMENTS = 1000
WORDS = ("game", "team", "goal", "ice", "season", "player", "court", "law", "tax", "judge", "vote", "engine", "road")
YARDSTICK = "import numpy, polars"
KEYSIFT = "from keysift.cli import main; main()"
IMPORT, HELP = ["-c", "import keysift"], ["-c", KEYSIFT, "--help"]


@dataclass(frozen=True)
class Start:
    """The best of several runs."""

    seconds: float
    cpu: float


def best_starts(commands: dict[str, list[str]], runs: int = RUNS) -> dict[str, Start]:
    """What each Python takes, by name; they take turns."""
    taken: dict[str, list[Start]] = {name: [] for name in commands}
    for _ in range(runs):
        for name, arguments in commands.items():
            taken[name].append(_run(arguments))
    return {name: Start(min(s.seconds for s in starts), min(s.cpu for s in starts)) for name, starts in taken.items()}


def write_ranking(path: Path, rows: int, seed: int) -> None:
    """A ranking as `keysift rank` writes it, of made-up documents."""
    rng = np.random.default_rng(seed)
    scores = np.sort(rng.normal(size=rows))[::-1]
    words = [" ".join(rng.choice(WORDS, 3)) for _ in range(rows)]
    pl.DataFrame(
        {
            "id": rng.permutation(rows),
            "rank": np.arange(1, rows + 1),
            "score": scores,
            "decision": (scores > 1).astype(np.int64),
            "chance": 1 / (1 + np.exp(2 - 3 * scores)),
            "pseudo_positive": (rng.random(rows) < 0.1).astype(np.int64),
            "evidence": [f"words: {some}" for some in words],
            "text": [f"{some} and so on " * 10 for some in words],
        }
    ).write_csv(path)


def _write_model(path: Path) -> None:
    rng = np.random.default_rng(0)
    documents = path.with_suffix(".txt")
    documents.write_text("".join(" ".join(rng.choice(WORDS, 12)) + "\n" for _ in range(DOCUMENTS)), encoding="utf-8")
    _run(_keysift("fit", documents, "--keywords", "goal, ice", "-o", path, "--quiet"))


def _keysift(*arguments: str | Path) -> list[str]:
    return ["-c", KEYSIFT, *map(str, arguments)]


def _run(arguments: list[str]) -> Start:
    before, start = os.times(), time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
    seconds, after = time.perf_counter() - start, os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return Start(seconds, cpu)


def main() -> None:
    """Print the table."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        first, second, model = folder / "first.csv", folder / "second.csv", folder / "model.keysift"
        write_ranking(first, ROWS, seed=0)
        write_ranking(second, ROWS, seed=1)
        _write_model(model)
        cut = ("--threshold", "recall=0.95", "-o")
        starts = best_starts(
            {
                "python -c pass": ["-c", "pass"],
                YARDSTICK: ["-c", YARDSTICK],
                "import keysift": IMPORT,
                "import all that rank needs": ["-c", "import keysift.ranker"],
                "keysift --help": HELP,
                f"keysift decide, {ROWS:,} rows": _keysift("decide", first, *cut, folder / "cut.csv"),
                "keysift decide, a model": _keysift("decide", model, *cut, folder / "cut.keysift"),
                f"keysift compare, {ROWS:,} rows": _keysift("compare", first, second),
            }
        )
    yardstick = starts[YARDSTICK].cpu
    print(f"{'':<30} {'seconds':>8} {'CPU s':>8} {'CPU ratio':>10}")
    for title, start in starts.items():
        print(f"{title:<30} {start.seconds:>8.3f} {start.cpu:>8.3f} {start.cpu / yardstick:>10.2f}")


if __name__ == "__main__":
    main()
