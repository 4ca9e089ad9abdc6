"""How good a ranking and its decisions are, when labels are at hand."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from keysift.errors import InputError, SettingError


@dataclass(frozen=True)
class Evaluation:
    """All metrics of one ranking."""

    documents: int
    positives: int
    auc: float
    average_precision: float
    precision_at_100: float
    macro_f1: float
    accuracy: float


def precision_at_k(labels: ArrayLike, scores: ArrayLike, k: int) -> float:
    """Share of positives among the k highest scores; where the k-th is tied, the mean over the orders of the tie.

    >>> precision_at_k([1, 0, 1, 0], [0.9, 0.8, 0.8, 0.1], 2)
    0.75
    """
    y, s = np.asarray(labels, dtype=np.float64), np.asarray(scores, dtype=np.float64)
    if k < 1 or not len(s):
        raise SettingError(f"Precision at k needs k of 1 or more and a document; got k={k} and {len(s)} documents.")
    k = min(k, len(s))
    kth = np.sort(s)[len(s) - k]
    above, tied = s > kth, s == kth
    return float((y[above].sum() + (k - above.sum()) * y[tied].mean()) / k)


def evaluate(labels: ArrayLike, scores: ArrayLike, decisions: ArrayLike) -> Evaluation:
    """All metrics, ties handled; labels and decisions are 0 or 1.

    >>> evaluate([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1], [1, 0, 0, 0]).auc
    0.75
    """
    from sklearn.metrics import accuracy_score, average_precision_score, f1_score, roc_auc_score

    y: NDArray[np.int64] = np.asarray(labels, dtype=np.int64)
    if len(np.unique(y)) < 2:
        raise InputError(
            f"All {len(y)} labels are {y[0] if len(y) else 'missing'}; metrics need positive and negative documents."
        )
    return Evaluation(
        documents=len(y),
        positives=int(y.sum()),
        auc=float(roc_auc_score(y, scores)),
        average_precision=float(average_precision_score(y, scores)),
        precision_at_100=precision_at_k(y, scores, 100),
        macro_f1=float(f1_score(y, decisions, average="macro", zero_division=0)),
        accuracy=float(accuracy_score(y, decisions)),
    )


def auc_between(higher: NDArray[np.float64], lower: NDArray[np.float64]) -> float:
    """How often one of the first scores is above one of the second; ties count half.

    >>> auc_between(np.array([2.0, 0.0]), np.array([1.0, 0.0]))
    0.625
    """
    rising = np.sort(lower)
    below, not_above = np.searchsorted(rising, higher, "left"), np.searchsorted(rising, higher, "right")
    return int(below.sum() + not_above.sum()) / (2 * len(higher) * len(lower))


def auc_deviation(higher: int, lower: int) -> float:
    """The standard deviation of the AUC between so many documents where scores tell nothing (Mann and Whitney).

    >>> round(auc_deviation(100, 5000), 4)
    0.0292
    """
    return float(np.sqrt((higher + lower + 1) / (12 * max(higher * lower, 1))))
