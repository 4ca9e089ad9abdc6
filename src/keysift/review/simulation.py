"""A review that is finished, read again, to see how soon everything would have been found.

The documents are read in an order, the labels answer, and what is learned decides what is read next: after each of the
first 20 documents, then whenever 5 % more were read, for an answer among many changes little. Beside it is what reading
by the keywords alone would have found, and reading at random.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import ArrayLike, NDArray

from keysift.answering import learn_answers
from keysift.errors import InputError
from keysift.features.prepared import Prepared, Progress, silent
from keysift.pipeline import Learned, Matches, learn, match, prepare, seed_from
from keysift.review.answers import check_document
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
    """The documents in the order in which they were read; those whose labels were given are not among them."""
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
    given: Sequence[int] = (),
    random_state: Any = 0,
    loss: Any = "sigmoid",
    progress: Progress = silent,
    **preparing: Any,
) -> Simulation:
    """Read documents whose labels (1 relevant, 0 not) are known; no label is seen before its document is read.

    `documents` may also be what `keysift.pipeline.prepare` gave; `preparing` are arguments of it (`encoder`,
    `settings`, …). `order` is "mix" (best first, with a little exploration), "best", "uncertain" or "random", or an
    order of `keysift.review.orders`. `given` are documents, by their places from 0 on, whose labels are known before
    reading begins: they are learned first, and the curves leave them out.

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
    known = check_given(given, relevant)
    matches = match(prepared, keywords, progress)
    first = learn(prepared, matches, loss=loss, progress=progress)
    rng = np.random.default_rng(seed)
    read, fits = _read_all(prepared, matches, first, relevant, known, order, rng, progress)
    by_keywords = _best_first(first.scores)
    return Simulation(
        read=read,
        learning=RecallCurve.of(relevant[read]),
        keywords=RecallCurve.of(relevant[by_keywords[~known[by_keywords]]]),
        random=RecallCurve.expected(len(read), int(relevant[read].sum())),
        fits=fits,
    )


def check_given(given: Sequence[int], relevant: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which documents are given; both kinds must be left to be found.

    >>> check_given([2], np.array([True, False, True, False])).tolist()
    [False, False, True, False]
    >>> check_given([1], np.array([True, False, True]))
    Traceback (most recent call last):
    keysift.errors.InputError: given must leave relevant documents and others to read; of 2 documents, 2 are relevant.
    """
    known = np.zeros(len(relevant), dtype=bool)
    known[[check_document(document, len(relevant)) for document in given]] = True
    left = relevant[~known]
    if left.all() or not left.any():
        raise InputError(
            f"given must leave relevant documents and others to read; of {len(left):,} documents, {int(left.sum()):,}"
            " are relevant."
        )
    return known


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
    known: NDArray[np.bool_],
    order: Order,
    rng: np.random.Generator,
    progress: Progress,
) -> tuple[NDArray[np.int64], int]:
    """The documents as they are read, and how often was learned; once all is found, nothing more is learned."""
    read, fits, left = known.copy(), 0, int(relevant[~known].sum())
    answers = np.where(known, relevant, -1).astype(np.int8)
    batches: list[NDArray[np.int64]] = []
    if known.any():
        learned, fits = learn_answers(prepared, matches, learned, answers.copy()), 1
    while left:
        done = int(read.sum())
        batch = order.next(learned.to_read, read, 1 if done < EACH else max(1, int(MORE * done)), rng)
        read[batch], answers[batch] = True, relevant[batch]
        batches.append(batch)
        left -= int(relevant[batch].sum())
        progress("Reading and learning", 1 - left / relevant[~known].sum())
        if left:
            learned = learn_answers(prepared, matches, learned, answers.copy())
            fits += 1
    rest = _best_first(learned.scores)
    return np.concatenate([*batches, rest[~read[rest]]]), fits


def _best_first(scores: NDArray[np.float64]) -> NDArray[np.int64]:
    return np.argsort(-scores, kind="stable")
