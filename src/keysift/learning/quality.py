"""A quality without labels: how well documents are found that hold a keyword nobody told of.

Some of the keywords are left out and hidden in the documents; the rest learn a ranking. If it is any good, documents
that hold only a left-out keyword rank above documents that hold none. By Theorem 2 the AUC between the two is an
increasing function of the true AUC as long as the left-out words choose fairly, so it can compare ways of learning; it
is lower than the true AUC, because not every document with a keyword is relevant, nor every other one irrelevant.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keysift.learning.across import Plan, Split, fit_split, fuse
from keysift.learning.neighbours import Neighbours
from keysift.learning.ways import ALONE, NEAR, Way, learn
from keysift.metrics import auc_between, auc_deviation
from keysift.models import Features
from keysift.views import Reading

__all__ = ["Blind", "Fold", "Quality", "Trial", "blend_weights", "deal", "found_alone", "measure_quality"]

FOLDS = 3
FEWEST = 5
"""A fold with fewer documents to look for says nothing."""
TRUST = (0.6, 0.75)
"""Neighbours that find what was left out with an AUC below the first are not trusted, above the second fully."""
DOUBT = 0.04
"""What share of the quality above chance a way of learning may lose before it counts less by a factor of e."""
BY_CHANCE = 3.0
"""A quality that is not so many standard deviations above chance tells nothing of the ways of learning."""
ENOUGH = 0.6
"""But only where chance can reach no more than this: of few documents even a poor measure is the best there is."""
SAYS_NOTHING = 1.64
"""Sentence vectors that find less tell nothing: 19 of 20 that are noise find less."""
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

    way: Way
    quality: float
    weight: float


@dataclass(frozen=True, eq=False)
class Blind:
    """What a fold's ranking says of documents whose keywords it cannot see: the scores of all ways, as they count."""

    held: NDArray[np.float64]
    """Of the documents that hold only left-out keywords."""
    others: NDArray[np.float64]
    """Of documents without a keyword."""


@dataclass(frozen=True, eq=False)
class Quality:
    """What was measured without a label, and what was made of it."""

    basis: str
    """What was left out: "keywords", "documents" where there are too few keywords, or "nothing"."""
    trials: tuple[Trial, ...]
    neighbours: float
    """How well the neighbours of documents with a keyword tell where the left-out ones are; not a number where nobody
    looked."""
    belief: NDArray[np.float64]
    """For each document with a keyword, hidden: the share of the others that it beats when its keywords are left out;
    not a number where it was in no fold."""
    blind: tuple[Blind, ...] = ()
    """The scores behind it, fold by fold."""
    by_chance: float = float("nan")
    """What chance alone may reach, with so few documents to look for."""
    denial: float = float("nan")
    """How well the direction of denied keywords finds documents whose keywords are hidden; not a number where nothing
    was denied."""
    denial_followed: bool = False
    """Whether that is enough to learn from it."""
    encoder: float = float("nan")
    """How well the sentence vectors alone find what was left out; not a number where nobody looked."""
    encoder_followed: bool = True
    """Whether they are learned from: not where that is chance, while words find more."""

    def plain(self) -> dict[str, Any]:
        """What a model file keeps: all but what belongs to single documents."""
        fields = asdict(replace(self, belief=np.empty(0), blind=()))
        return {name: value for name, value in fields.items() if name not in ("belief", "blind")}

    @classmethod
    def restore(cls, plain: dict[str, Any]) -> "Quality":
        """From what `plain` gave."""
        trials = (Trial(Way(**trial["way"]), trial["quality"], trial["weight"]) for trial in plain["trials"])
        return cls(**{**plain, "trials": tuple(trials), "belief": np.empty(0)})

    @property
    def trust(self) -> float:
        """How far neighbours can be trusted, from 0 to 1."""
        return _trust(self.neighbours)

    @property
    def within_chance(self) -> bool:
        """Whether no way of learning that was tried finds more of what was left out than chance may."""
        return self.basis != "nothing" and all(trial.quality <= self.by_chance for trial in self.trials)

    @property
    def ignored(self) -> bool:
        """Whether it had no say in the blend for that reason (see `blend_weights`)."""
        return self.within_chance and self.by_chance <= ENOUGH and len(self.trials) > 1

    @property
    def doubts(self) -> list[str]:
        """What to warn of: sentence vectors that tell nothing, keywords that find each other no more than by chance."""
        doubts = []
        if not self.encoder_followed:
            doubts.append(
                f"The sentence vectors find documents with left-out keywords no better than chance (AUC"
                f" {self.encoder:.2f}) while words do, so the ranking is learned without them."
            )
        if self.within_chance:
            doubts.append(
                f"Chance alone may reach a quality of {self.by_chance:.2f}, so nothing shows that the keywords mean one"
                " thing: read the top documents before you rely on the ranking, or give more keywords."
            )
        return doubts

    @property
    def value(self) -> float:
        """The quality of the blend: the mean of the ways of learning, as they count in it; not a number without one."""
        return sum(trial.weight * trial.quality for trial in self.trials) if self.basis != "nothing" else float("nan")


def blend_weights(benefits: Sequence[float], qualities: Sequence[float], by_chance: float = 0.5) -> NDArray[np.float64]:
    """How much each way of learning counts: w ~ benefit exp(-(loss / 0.04)^3), loss = 1 - q / max q.

    q is the quality above chance. Up to a loss of a few percent the benefit of the doubt decides, and beyond a tenth a
    way counts nothing. The best q is among the ways with a benefit. If chance may reach it, though there
    are enough documents to tell, the benefit decides alone.

    >>> blend_weights([0.01, 0.04, 0.36], [0.80, 0.80, 0.70]).round(3).tolist()
    [0.2, 0.8, 0.0]
    >>> blend_weights([0.01, 0.04, 0.36], [0.70, 0.70, 0.70]).round(3).tolist()
    [0.024, 0.098, 0.878]
    >>> blend_weights([0.01, 0.04, 0.36], [0.53, 0.52, 0.51], by_chance=0.54).round(3).tolist()
    [0.024, 0.098, 0.878]
    >>> blend_weights([0.01, 0.04, 0.36], [0.77, 0.77, 0.63], by_chance=0.8).round(3).tolist()
    [0.2, 0.8, 0.0]
    """
    above = np.maximum(np.asarray(qualities) - 0.5, 1e-3)
    best = above[np.asarray(benefits) > 0].max()
    told = by_chance > ENOUGH or 0.5 + best > by_chance
    loss = np.maximum(1 - above / best, 0.0) if told else np.zeros(len(above))
    weights = np.asarray(benefits) * np.exp(-((loss / DOUBT) ** 3))
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
    ways: Sequence[Way],
    neighbours: Neighbours | None,
    holders: NDArray[np.int64],
    rounds: int,
    plan: Plan,
    rng: np.random.Generator,
    progress: Callable[[float], None],
) -> Quality:
    """Learn from every fold in every way, and see which finds best what was left out.

    `hidden` are the documents with a keyword (`holders`), all keywords removed; `others` the training documents
    without one. Where only one way is asked for, it is taken, whatever its quality.
    """
    belief = np.full(next(iter(hidden.values())).shape[0], np.nan)
    usable = [fold for fold in folds if len(fold.held) >= FEWEST]
    if not usable or not len(others):
        chosen = ways[0] if len(ways) == 1 else ALONE
        trials = (Trial(way, float("nan"), float(way == chosen)) for way in ways)
        return Quality("nothing", tuple(trials), float("nan"), belief)
    size = np.sqrt([len(fold.held) for fold in usable])
    found_near, trust = float("nan"), 0.0
    if neighbours is not None and NEAR in ways:
        seen = [
            auc_between(near[holders[fold.held]], near[others])
            for fold in usable
            for near in [neighbours.held(fold.split)]
        ]
        found_near = float(size @ seen / size.sum())
        trust = _trust(found_near)
    if len(ways) > 1:
        ways = [way for way in ways if way.benefit(trust) > 0]
    sample = others if len(others) <= MOST_OTHERS else np.sort(rng.choice(others, MOST_OTHERS, replace=False))
    table = np.empty((len(usable), len(ways)))
    founds: list[list[NDArray[np.float64]]] = []
    rests: list[list[NDArray[np.float64]]] = []
    for row, fold in enumerate(usable):
        base = fit_split(readings, fold.split, plan)
        founds.append([])
        rests.append([])
        for column, way in enumerate(ways):
            fits = learn(way, readings, base, fold.split, rounds, plan, neighbours)
            founds[-1].append(
                np.asarray(sum(weights[name] * fit.score(hidden[name][fold.held]) for name, fit in fits.items()))
            )
            rests[-1].append(fuse(fits, weights)[sample])
            table[row, column] = auc_between(founds[-1][-1], rests[-1][-1])
            progress((row * len(ways) + column + 1) / (len(usable) * len(ways)))
    means = size @ table / size.sum()
    by_chance = min(0.5 + BY_CHANCE * _deviation(usable, len(sample)), 1.0)
    counts = np.ones(1) if len(ways) == 1 else blend_weights([way.benefit(trust) for way in ways], means, by_chance)
    blind = []
    for fold, found_by, rest_by in zip(usable, founds, rests, strict=True):
        blind.append(Blind(counts @ np.stack(found_by), counts @ np.stack(rest_by)))
        places = [
            np.searchsorted(np.sort(rest), held) / len(rest) for held, rest in zip(found_by, rest_by, strict=True)
        ]
        belief[fold.held] = counts @ np.stack(places)
    trials = (Trial(way, float(q), float(count)) for way, q, count in zip(ways, means, counts, strict=True))
    return Quality(basis, tuple(trials), found_near, belief, tuple(blind), by_chance)


def found_alone(
    readings: Mapping[str, Reading],
    hidden: Mapping[str, Features],
    others: NDArray[np.int64],
    folds: Sequence[Fold],
    plan: Plan,
) -> tuple[float, bool]:
    """How well these views, learned from the keywords alone, find what was left out, and whether that is chance.

    They are compared with every second one of the others, which are not learned from: noise that is learned by heart
    would tell those from any new document. Not a number, and no chance, where there is nothing to look for.
    """
    usable = [fold for fold in folds if len(fold.held) >= FEWEST]
    unseen = others[::2]
    if not usable or len(others) < 2:
        return float("nan"), False
    found = []
    for fold in usable:
        weights = fold.split.weights.copy()
        weights[unseen] = 0.0
        fits = fit_split(readings, Split(fold.split.positive, weights), plan)
        held = sum(fit.score(hidden[name][fold.held]) for name, fit in fits.items())
        found.append(auc_between(np.asarray(held), fuse(fits, dict.fromkeys(fits, 1.0))[unseen]))
    size = np.sqrt([len(fold.held) for fold in usable])
    value = float(size @ found / size.sum())
    return value, value < 0.5 + SAYS_NOTHING * _deviation(usable, len(unseen))


def _deviation(folds: Sequence[Fold], others: int) -> float:
    """Of the mean AUC by chance, where a fold counts by the root of its documents."""
    size = np.sqrt([len(fold.held) for fold in folds])
    deviations = np.array([auc_deviation(len(fold.held), others) for fold in folds])
    return float(np.linalg.norm(size * deviations) / size.sum())


def _trust(found: float) -> float:
    """From the AUC of neighbours to trust; none where nobody looked.

    >>> [_trust(found) for found in (float("nan"), 0.5, 0.8)]
    [0.0, 0.0, 1.0]
    """
    return float(np.clip((np.nan_to_num(found) - TRUST[0]) / (TRUST[1] - TRUST[0]), 0.0, 1.0))
