"""A review that is finished, read again, to see how soon everything would have been found.

The documents are read in an order, the labels answer, and what is learned decides what is read next: after each of the
first 20 documents, then whenever 5 % more were read, for an answer among many changes little. Beside it is what reading
by the keywords alone would have found, and reading at random.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import ArrayLike, NDArray

from keysift.answering import learn_answers
from keysift.errors import InputError
from keysift.features.prepared import Prepared, Progress, silent
from keysift.pipeline import Learned, Matches, learn, match, prepare, seed_from
from keysift.review.orders import Order, get_order
from keysift.review.recall import RecallCurve

EACH = 20
"""So many answers are learned one by one."""
MORE = 0.05
"""Then there is something to learn when this share more was read."""


@dataclass(frozen=True, eq=False)
class Simulation:
    """What would have been found by reading in an order, beside keyword order and chance."""

    read: NDArray[np.int64]
    """The documents in the order in which they were read."""
    learning: RecallCurve
    """Reading in that order, learning in between."""
    keywords: RecallCurve
    """Reading by the first ranking, never learning."""
    random: RecallCurve
    """What to expect of reading at random."""
    fits: int
    """How often answers were learned."""

    @property
    def loss(self) -> float:
        """The area lost above the recall curve; 0 is perfect, and chance 0.5."""
        return self.learning.loss

    @property
    def work_saved(self) -> float:
        """Over sampling, at 95 % recall."""
        return self.learning.work_saved()

    def frame(self) -> pl.DataFrame:
        """The three curves: relevant documents found after so many read."""
        return pl.DataFrame(
            {
                "read": np.arange(1, len(self.read) + 1),
                "document": self.read,
                "found": self.learning.found.astype(np.int64),
                "keyword_order": self.keywords.found.astype(np.int64),
                "random": self.random.found,
            }
        )


def simulate(
    documents: Any,
    labels: ArrayLike,
    keywords: Any,
    *,
    order: str | Order = "mix",
    random_state: Any = 0,
    loss: Any = "sigmoid",
    progress: Progress = silent,
    **preparing: Any,
) -> Simulation:
    """Read documents whose labels (1 relevant, 0 not) are known; no label is seen before its document is read.

    `documents` may also be what `keysift.pipeline.prepare` gave; `preparing` are arguments of it (`encoder`,
    `settings`, …). `order` is "mix" (best first, with a little exploration), "best", "uncertain" or "random", or an
    order of `keysift.review.orders`.

    >>> documents = ["the hockey game", "a tax law", "the hockey team won a game", "the court", "a game was won"]
    >>> simulation = simulate(documents, [1, 0, 1, 0, 1], "hockey", order="best", encoder=None)
    >>> simulation.learning.found.tolist(), simulation.loss
    ([1.0, 2.0, 3.0, 3.0, 3.0], 0.0)
    """
    order, seed = get_order(order), seed_from(random_state)
    relevant = check_labels(labels)
    prepared = (
        documents
        if isinstance(documents, Prepared)
        else prepare(documents, random_state=random_state, progress=progress, **preparing)
    )
    if len(prepared) != len(relevant):
        raise InputError(f"There are {len(prepared):,} documents and {len(relevant):,} labels; give one label each.")
    matches = match(prepared, keywords, progress)
    first = learn(prepared, matches, loss=loss, progress=progress)
    rng = np.random.default_rng(seed)
    read, fits = _read_all(prepared, matches, first, relevant, order, rng, progress)
    return Simulation(
        read=read,
        learning=RecallCurve.of(relevant[read]),
        keywords=RecallCurve.of(relevant[_best_first(first.scores)]),
        random=RecallCurve.expected(len(relevant), int(relevant.sum())),
        fits=fits,
    )


def check_labels(labels: ArrayLike) -> NDArray[np.bool_]:
    """The labels as truth values; both kinds are needed.

    >>> check_labels([1, 0, 2])
    Traceback (most recent call last):
    keysift.errors.InputError: labels must be 1 (relevant) or 0, one a document; got 2 for document 2.
    """
    given = np.asarray(labels)
    if given.ndim != 1:
        raise InputError(f"labels must be 1 (relevant) or 0, one a document; got an array of shape {given.shape}.")
    wrong = np.flatnonzero([label not in (0, 1) for label in given.tolist()])
    if len(wrong):
        place = int(wrong[0])
        raise InputError(
            f"labels must be 1 (relevant) or 0, one a document; got {given.tolist()[place]!r:.60} for document {place}."
        )
    relevant = given.astype(bool)
    if relevant.all() or not relevant.any():
        raise InputError(
            f"A simulation needs relevant documents and others; {int(relevant.sum()):,} of {len(relevant):,} are"
            " labelled relevant."
        )
    return relevant


def _read_all(
    prepared: Prepared,
    matches: Matches,
    learned: Learned,
    relevant: NDArray[np.bool_],
    order: Order,
    rng: np.random.Generator,
    progress: Progress,
) -> tuple[NDArray[np.int64], int]:
    """The documents as they are read, and how often was learned; once all is found, nothing more is learned."""
    read, fits, left = np.zeros(len(relevant), dtype=bool), 0, int(relevant.sum())
    answers = np.full(len(relevant), -1, dtype=np.int8)
    batches: list[NDArray[np.int64]] = []
    while left:
        done = int(read.sum())
        batch = order.next(learned.scores, read, 1 if done < EACH else max(1, int(MORE * done)), rng)
        read[batch], answers[batch] = True, relevant[batch]
        batches.append(batch)
        left -= int(relevant[batch].sum())
        progress("Reading and learning", 1 - left / relevant.sum())
        if left:
            learned = learn_answers(prepared, matches, learned, answers.copy())
            fits += 1
    rest = _best_first(learned.scores)
    return np.concatenate([*batches, rest[~read[rest]]]), fits


def _best_first(scores: NDArray[np.float64]) -> NDArray[np.int64]:
    return np.argsort(-scores, kind="stable")
