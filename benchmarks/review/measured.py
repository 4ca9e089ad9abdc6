"""One task and seed: a simulated review, and what answers are worth to keysift and to logistic regression."""

import time
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from benchmarks.review.given import first_two
from benchmarks.suite.tasks import SuiteTask
from keysift.answering import learn_answers
from keysift.features.prepared import Prepared
from keysift.learn.fitting import KeywordFit
from keysift.metrics import auc_between
from keysift.pipeline import Learned, Matches, learn, match, prepare
from keysift.review.simulation import Simulation, simulate

__all__ = ["ANSWERS", "RARE", "logistic_scores", "measure"]

ANSWERS = (10, 20, 50, 100, 200)
RARE = 0.15
"""A task is a review where a smaller share than this is relevant."""


def measure(task: SuiteTask, seed: int) -> dict[str, Any]:
    """The line of a task and a seed; AUC in percent points, over the documents without an answer.

    Where relevant documents are not rare there is no review to read, only answers drawn at random.
    """
    prepared = prepare(task.texts)
    matches = match(prepared, list(task.keywords))
    learned = learn(prepared, matches)
    drawn = np.random.default_rng(seed).permutation(len(task.relevant))
    line: dict[str, Any] = {
        "task": task.name,
        "corpus": task.corpus,
        "kind": task.kind,
        "seed": seed,
        "documents": len(task.relevant),
        "relevant": int(task.relevant.sum()),
    }
    if task.relevant.mean() < RARE:
        start = time.perf_counter()
        simulation = simulate(prepared, task.relevant, list(task.keywords), random_state=seed)
        seconds = time.perf_counter() - start
        given = first_two(task.relevant, seed)
        told = simulate(prepared, task.relevant, list(task.keywords), random_state=seed, given=given)
        line |= {
            **_summary(simulation),
            "fits": simulation.fits,
            "seconds": round(seconds, 1),
            "given": {"documents": given, **_summary(told)},
            "best first": curve(prepared, matches, learned, task.relevant, simulation.read),
        }
    return {**line, "random": curve(prepared, matches, learned, task.relevant, drawn)}


def _summary(simulation: Simulation) -> dict[str, float]:
    return {
        "loss": round(simulation.loss, 4),
        "work_saved": round(simulation.work_saved, 4),
        "keyword_loss": round(simulation.keywords.loss, 4),
        "keyword_work_saved": round(simulation.keywords.work_saved(), 4),
    }


def curve(
    prepared: Prepared,
    matches: Matches,
    learned: Learned,
    relevant: NDArray[np.bool_],
    read: NDArray[np.int64],
) -> dict[str, list[float | None]]:
    """For each number of answers the AUC of keywords alone, keysift and logistic regression over the unread."""
    assert learned.fitted is not None
    found: dict[str, list[float | None]] = {"keywords": [], "keysift": [], "logistic": []}
    for number in ANSWERS:
        answers = np.full(len(relevant), -1, dtype=np.int8)
        answers[read[:number]] = relevant[read[:number]]
        unread = answers < 0
        both = relevant[unread].any() and not relevant[unread].all()
        ways = {
            "keywords": learned.scores,
            "keysift": learn_answers(prepared, matches, learned, answers).scores,
            "logistic": logistic_scores(learned.fitted, prepared, answers),
        }
        for name, scores in ways.items():
            higher, lower = scores[unread & relevant], scores[unread & ~relevant]
            found[name].append(round(100 * auc_between(higher, lower), 3) if both else None)
    return found


def logistic_scores(fitted: KeywordFit, prepared: Prepared, answers: NDArray[np.int8]) -> NDArray[np.float64]:
    """Of logistic regression on the same answers and features (TF-IDF and sentence vectors), classes balanced, C=10.

    Where all answers are of one kind there is nothing to fit, and all scores are equal.
    """
    from sklearn.linear_model import LogisticRegression

    places = np.flatnonzero(~prepared.empty)
    said = answers[places]
    rows = np.flatnonzero(said >= 0)
    scores = np.zeros(len(answers))
    if len(np.unique(said[rows])) == 2:
        X = sp.hstack([sp.csr_array(view.X) for view in fitted.views.values()], format="csr")
        model = LogisticRegression(C=10.0, class_weight="balanced", max_iter=1000).fit(X[rows], said[rows])
        scores[places] = model.decision_function(X)
    return scores
