"""A quality without labels: how well documents are found that hold a keyword nobody told of.

Some of the keywords are left out and hidden in the documents; the rest learn a ranking. If it is any good, documents
that hold only a left-out keyword rank above documents that hold none. By Theorem 2 the AUC between the two is an
increasing function of the true AUC as long as the left-out words choose fairly, so it can compare ways of learning; it
is lower than the true AUC, because not every document with a keyword is relevant, nor every other one irrelevant.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from keysift.learning.across import Fits, Plan, Split, fit_split, self_train
from keysift.models import Features
from keysift.views import Reading

__all__ = ["Fold", "Quality", "Trial", "blend_weights", "deal", "measure_quality"]

FOLDS = 3
FEWEST = 5
"""A fold with fewer documents to look for says nothing."""
DOUBT = 0.04
"""What share of the quality above chance a way of learning may lose before it counts less by a factor of e."""
MOST_OTHERS = 5000
"""So many documents without a keyword are enough to compare with."""


@dataclass(frozen=True, eq=False)
class Fold:
    """What is left out, and what the rest learns from."""

    split: Split
    """By the keywords that stay; documents that hold only a left-out one count nothing."""
    held: NDArray[np.int64]
    """Places, among the documents with a keyword, of those that hold only left-out ones."""


@dataclass(frozen=True)
class Trial:
    """A way of learning, how well it found what was left out, and how much it counts in the blend."""

    share: float
    """The share of documents that the views believe in; zero learns from the keywords alone."""
    quality: float
    weight: float


@dataclass(frozen=True, eq=False)
class Quality:
    """What was measured without a label, and what was made of it."""

    basis: str
    """What was left out: "keywords", "documents" where there are too few keywords, or "nothing"."""
    trials: tuple[Trial, ...]
    belief: NDArray[np.float64]
    """For each document with a keyword, hidden: the share of the others that it beats when its keywords are left out;
    not a number where it was in no fold."""

    @property
    def value(self) -> float:
        """The quality of the blend: the mean of the ways of learning, as they count in it; not a number without one."""
        return sum(trial.weight * trial.quality for trial in self.trials) if self.basis != "nothing" else float("nan")


def blend_weights(shares: Sequence[float], qualities: Sequence[float]) -> NDArray[np.float64]:
    """How much each way of learning counts: w ~ (share + 0.1)^2 exp(-(loss / 0.04)^3), loss = 1 - q / max q.

    q is the quality above chance. Believing more is given the benefit of the doubt, because a corpus that divides well
    gains much by it, and one that does not shows it in the quality: up to a loss of a few percent a half counts several
    times as much as a tenth, and beyond a tenth it counts nothing.

    >>> blend_weights([0.0, 0.1, 0.5], [0.80, 0.80, 0.70]).round(3).tolist()
    [0.2, 0.8, 0.0]
    >>> blend_weights([0.0, 0.1, 0.5], [0.70, 0.70, 0.70]).round(3).tolist()
    [0.024, 0.098, 0.878]
    """
    above = np.maximum(np.asarray(qualities) - 0.5, 1e-3)
    weights = (np.asarray(shares) + 0.1) ** 2 * np.exp(-(((1 - above / above.max()) / DOUBT) ** 3))
    return np.asarray(weights / weights.sum())


def deal(documents: NDArray[np.int64], folds: int = FOLDS) -> NDArray[np.int64]:
    """Deal the keywords to folds, the most frequent first, back and forth, so that the folds are about equal.

    >>> deal(np.array([5, 50, 20, 1]), folds=2).tolist()
    [1, 0, 1, 0]
    """
    order = np.argsort(-documents, kind="stable")
    turns = np.arange(len(order))
    fold = np.empty(len(order), dtype=np.int64)
    fold[order] = np.where((turns // folds) % 2 == 0, turns % folds, folds - 1 - turns % folds)
    return fold


def measure_quality(
    readings: Mapping[str, Reading],
    hidden: Mapping[str, Features],
    others: NDArray[np.int64],
    folds: Sequence[Fold],
    basis: str,
    *,
    weights: Mapping[str, float],
    shares: Sequence[float],
    rounds: int,
    plan: Plan,
    rng: np.random.Generator,
    progress: Callable[[float], None],
) -> Quality:
    """Learn from every fold in every way, and see which finds best what was left out.

    `hidden` are the documents with a keyword, all keywords removed; `others` the training documents without one.
    """
    belief = np.full(next(iter(hidden.values())).shape[0], np.nan)
    usable = [fold for fold in folds if len(fold.held) >= FEWEST]
    if not usable or not len(others):
        counts = blend_weights(shares, [1.0] * len(shares)) if len(shares) == 1 else np.eye(len(shares))[0]
        unknown = (Trial(share, float("nan"), float(count)) for share, count in zip(shares, counts, strict=True))
        return Quality("nothing", tuple(unknown), belief)
    sample = others if len(others) <= MOST_OTHERS else np.sort(rng.choice(others, MOST_OTHERS, replace=False))
    table = np.empty((len(usable), len(shares)))
    placed: list[list[NDArray[np.float64]]] = []
    for row, fold in enumerate(usable):
        base = fit_split(readings, fold.split, plan)
        placed.append([])
        for column, share in enumerate(shares):
            fits: Fits = self_train(readings, base, fold.split, share, rounds, plan) if share else base
            found = sum(weights[name] * fit.score(hidden[name][fold.held]) for name, fit in fits.items())
            rest = sum(weights[name] * fit.scores[sample] for name, fit in fits.items())
            placed[-1].append(np.searchsorted(np.sort(rest), found) / len(sample))
            table[row, column] = _auc(np.asarray(found), np.asarray(rest))
            progress((row * len(shares) + column + 1) / (len(usable) * len(shares)))
    size = np.sqrt([len(fold.held) for fold in usable])
    means = size @ table / size.sum()
    counts = blend_weights(shares, means)
    for fold, places in zip(usable, placed, strict=True):
        belief[fold.held] = counts @ np.stack(places)
    trials = (Trial(*map(float, row)) for row in zip(shares, means, counts, strict=True))
    return Quality(basis, tuple(trials), belief)


def _auc(found: NDArray[np.float64], rest: NDArray[np.float64]) -> float:
    truth = np.concatenate([np.ones(len(found)), np.zeros(len(rest))])
    return float(roc_auc_score(truth, np.concatenate([found, rest])))
