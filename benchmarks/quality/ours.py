"""keysift as it comes, with an encoder, and with one ingredient changed at a time."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import Any
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from benchmarks.quality.sentences import encode, sentence_vectors
from benchmarks.quality.tasks import Problem, corpus
from keysift import KeywordClassifier, LearnConfig, Session, Settings
from keysift.features.lexical import LsaView
from keysift.features.view import Role
from keysift.learn.split import Split
from keysift.pipeline import seed_from

__all__ = ["OURS", "STRATEGIES", "Measured", "Variant"]

Measured = tuple[NDArray[np.float64], dict[str, Any]]
"""Scores of the test documents, and what else goes into the line of the results."""

DEFAULT = LearnConfig()


@dataclass(frozen=True, eq=False)
class Variant:
    """keysift with some arguments changed: fits the training documents and scores the test documents."""

    arguments: Mapping[str, Any] = field(default_factory=dict)
    """Of `Session`."""
    encoder: bool = False
    patched: Callable[[], AbstractContextManager[None]] = nullcontext

    def __call__(self, problem: Problem) -> Measured:
        """The scores; the label-free quality goes into the line."""
        with self.patched():
            clf = self.fit(problem)
        assert clf.quality_ is not None
        return clf.decision_function(problem.test_texts), {
            "quality": round(100 * clf.quality_.value, 4),
            "blend": {str(trial.strategy): round(trial.weight, 4) for trial in clf.quality_.trials},
        }

    def fit(self, problem: Problem) -> KeywordClassifier:
        """A fit; tasks of one corpus and trial share what does not depend on the keywords."""
        session = _session(self, problem.task.corpus, problem.train_texts)
        session.keywords(list(problem.task.keywords))
        session.learn()
        return session.classifier()


@lru_cache(maxsize=1)
def _session(variant: Variant, name: str, texts: tuple[str, ...]) -> Session:
    return Session(texts, encoder=MiniLM(name) if variant.encoder else None, **variant.arguments)


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


# These two are no choice of a user's, only a question of ours, so no option of keysift's asks it: they are patched in.


@contextmanager
def equal_weights() -> Iterator[None]:
    """Every document with a keyword counts the same."""

    def of(positive: NDArray[np.bool_], similarity: NDArray[np.float64]) -> Split:
        return Split(positive, np.ones(len(positive)))

    with patch.object(Split, "of", of):
        yield


@contextmanager
def no_anchor() -> Iterator[None]:
    """In a round only what the views add is positive."""

    def with_added(self: Split, added: NDArray[np.bool_], weight: float) -> Split:
        return Split(added, np.ones(len(added)))

    with patch.object(Split, "with_added", with_added):
        yield


def _learning(*, encoder: bool = False, **changes: Any) -> Variant:
    return Variant({"learning": replace(DEFAULT, **changes)}, encoder)


ALL = ("words", "pieces", "tfidf", "lsa")
HALF_OF_LSA = LsaView(seed_from(0), DEFAULT.lsa_size, Role(weight=0.5, teaching=DEFAULT.lexical_teaching))
STRATEGIES = ("keywords alone", "believe a tenth", "believe a half", "neighbours")
"""The single strategies of learning that the default blends."""

OURS: dict[str, Callable[[Problem], Measured]] = {
    "keysift": Variant(),
    "keysift with MiniLM": Variant(encoder=True),
    "keywords alone": _learning(self_training=0.0),
    "believe a tenth": _learning(self_training=0.1),
    "believe a half": _learning(self_training=0.5),
    "neighbours": _learning(self_training="neighbours"),
    "no examples": _learning(example_weight=0.0),
    "five nearest words": Variant({"settings": Settings(gamma=5)}),
    "equal weights": Variant(patched=equal_weights),
    "no anchor": Variant(patched=no_anchor),
    "logistic loss": Variant({"loss": "logistic"}),
    "a third of the penalty": _learning(l2=0.05, round_l2=0.013),
    "three times the penalty": _learning(l2=0.45, round_l2=0.12),
    "two rounds": _learning(rounds=2),
    "eight rounds": _learning(rounds=8),
    "half the doubt": _learning(blend_tolerance=DEFAULT.blend_tolerance / 2),
    "twice the doubt": _learning(blend_tolerance=DEFAULT.blend_tolerance * 2),
    "half of lsa": Variant({"views": (*ALL[:-1], HALF_OF_LSA)}),
    "MiniLM without denial": _learning(encoder=True, negation=""),
    **{f"without {view}": Variant({"views": tuple(other for other in ALL if other != view)}) for view in ALL},
}
"""By the names in the file of results."""
