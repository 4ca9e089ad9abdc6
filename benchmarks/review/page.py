"""docs/review.md from the results that are there: python -m benchmarks.review.page."""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.paper.datasets import ROOT
from benchmarks.review import learning, stopping
from benchmarks.review.asreview import RESULTS as ASREVIEW
from benchmarks.review.learning_page import HAD_A_SAY
from benchmarks.review.learning_page import section as learning_section
from benchmarks.review.measured import RARE
from benchmarks.review.runner import RESULTS, Key, read
from benchmarks.review.stopping_page import section
from keysift.files.atomic import written_whole

__all__ = ["PAGE", "main", "page"]

PAGE = ROOT / "docs" / "review.md"

WITHOUT, WITH, SAVED = 1.1, 0.8, 0.05
"""The aims beside ASReview with its two labels: at most so many times its loss without a label and with the same two,
and so much more work saved with the same two."""

Lines = Mapping[Key, Mapping[str, Any]]

INTRODUCTION = f"""# Reviews, read again

Written by `make review` from what `benchmarks/review` measured; do not edit it by hand.

Each task of the development suite with fewer than {100 * RARE:.0f} % relevant documents is read as a review: keysift
gets the keywords and no label, reads in the order `mix` (best first; of the first documents one in twenty is drawn at
random, later fewer), and the labels answer. Answers are learned after each of the first 20 documents, then whenever 5 %
more were read. The **loss** is the area lost above the recall curve, (sum of min(i, R) - sum of found(i)) / (R (N - R))
over all i of N documents with R relevant: 0 is perfect, 0.5 is chance, and for a fixed ranking it is 1 - AUC. **Work
saved** is that over sampling at 95 % recall.

How answers are learned was chosen by looking at some tasks, so their figures are not those of tasks that had no say:
{", ".join(sorted(HAD_A_SAY))}.
All screening tasks are among them. The other tasks were to judge, and an earlier form failed there: it trusted ten or
twenty answers too much. Six tasks then moved from the judging side to the list above, and `few_answers` was chosen on
them, so the rest was looked at once and did not choose a number.
"""


def page(lines: Lines, peer: Lines) -> str:
    """The whole page, from what keysift and ASReview did."""
    if not lines:
        return f"{INTRODUCTION}\nNothing is measured yet.\n"
    by_task = _by_task(lines)
    parts = (
        "\n".join(_losses(by_task, _by_task(peer))),
        learning_section(learning.read()),
        section(stopping.read()),
    )
    return "\n\n".join([INTRODUCTION.rstrip(), *parts]) + "\n"


def _by_task(lines: Lines) -> dict[str, list[Mapping[str, Any]]]:
    """Screening first, then by name."""
    kinds = {task: line.get("kind", "") for (task, _), line in lines.items()}
    tasks = sorted(kinds, key=lambda task: (kinds[task] != "screening", task))
    return {task: [line for (of, _), line in lines.items() if of == task] for task in tasks}


def _losses(
    by_task: Mapping[str, Sequence[Mapping[str, Any]]], peer: Mapping[str, Sequence[Mapping[str, Any]]]
) -> Iterator[str]:
    yield "## Loss and work saved, beside ASReview"
    yield ""
    versions = sorted({str(line["version"]) for found in peer.values() for line in found})
    slow = sorted(task for task, found in peer.items() if all(line["loss"] is None for line in found))
    yield (
        f"ASReview {', '.join(versions) or '(not run yet)'}: `asreview simulate` on the same records with its default"
        " model; one relevant and one irrelevant record given, drawn by the seed, and left out of the curves. keysift"
        " gets the keywords, with no label or with the same two. A dash: not run."
        + (f" Given up after a while: {', '.join(slow)}." if slow else "")
    )
    yield ""
    heads = ("task", "relevant", "seeds", "keyword order", "loss, no label", "two labels", "ASReview, two labels")
    yield _row((*heads, "seeds", "work saved, no label", "two labels", "ASReview"))
    yield "|---|" + "--:|" * 10
    compared: dict[str, list[tuple[float, ...]]] = {}
    for task, found in by_task.items():
        theirs = [line for line in peer.get(task, ()) if line["loss"] is not None]
        losses = (
            _mean(line["keyword_loss"] for line in found),
            _mean(line["loss"] for line in found),
            _mean(line["given"]["loss"] for line in found),
            _mean(line["loss"] for line in theirs),
        )
        saved = (
            _mean(line["work_saved"] for line in found),
            _mean(line["given"]["work_saved"] for line in found),
            _mean(line["work_saved"] for line in theirs),
        )
        size = f"{found[0]['relevant']:,} of {found[0]['documents']:,}"
        cells = (task, size, str(len(found)), *map(_loss, losses), str(len(theirs)), *map(_share, saved))
        yield _row(cells)
        if theirs:
            compared.setdefault(_group(found), []).append((*losses, *saved))
    means = {group: np.mean(rows, axis=0) for group, rows in compared.items()}
    for group, mean in means.items():
        yield _row((f"{group}, mean where both ran", "", "", *map(_loss, mean[:4]), "", *map(_share, mean[4:])))
    yield ""
    for group, mean in means.items():
        both, every = len(compared[group]), sum(_group(found) == group for found in by_task.values())
        told = f"{group.capitalize()} ({both} of {every} tasks)"
        yield from _aims(told, [float(value) for value in mean[1:]])


def _group(found: Sequence[Mapping[str, Any]]) -> str:
    return "screening" if found[0]["kind"] == "screening" else "other tasks"


def _aims(group: str, means: Sequence[float]) -> Iterator[str]:
    """What was wanted of the means: three losses from that without a label on, and the work that the same saved."""
    none, two, theirs, _, saved, their_saved = means
    for what, ratio, most in (("no label", none / theirs, WITHOUT), ("the same two labels", two / theirs, WITH)):
        reached = "met" if ratio <= most else "missed"
        yield (
            f"- {group}, {what}: the loss is {ratio:.2f} of ASReview's with its two; wanted at most {most}: {reached}."
        )
    more = saved - their_saved
    yield (
        f"- {group}, the same two labels: {100 * more:+.1f} points of work saved; wanted at least"
        f" {100 * SAVED:+.0f}: {'met' if more >= SAVED else 'missed'}."
    )


def _loss(value: float) -> str:
    return "–" if np.isnan(value) else f"{value:.3f}"


def _share(value: float) -> str:
    return "–" if np.isnan(value) else f"{100 * value:.1f} %"


def _mean(values: Iterable[float | None]) -> float:
    known = [value for value in values if value is not None and not np.isnan(value)]
    return float(np.mean(known)) if known else float("nan")


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def main(results: Path = RESULTS, peer: Path = ASREVIEW, target: Path = PAGE) -> int:
    """Write the page."""
    text = page(read(results), read(peer))
    with written_whole(target) as part:
        part.write_text(text, encoding="utf-8")
    print(f"Wrote {target.name}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
