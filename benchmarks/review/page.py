"""docs/review.md from the results that are there: python -m benchmarks.review.page."""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.paper.datasets import ROOT
from benchmarks.review import stopping
from benchmarks.review.measured import ANSWERS, RARE
from benchmarks.review.runner import RESULTS, Key, read
from benchmarks.review.stopping_page import section
from keysift.files.atomic import written_whole

__all__ = ["ELSEWHERE", "PAGE", "main", "page"]

PAGE = ROOT / "docs" / "review.md"

ELSEWHERE = {"kitchenham": 0.069, "ace-final": 0.049, "ace-abstract": 0.143, "animal-depression": 0.089}
"""The loss of ASReview 2.2 (`asreview simulate`, its default model, one relevant and one irrelevant record given, seed
1) on the same files; measured elsewhere, not by this script."""
WANTED = 1.1
"""So many times that loss, with no label given, is the aim."""

INTRODUCTION = f"""# Reviews, read again

Written by `make review` from `benchmarks/review/results.jsonl`; do not edit it by hand.

Each task of the development suite with fewer than {100 * RARE:.0f} % relevant documents is read as a review: keysift
gets the keywords and no label, reads in the order `mix` (best first, one document in twenty at random), and the labels
answer. Answers are learned after each of the first 20 documents, then whenever 5 % more were read. The **loss** is the
area lost above the recall curve, (sum of min(i, R) - sum of found(i)) / (R (N - R)) over all i of N documents with R
relevant: 0 is perfect, 0.5 is chance, and for a fixed ranking it is 1 - AUC. **Work saved** is that over sampling at
95 % recall.

What was not read counts in the correction by answers (`unread_weight`). That was decided on kitchenham, ace-final,
animal-depression, enron-personal, hate-tweets, tos-termination and airline-luggage, with crisis-donations looked at
before, so their figures are not those of tasks that had no say.
"""


def page(lines: Mapping[Key, Mapping[str, Any]]) -> str:
    """The whole page."""
    if not lines:
        return f"{INTRODUCTION}\nNothing is measured yet.\n"
    tasks = sorted({task for task, _ in lines}, key=lambda task: (task not in ELSEWHERE, task))
    by_task = {task: [line for (of, _), line in lines.items() if of == task] for task in tasks}
    parts = (
        "\n".join(_losses(by_task)),
        "\n".join(_curves(by_task, "random")),
        "\n".join(_curves(by_task, "best first")),
        section(stopping.read()),
    )
    return "\n\n".join([INTRODUCTION.rstrip(), *parts]) + "\n"


def _losses(by_task: Mapping[str, Sequence[Mapping[str, Any]]]) -> Iterator[str]:
    yield "## Loss and work saved"
    yield ""
    yield (
        "ASReview is measured elsewhere: version 2.2, its default model, one relevant and one irrelevant record given,"
        f" seed 1. The aim, with no label given, is {WANTED} times its loss."
    )
    yield ""
    heads = ("task", "relevant", "seeds", "loss, learning", "keyword order", "ASReview, two labels", "aim")
    yield _row((*heads, "work saved, learning", "keyword order"))
    yield "|---|" + "--:|" * 8
    for task, found in by_task.items():
        anchor, loss = ELSEWHERE.get(task), _mean(line["loss"] for line in found)
        aim = "" if anchor is None else f"{WANTED * anchor:.3f}, {'met' if loss <= WANTED * anchor else 'missed'}"
        yield _row(
            (
                task,
                f"{found[0]['relevant']:,} of {found[0]['documents']:,}",
                str(len(found)),
                f"{loss:.3f}",
                f"{_mean(line['keyword_loss'] for line in found):.3f}",
                "" if anchor is None else f"{anchor:.3f}",
                aim,
                f"{100 * _mean(line['work_saved'] for line in found):.1f} %",
                f"{100 * _mean(line['keyword_work_saved'] for line in found):.1f} %",
            )
        )


def _curves(by_task: Mapping[str, Sequence[Mapping[str, Any]]], order: str) -> Iterator[str]:
    told = "drawn at random" if order == "random" else "read in the order of the simulation"
    yield f"## Learning curves: answers {told}"
    yield ""
    yield (
        "AUC over the documents without an answer, in percent points: keywords alone / keysift with the answers /"
        " logistic regression on the same answers and features (50 where all answers are of one kind)."
    )
    yield ""
    yield _row(("task", *(f"{number} answers" for number in ANSWERS)))
    yield "|---|" + "--:|" * len(ANSWERS)
    gains: list[list[float]] = [[] for _ in ANSWERS]
    for task, found in by_task.items():
        cells = []
        for place in range(len(ANSWERS)):
            means = [_mean(line[order][way][place] for line in found) for way in ("keywords", "keysift", "logistic")]
            cells.append(" / ".join("–" if np.isnan(mean) else f"{mean:.1f}" for mean in means))
            gains[place].append(means[1] - means[0])
        yield _row((task, *cells))
    yield _row(("keysift over keywords, mean", *(_signed(_mean(gain)) for gain in gains)))
    yield _row(("keysift over keywords, lowest", *(_signed(_lowest(gain)) for gain in gains)))


def _mean(values: Iterable[float | None]) -> float:
    known = [value for value in values if value is not None and not np.isnan(value)]
    return float(np.mean(known)) if known else float("nan")


def _lowest(values: Sequence[float]) -> float:
    return min((value for value in values if not np.isnan(value)), default=float("nan"))


def _signed(value: float) -> str:
    return "–" if np.isnan(value) else f"{value:+.2f}"


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def main(results: Path = RESULTS, target: Path = PAGE) -> int:
    """Write the page."""
    text = page(read(results))
    with written_whole(target) as part:
        part.write_text(text, encoding="utf-8")
    print(f"Wrote {target.name}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
