"""The ranking of the training documents that is audited: fitted once for each set and trial, the scores in .data."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.paper.datasets import DOWNLOADS
from benchmarks.quality.tasks import TASKS, problem
from keysift import KeywordClassifier
from keysift.files.atomic import written_whole

__all__ = ["FIVE", "Ranked", "ranked"]

FIVE = tuple(task.name for task in TASKS.values() if task.family == "five")


@dataclass(frozen=True, eq=False)
class Ranked:
    """Scores, true labels and the cut; the audit sees the labels of its sample only."""

    name: str
    scores: NDArray[np.float64]
    labels: NDArray[np.bool_]
    pseudo_positive: NDArray[np.bool_]
    threshold: float
    """The cut of the heuristic prior."""
    test_scores: NDArray[np.float64]
    test_labels: NDArray[np.bool_]


def ranked(name: str, trial: int = 0) -> Ranked:
    """The ranking of the training documents of a trial by keysift as it comes, from the cache where it is there."""
    cache = DOWNLOADS / f"audited-{name}-{trial}.npz"
    if not cache.is_file():
        given = problem(TASKS[name], trial)
        clf = KeywordClassifier(list(given.task.keywords), prior="heuristic")
        ranking = clf.fit_rank(given.train_texts).sort("document")
        DOWNLOADS.mkdir(exist_ok=True)
        with written_whole(cache) as part, part.open("wb") as file:
            np.savez_compressed(
                file,
                scores=ranking["score"].to_numpy(),
                labels=given.train_labels == 1,
                pseudo_positive=clf.pseudo_labels_.positive,
                threshold=clf.threshold_,
                test_scores=clf.decision_function(given.test_texts),
                test_labels=given.test_labels == 1,
            )
    with np.load(cache) as kept:
        return Ranked(
            name,
            kept["scores"],
            kept["labels"],
            kept["pseudo_positive"],
            float(kept["threshold"]),
            kept["test_scores"],
            kept["test_labels"],
        )
