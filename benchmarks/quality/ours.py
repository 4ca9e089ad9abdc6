"""keysift as it comes, with an encoder, and with one ingredient changed at a time."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from typing import Any
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from benchmarks.quality.sentences import encode, sentence_vectors
from benchmarks.quality.tasks import ALL_GROUPS, Problem, corpus
from keysift import KeywordClassifier, Settings
from keysift.learning import Split, find_neighbours, quality
from keysift.scoring import fitting
from keysift.views import LsaView, PieceView, TfidfView, WordView

__all__ = ["OURS", "WAYS", "Measured"]

Measured = tuple[NDArray[np.float64], dict[str, Any]]
"""Scores of the test documents, and what else goes into the line of the results."""


def fitted(problem: Problem, *, encoder: bool = False, settings: Settings | None = None, **changes: Any) -> Measured:
    """Fit on the training documents, score the test documents; the label-free quality goes into the line."""
    given = MiniLM(problem.task.corpus) if encoder else None
    clf = KeywordClassifier(list(problem.task.keywords), encoder=given, settings=settings, **changes)
    scores = clf.fit(problem.train_texts).decision_function(problem.test_texts)
    assert clf.quality_ is not None
    return scores, {
        "quality": round(100 * clf.quality_.value, 4),
        "blend": {str(trial.way): round(trial.weight, 4) for trial in clf.quality_.trials},
    }


class MiniLM:
    """The encoder of the benchmark: documents are looked up, and only those without their keywords are encoded."""

    def __init__(self, name: str) -> None:
        self.known = _known(name)

    def __call__(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One vector a text."""
        new = [text for text in texts if text not in self.known]
        if new:
            self.known.update(zip(new, encode(new), strict=True))
        return np.stack([self.known[text] for text in texts])


@cache
def _known(name: str) -> dict[str, NDArray[np.float32]]:
    return dict(zip(corpus(name).texts, sentence_vectors(name), strict=True))


@contextmanager
def equal_weights() -> Iterator[None]:
    """Every document with a keyword counts the same."""

    def of(positive: NDArray[np.bool_], similarity: NDArray[np.float64]) -> Split:
        return Split(positive, np.ones(len(positive)))

    with patch.object(Split, "of", of):
        yield


@contextmanager
def no_anchor() -> Iterator[None]:
    """In a round only what the views believe in is positive."""

    def with_believed(self: Split, believed: NDArray[np.bool_]) -> Split:
        return Split(believed, np.ones(len(believed)))

    with patch.object(Split, "with_believed", with_believed):
        yield


@contextmanager
def no_examples() -> Iterator[None]:
    """New documents are not compared with training documents."""
    with patch.object(fitting, "find_nearest", lambda *given: None):
        yield


@contextmanager
def shared_readings(problem: Problem) -> Iterator[None]:
    """All 20 tasks of a trial of the newsgroups have the same documents: what is read in them is read once.

    So are their neighbours, because all documents are compared: there are fewer than `MOST_DOCUMENTS`.
    """
    with ExitStack() as stack:
        if problem.task.corpus == ALL_GROUPS:
            for kind in (WordView, PieceView, TfidfView, LsaView):
                stack.enter_context(patch.object(kind, "read", _once(kind.read, problem.trial)))
            found = _once(find_neighbours, problem.trial)
            stack.enter_context(patch.object(fitting, "find_neighbours", found))
        yield


def _once(function: Callable[..., Any], trial: int) -> Callable[..., Any]:
    def once(*given: Any) -> Any:
        for old in [key for key in _read if key[0] != trial]:
            del _read[old]
        if (trial, function) not in _read:
            _read[trial, function] = function(*given)
        return _read[trial, function]

    return once


_read: dict[tuple[int, Callable[..., Any]], Any] = {}


def _patched(patched: Callable[[], Any], problem: Problem) -> Measured:
    with patched(), shared_readings(problem):
        return fitted(problem)


def _settings(**changes: Any) -> Callable[[Problem], Measured]:
    return _changed(settings=Settings(**changes))


def _changed(**changes: Any) -> Callable[[Problem], Measured]:
    def measured(problem: Problem) -> Measured:
        with shared_readings(problem):
            return fitted(problem, **changes)

    return measured


ALL = ("words", "pieces", "tfidf", "lsa")
WAYS = ("keywords alone", "believe a tenth", "believe a half", "neighbours")
"""The single ways of learning that the default blends."""

OURS: dict[str, Callable[[Problem], Measured]] = {
    "keysift": _changed(),
    "keysift with MiniLM": _changed(encoder=True),
    "keywords alone": _settings(believe=0.0),
    "believe a tenth": _settings(believe=0.1),
    "believe a half": _settings(believe=0.5),
    "neighbours": _settings(believe="neighbours"),
    "no examples": lambda problem: _patched(no_examples, problem),
    "five nearest words": _settings(gamma=5),
    "equal weights": lambda problem: _patched(equal_weights, problem),
    "no anchor": lambda problem: _patched(no_anchor, problem),
    "logistic loss": _changed(loss="logistic"),
    "a third of the penalty": _settings(l2=0.05, round_l2=0.013),
    "three times the penalty": _settings(l2=0.45, round_l2=0.12),
    "two rounds": _settings(rounds=2),
    "eight rounds": _settings(rounds=8),
    "half the doubt": lambda problem: _patched(lambda: patch.object(quality, "DOUBT", quality.DOUBT / 2), problem),
    "twice the doubt": lambda problem: _patched(lambda: patch.object(quality, "DOUBT", quality.DOUBT * 2), problem),
    "half of lsa": lambda problem: _patched(lambda: patch.dict(fitting.WEIGHTS, lsa=0.5), problem),
    "MiniLM without denial": _changed(encoder=True, settings=Settings(denial="")),
    **{f"without {view}": _changed(views=tuple(other for other in ALL if other != view)) for view in ALL},
}
