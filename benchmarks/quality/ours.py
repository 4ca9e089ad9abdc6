"""keysift as it comes, and without its encoder."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.quality.tasks import Problem
from keysift import KeywordClassifier, Session

__all__ = ["OURS", "Measured", "Variant"]

Measured = tuple[NDArray[np.float64], dict[str, Any]]
"""Scores of the test documents, and what else goes into the line of the results."""


@dataclass(frozen=True, eq=False)
class Variant:
    """keysift with some arguments changed: fits the training documents and scores the test documents."""

    arguments: Mapping[str, Any] = field(default_factory=dict)
    """Of `Session`."""

    def __call__(self, problem: Problem) -> Measured:
        """The scores; the label-free quality goes into the line."""
        clf = self.fit(problem)
        assert clf.quality_ is not None
        return clf.decision_function(problem.test_texts), {"quality": round(100 * clf.quality_.value, 4)}

    def fit(self, problem: Problem) -> KeywordClassifier:
        """A fit; tasks of one corpus and trial share what does not depend on the keywords."""
        session = _session(self, problem.task.corpus, problem.train_texts)
        session.keywords(list(problem.task.keywords))
        session.learn()
        return session.classifier()


@lru_cache(maxsize=1)
def _session(variant: Variant, name: str, texts: tuple[str, ...]) -> Session:
    return Session(texts, **variant.arguments)


OURS: dict[str, Variant] = {"keysift": Variant(), "keysift without encoder": Variant({"encoder": None})}
