"""keysift as it is installed, without its encoder, and with one number of `LearnConfig` changed at a time."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.suite.outcome import Outcome
from benchmarks.suite.tasks import SuiteTask
from keysift import LearnConfig, Session
from keysift.learn.strength import strength

__all__ = ["DEFAULT", "OURS", "VARIANTS", "WITHOUT", "Ours"]

DEFAULT, WITHOUT = "keysift", "without neighbours"

VARIANTS: dict[str, dict[str, Any]] = {
    "never self-trained": {"rounds": 0},
    "always self-trained": {"allowed_loss": 1e9, "least_held": 0.0},
    "without the opposite": {"negation": ""},
    "a tenth of the penalty": {"l2": 0.1},
    "ten times the penalty": {"l2": 10.0},
    "a share of a tenth": {"share": 0.1},
    "a share of a half": {"share": 0.5},
    "half the allowed loss": {"allowed_loss": 0.035},
    "twice the allowed loss": {"allowed_loss": 0.14},
    "neighbours as good or better": {"neighbours_behind": 0.0},
    "neighbours twice as far behind": {"neighbours_behind": 0.1},
    "without means of words": {"means_weight": 0.0},
    "means of words count double": {"means_weight": 1.0},
    "words as in long documents": {"few_words": 0.0},
    "denied keywords count": {"denied": 0},
    "keywords count the same everywhere": {"opening": 0},
}
"""Variants by name: fields of `LearnConfig` and their other values."""


@dataclass(frozen=True, eq=False)
class Ours:
    """keysift with some arguments of `Session` and some fields of `LearnConfig` changed."""

    arguments: Mapping[str, Any] = field(default_factory=dict)
    learning: Mapping[str, Any] = field(default_factory=dict)
    views: tuple[str, ...] | None = None
    """Where the text is English; elsewhere they are those that keysift takes."""

    def __call__(self, task: SuiteTask) -> Outcome:
        """Learn from the keywords; tasks of one corpus share what does not depend on them."""
        session, shared = _session(self, task)
        session.keywords(list(task.keywords))
        session.learn()
        result = session.result
        facts = {"shared": shared, **_decided(result.decisions, result.ranking.positive, task.relevant)}
        keywords = _keywords(result.matches, len(task.texts))
        return Outcome(result.learned.scores, facts, keywords, strength(result.matches))


OURS: dict[str, Ours] = {
    DEFAULT: Ours(),
    "keysift without encoder": Ours(arguments={"encoder": None}),
    **{name: Ours(learning=fields) for name, fields in VARIANTS.items()},
    WITHOUT: Ours(views=("words", "sentences")),
}

_last: list[tuple[Ours, str, Session]] = []
"""The session of the corpus at hand."""


def _session(ours: Ours, task: SuiteTask) -> tuple[Session, bool]:
    """A session of the documents of a task, and whether it was there before."""
    for system, corpus, session in _last:
        if system is ours and corpus == task.corpus and session.prepared.texts.to_list() == list(task.texts):
            return session, True
    _last.clear()  # to free the memory before the next is made
    learning = replace(LearnConfig(), **ours.learning) if ours.learning else None
    arguments = dict(ours.arguments)
    if ours.views is not None and task.language == "en":
        arguments["views"] = ours.views
    session = Session(task.texts, learning=learning, **arguments)
    _last.append((ours, task.corpus, session))
    return session, False


def _decided(decisions: Any, positive: NDArray[np.bool_], relevant: NDArray[np.bool_]) -> dict[str, Any]:
    """What is stated without a label, as far as it is stated, and what is true of the same cut."""
    from sklearn.metrics import f1_score, precision_score, recall_score

    expected = getattr(decisions, "expected", None)
    stated = {
        "prior": _interval(getattr(decisions, "prior", None)),
        "precision": _interval(getattr(expected, "precision", None)),
        "recall": _interval(getattr(expected, "recall", None)),
    }
    return {
        **{name: interval for name, interval in stated.items() if interval is not None},
        "true_precision": round(float(precision_score(relevant, positive, zero_division=0)), 4),
        "true_recall": round(float(recall_score(relevant, positive, zero_division=0)), 4),
        "f1": round(100 * float(f1_score(relevant, positive, average="macro", zero_division=0)), 4),
    }


def _interval(found: Any) -> dict[str, float] | None:
    """An estimate with its bounds, if it has them."""
    numbers = [getattr(found, name, None) for name in ("value", "low", "high")]
    if not all(isinstance(number, float | int | np.number) for number in numbers):
        return None
    return {
        name: round(float(number or 0), 5) for name, number in zip(("estimate", "low", "high"), numbers, strict=True)
    }


def _keywords(matches: Any, documents: int) -> NDArray[np.float64]:
    """How many different keywords each document holds."""
    found = np.zeros(documents)
    found[matches.holders] = np.diff(matches.occurrences.indptr)
    return found
