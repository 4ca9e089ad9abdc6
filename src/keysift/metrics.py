"""How good a ranking and its decisions are, when labels are at hand."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from keysift.errors import InputError, SettingError

if TYPE_CHECKING:
    import polars as pl


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
    precision: float
    """At the cut, like all that follow."""
    recall: float
    f1: float
    true_positives: int
    false_positives: int
    false_negatives: int
    true_negatives: int


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

    >>> found = evaluate([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1], [1, 0, 0, 0])
    >>> found.auc, found.precision, found.recall, found.false_negatives
    (0.75, 1.0, 0.5, 1)
    """
    from sklearn.metrics import accuracy_score, average_precision_score, f1_score, roc_auc_score

    y: NDArray[np.int64] = np.asarray(labels, dtype=np.int64)
    if len(np.unique(y)) < 2:
        raise InputError(
            f"All {len(y)} labels are {y[0] if len(y) else 'missing'}; metrics need positive and negative documents."
        )
    decided = np.asarray(decisions) > 0
    hits, alarms = int(y[decided].sum()), int((y[decided] == 0).sum())
    missed = int(y.sum()) - hits
    return Evaluation(
        documents=len(y),
        positives=int(y.sum()),
        auc=float(roc_auc_score(y, scores)),
        average_precision=float(average_precision_score(y, scores)),
        precision_at_100=precision_at_k(y, scores, 100),
        macro_f1=float(f1_score(y, decisions, average="macro", zero_division=0)),
        accuracy=float(accuracy_score(y, decisions)),
        precision=hits / max(1, hits + alarms),
        recall=hits / (hits + missed),
        f1=2 * hits / (2 * hits + alarms + missed),
        true_positives=hits,
        false_positives=alarms,
        false_negatives=missed,
        true_negatives=len(y) - hits - alarms - missed,
    )


def measured_cuts(labels: ArrayLike, scores: ArrayLike, points: int = 150) -> "pl.DataFrame":
    """Precision, recall and F1 of about so many cuts, from the top of a ranking to its end; half of them near the top.

    >>> measured_cuts([1, 0, 1], [3.0, 2.0, 1.0]).select("count", "precision", "recall").rows()
    [(1, 1.0, 0.5), (2, 0.5, 0.5), (3, 0.666..., 1.0)]
    """
    import polars as pl

    y, s = np.asarray(labels, dtype=np.int64), np.asarray(scores, dtype=np.float64)
    order = np.argsort(-s, kind="stable")
    ends = np.flatnonzero(np.diff(s[order], append=-np.inf))  # no cut goes through equal scores
    half = np.concatenate([np.geomspace(1, len(ends), points), np.linspace(1, len(ends), points)])
    chosen = ends[np.unique(half.round().astype(int)) - 1]
    hits, counts = np.cumsum(y[order])[chosen], chosen + 1
    return pl.DataFrame(
        {
            "cut": s[order][chosen],
            "count": counts,
            "precision": hits / counts,
            "recall": hits / max(1, int(y.sum())),
            "f1": 2 * hits / (counts + int(y.sum())),
        }
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
