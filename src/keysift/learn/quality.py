"""A quality without labels: how well documents with a left-out keyword are found.

Some of the keywords are left out and masked in the documents; the rest learn a ranking. If it is any good, documents
that hold only a left-out keyword rank above documents that hold none. By Theorem 2 the AUC between the two is an
increasing function of the true AUC as long as the left-out words choose fairly, so it can compare strategies; it is
lower than the true AUC, because not every document with a keyword is relevant, nor every other one irrelevant.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keysift.config import DEFAULT, LearnConfig
from keysift.features.linear import Features
from keysift.features.view import FittedView
from keysift.learn.cotraining import FitPlan, fit_split, fuse
from keysift.learn.folds import Fold
from keysift.learn.neighbours import Neighbours
from keysift.learn.split import Split
from keysift.learn.strategies import ALONE, NEAR, Strategy, follow
from keysift.metrics import auc_between, auc_deviation


@dataclass(frozen=True)
class Trial:
    """A strategy, how well it found what was left out, and how much it counts in the blend."""

    strategy: Strategy
    quality: float
    weight: float


@dataclass(frozen=True, eq=False)
class Blind:
    """Scores of documents whose keywords a fold's ranking was not told, blended over all strategies."""

    left_out: NDArray[np.float64]
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
    """The AUC with which neighbours find documents with a left-out keyword; NaN where it was not measured."""
    belief: NDArray[np.float64]
    """For each document with a keyword, masked: the share of the others that it beats when its keywords are left out;
    NaN where it was in no fold."""
    blind: tuple[Blind, ...] = ()
    """The scores behind it, fold by fold."""
    by_chance: float = float("nan")
    """The highest quality that chance alone may reach with this number of documents."""
    negation: float = float("nan")
    """The AUC with which the direction of negated copies finds documents whose keywords are masked; NaN where nothing
    was negated."""
    negation_followed: bool = False
    """Whether that is enough to learn from it."""
    encoder: float = float("nan")
    """The AUC with which sentence vectors alone find what was left out; NaN where it was not measured."""
    encoder_followed: bool = True
    """Whether they are learned from: not if they find no more than chance while words do."""
    config: LearnConfig = field(default=DEFAULT, repr=False)

    def plain(self) -> dict[str, Any]:
        """What a model file keeps: all but what belongs to single documents."""
        fields = asdict(replace(self, belief=np.empty(0), blind=(), config=DEFAULT))
        return {name: value for name, value in fields.items() if name not in ("belief", "blind", "config")}

    @classmethod
    def restore(cls, plain: dict[str, Any], config: LearnConfig = DEFAULT) -> "Quality":
        """From what `plain` gave."""
        trials = (Trial(Strategy(**trial["strategy"]), trial["quality"], trial["weight"]) for trial in plain["trials"])
        return cls(**{**plain, "trials": tuple(trials), "belief": np.empty(0), "config": config})

    @property
    def trust(self) -> float:
        """How far neighbours can be trusted, from 0 to 1."""
        return trust_in(self.neighbours, self.config)

    @property
    def within_chance(self) -> bool:
        """Whether no strategy is better than chance alone may be."""
        return self.basis != "nothing" and all(trial.quality <= self.by_chance for trial in self.trials)

    @property
    def ignored(self) -> bool:
        """Whether the quality had no say in the blend because of that (see `blend_weights`)."""
        return self.within_chance and self.by_chance <= self.config.telling_chance and len(self.trials) > 1

    @property
    def value(self) -> float:
        """The quality of the blend: the mean of the strategies by their weights; NaN where nothing was left out."""
        return sum(trial.weight * trial.quality for trial in self.trials) if self.basis != "nothing" else float("nan")


def blend_weights(
    benefits: Sequence[float], qualities: Sequence[float], by_chance: float = 0.5, config: LearnConfig = DEFAULT
) -> NDArray[np.float64]:
    """How much each strategy counts: w ~ benefit exp(-(loss / tolerance)^3), loss = 1 - q / max q.

    q is the quality above chance; max q is that of the strategies with a benefit. Up to about the tolerance a loss
    hardly matters and the benefit of the doubt decides; a strategy that loses much more does not count. If chance may
    reach max q, although there are enough documents to tell, the benefit alone decides.

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
    told = by_chance > config.telling_chance or 0.5 + best > by_chance
    loss = np.maximum(1 - above / best, 0.0) if told else np.zeros(len(above))
    weights = np.asarray(benefits) * np.exp(-((loss / config.blend_tolerance) ** 3))
    return np.asarray(weights / weights.sum())


def measure_quality(
    views: Mapping[str, FittedView],
    masked: Mapping[str, Features],
    others: NDArray[np.int64],
    folds: Sequence[Fold],
    basis: str,
    *,
    strategies: Sequence[Strategy],
    neighbours: Neighbours | None,
    holders: NDArray[np.int64],
    plan: FitPlan,
    rng: np.random.Generator,
    progress: Callable[[float], None],
) -> Quality:
    """Learn from every fold by every strategy, and measure how well each finds what was left out.

    `masked` are the documents with a keyword (`holders`), all keywords removed; `others` the training documents
    without one. If only one strategy is asked for, it is taken whatever its quality.
    """
    config = plan.config
    rounds, weights = min(config.rounds, config.trial_rounds), plan.weights(list(views))
    belief = np.full(next(iter(masked.values())).shape[0], np.nan)
    usable = [fold for fold in folds if len(fold.left_out) >= config.fewest_left_out]
    if not usable or not len(others):
        chosen = strategies[0] if len(strategies) == 1 else ALONE
        trials = (Trial(one, float("nan"), float(one == chosen)) for one in strategies)
        return Quality("nothing", tuple(trials), float("nan"), belief, config=config)
    size = np.sqrt([len(fold.left_out) for fold in usable])
    found_near, trust = float("nan"), 0.0
    if neighbours is not None and NEAR in strategies:
        seen = [
            auc_between(near[holders[fold.left_out]], near[others])
            for fold in usable
            for near in [neighbours.keyword_share(fold.split)]
        ]
        found_near = float(size @ seen / size.sum())
        trust = trust_in(found_near, config)
    if len(strategies) > 1:
        strategies = [one for one in strategies if one.benefit(trust, config) > 0]
    sample = others if len(others) <= config.most_others else np.sort(rng.choice(others, config.most_others, False))
    table = np.empty((len(usable), len(strategies)))
    founds: list[list[NDArray[np.float64]]] = []
    rests: list[list[NDArray[np.float64]]] = []
    for row, fold in enumerate(usable):
        base = fit_split(views, fold.split, plan)
        founds.append([])
        rests.append([])
        for column, strategy in enumerate(strategies):
            fits = follow(strategy, views, base, fold.split, rounds, plan, neighbours)
            founds[-1].append(
                np.asarray(sum(weights[name] * fit.score(masked[name][fold.left_out]) for name, fit in fits.items()))
            )
            rests[-1].append(fuse(fits, weights)[sample])
            table[row, column] = auc_between(founds[-1][-1], rests[-1][-1])
            progress((row * len(strategies) + column + 1) / (len(usable) * len(strategies)))
    means = size @ table / size.sum()
    by_chance = min(0.5 + config.chance_deviations * _deviation(usable, len(sample)), 1.0)
    benefits = [one.benefit(trust, config) for one in strategies]
    counts = np.ones(1) if len(strategies) == 1 else blend_weights(benefits, means, by_chance, config)
    blind = []
    for fold, found_by, rest_by in zip(usable, founds, rests, strict=True):
        blind.append(Blind(counts @ np.stack(found_by), counts @ np.stack(rest_by)))
        places = [
            np.searchsorted(np.sort(rest), found) / len(rest) for found, rest in zip(found_by, rest_by, strict=True)
        ]
        belief[fold.left_out] = counts @ np.stack(places)
    trials = (Trial(one, float(q), float(count)) for one, q, count in zip(strategies, means, counts, strict=True))
    return Quality(basis, tuple(trials), found_near, belief, tuple(blind), by_chance, config=config)


def view_quality(
    views: Mapping[str, FittedView],
    masked: Mapping[str, Features],
    others: NDArray[np.int64],
    folds: Sequence[Fold],
    plan: FitPlan,
) -> tuple[float, bool]:
    """How well these views, learned from the keywords alone, find what was left out, and whether that is chance.

    They are compared with every second one of the others, which are kept out of learning: otherwise noise would look
    good, because it can be learned by heart. NaN and False where there is nothing to look for.
    """
    usable = [fold for fold in folds if len(fold.left_out) >= plan.config.fewest_left_out]
    unseen = others[::2]
    if not usable or len(others) < 2:
        return float("nan"), False
    found = []
    for fold in usable:
        weights = fold.split.weights.copy()
        weights[unseen] = 0.0
        fits = fit_split(views, Split(fold.split.positive, weights), plan)
        scores = sum(fit.score(masked[name][fold.left_out]) for name, fit in fits.items())
        found.append(auc_between(np.asarray(scores), fuse(fits, dict.fromkeys(fits, 1.0))[unseen]))
    size = np.sqrt([len(fold.left_out) for fold in usable])
    value = float(size @ found / size.sum())
    return value, value < 0.5 + plan.config.view_deviations * _deviation(usable, len(unseen))


def trust_in(found: float, config: LearnConfig = DEFAULT) -> float:
    """How far to trust neighbours by their AUC; not at all where it was not measured.

    >>> [trust_in(found) for found in (float("nan"), 0.5, 0.8)]
    [0.0, 0.0, 1.0]
    """
    low, high = config.trust_from, config.trust_fully
    return float(np.clip((np.nan_to_num(found) - low) / (high - low), 0.0, 1.0))


def _deviation(folds: Sequence[Fold], others: int) -> float:
    """The standard deviation of the mean AUC by chance; a fold counts by the square root of its documents."""
    size = np.sqrt([len(fold.left_out) for fold in folds])
    deviations = np.array([auc_deviation(len(fold.left_out), others) for fold in folds])
    return float(np.linalg.norm(size * deviations) / size.sum())
