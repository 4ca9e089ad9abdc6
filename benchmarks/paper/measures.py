"""The paper's measures of one outcome, in percent points: a line of the results."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.paper.trial import Outcome, Trial
from keysift.metrics import Evaluation, evaluate

__all__ = ["PRIORS", "decide", "measure", "precision_range"]

PRIORS = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
"""The sweep of the paper."""


def decide(
    scores: NDArray[np.float64], prior: float, train_scores: NDArray[np.float64] | None = None
) -> NDArray[np.bool_]:
    """Positive from the score that cuts off the top share `prior` of the training documents, that score included.

    This is how the paper's tables come about. Its sweep of NB on AYI needs a cut on the training scores, which are more
    extreme than those of the test documents; and Voting on MPQA is all positive at 0.31, because a tie is taken in.

    >>> decide(np.array([0.0, 0.0, 1.0, 2.0]), 0.5, train_scores=np.array([0.0, 0.0, 0.0, 2.0])).tolist()
    [True, True, True, True]
    """
    reference = np.sort(scores if train_scores is None else train_scores)
    rank = min(max(round(prior * len(reference)), 1), len(reference))
    return np.asarray(scores >= reference[len(reference) - rank])


def measure(trial: Trial, outcome: Outcome) -> dict[str, Any]:
    """Everything that the tables show of one system in one trial."""

    def at(prior: float) -> Evaluation:
        return evaluate(trial.test_labels, outcome.scores, decide(outcome.scores, prior, outcome.train_scores))

    true, heuristic, sweep = at(float(trial.train_labels.mean())), at(trial.heuristic), [at(prior) for prior in PRIORS]
    default = evaluate(trial.test_labels, outcome.scores, outcome.decisions)
    truth = trial.train_labels == 1
    return {
        "auc": _points(true.auc),
        "f1": _points(true.macro_f1),
        "acc": _points(true.accuracy),
        "prec100": _points(true.precision_at_100),
        "prec100_range": [_points(end) for end in precision_range(trial.test_labels, outcome.scores, 100)],
        "f1_default": _points(default.macro_f1),
        "acc_default": _points(default.accuracy),
        "f1_heuristic": _points(heuristic.macro_f1),
        "acc_heuristic": _points(heuristic.accuracy),
        "f1_sweep": [_points(cut.macro_f1) for cut in sweep],
        "acc_sweep": [_points(cut.accuracy) for cut in sweep],
        "cut_on": "test" if outcome.train_scores is None else "train",
        "seconds": round(outcome.fit_seconds, 4),
        "tp": int((trial.pseudo & truth).sum()),
        "fp": int((trial.pseudo & ~truth).sum()),
        "fn": int((~trial.pseudo & truth).sum()),
        "tn": int((~trial.pseudo & ~truth).sum()),
        "test": [int((trial.test_labels == 1).sum()), int((trial.test_labels == 0).sum())],
        **outcome.extra,
    }


def precision_range(labels: NDArray[np.int64], scores: NDArray[np.float64], k: int) -> tuple[float, float]:
    """Precision at k in the worst and in the best order of tied documents.

    >>> precision_range(np.array([0, 1, 1, 0]), np.array([0.2, 0.9, 0.2, 0.2]), 2)
    (0.5, 1.0)
    """
    worst, best = np.lexsort((labels, -scores))[:k], np.lexsort((-labels, -scores))[:k]
    return float(labels[worst].mean()), float(labels[best].mean())


def _points(share: float) -> float:
    return round(100 * share, 4)
