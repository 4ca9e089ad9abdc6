"""The table of peers in docs/quality.md: python -m benchmarks.quality.page.

It stands between two marks and is written anew from results.jsonl; everything else on the page stays.
"""

import sys
from pathlib import Path

import numpy as np

from benchmarks.paper import results
from benchmarks.quality.measured import Lines, mean, trial_count
from benchmarks.quality.runner import RESULTS
from benchmarks.quality.tasks import TASKS
from keysift.files.atomic import written_whole

__all__ = ["block", "fill", "main"]

PAGE = Path(__file__).resolve().parents[2] / "docs" / "quality.md"
START, END = "<!-- peers: make quality -->", "<!-- end of peers -->"
FIVE = [task.name for task in TASKS.values() if task.family == "five"]
SYSTEMS = {
    "counting": "counting the keywords",
    "bm25": "BM25 (bm25s)",
    "trivial": "mean difference of TF-IDF",
    "pulearn": "bagging PU learner (pulearn)",
    "snorkel": "label model and logistic regression (Snorkel)",
    "corex": "anchored CorEx (corextopic)",
    "zero_shot": "zero-shot MiniLM, mean of the keywords",
    "zero_shot_text": "zero-shot MiniLM, keywords as one text",
    "keysift without encoder": "keysift without its encoder",
    "keysift": "**keysift, as installed**",
    "oracle_minilm": "logistic regression on MiniLM with all true labels",
}


def block(lines: Lines) -> str:
    """Mean test AUC by system and set, with the number of trials in each cell."""
    rows = ["| AUC (trials) | " + " | ".join(TASKS[name].title for name in FIVE) + " |", "|---|" + "--:|" * len(FIVE)]
    for system, title in SYSTEMS.items():
        cells = [_cell(lines, system, name) for name in FIVE]
        if any(cells):
            rows.append(f"| {title} | " + " | ".join(cells) + " |")
    return "\n".join(rows)


def _cell(lines: Lines, system: str, name: str) -> str:
    value = mean(lines, system, [name])
    return "" if np.isnan(value) else f"{value:.1f} ({trial_count(lines, system, name)})"


def fill(page: str, text: str) -> str:
    r"""The page with another text between the marks.

    >>> fill(f"a\n{START}\nold\n{END}\nb", "new") == f"a\n{START}\nnew\n{END}\nb"
    True
    """
    before, rest = page.split(START)
    return f"{before}{START}\n{text}\n{END}{rest.split(END)[1]}"


def main() -> int:
    """Write the table."""
    page = fill(PAGE.read_text(encoding="utf-8"), block(results.read(RESULTS)))
    with written_whole(PAGE) as target:
        target.write_text(page, encoding="utf-8")
    print(f"Wrote the peers of {PAGE}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
