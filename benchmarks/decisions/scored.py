"""Rankings of labelled corpora, as the suite's bench writes them: a file TASK.npz with scores and labels."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

__all__ = ["ScoredTask", "macro_f1", "scored_tasks"]


@dataclass(frozen=True, eq=False)
class ScoredTask:
    """A task, its scores and its labels, best document first."""

    name: str
    corpus: str
    scores: NDArray[np.float64]
    labels: NDArray[np.bool_]
    holders: int
    """Documents with a keyword."""

    @property
    def prior(self) -> float:
        """The true share of relevant documents."""
        return float(self.labels.mean())


def scored_tasks(folder: Path, family: str = "suite") -> Iterator[ScoredTask]:
    """The tasks of a family, by name."""
    for path in sorted(folder.glob("*.npz")):
        with np.load(path) as kept:
            if str(kept["family"]) != family:
                continue
            order = np.argsort(-kept["scores"], kind="stable")
            scores, labels = kept["scores"][order], kept["labels"][order]
            yield ScoredTask(path.stem, str(kept["corpus"]), scores, labels, int((kept["weights"] > 0).sum()))


def macro_f1(labels: NDArray[np.bool_], decided: NDArray[np.bool_]) -> float:
    """In points."""
    right, wrong = int((labels & decided).sum()), int((labels != decided).sum())
    rest = len(labels) - right - wrong

    def f1(hits: int) -> float:
        return 2 * hits / (2 * hits + wrong) if hits else 0.0

    return 50 * (f1(right) + f1(rest))
