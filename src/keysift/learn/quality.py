"""A quality without labels: how well documents with a left-out keyword are found.

Some of the keywords are left out; the rest learn a ranking. If it is any good, documents that hold only a left-out
keyword rank above documents that hold none. By Theorem 2 the AUC between the two is an increasing function of the true
AUC as long as the left-out words choose fairly. It is lower than the true AUC, because not every document with a
keyword is relevant, nor every other one irrelevant. The same is measured after self-training: if that does not make it
worse, the documents fall into two sides and self-training is trusted. And it is measured by the neighbourhoods of the
sentence vectors alone: if they find such documents about as well as the vectors do, what the keywords mean is a place
where documents gather, and its neighbourhoods count.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keysift.config import DEFAULT, LearnConfig
from keysift.features.view import FittedView
from keysift.features.views import NEIGHBOURS, SENTENCES
from keysift.keywords.match import Matches
from keysift.learn.self_training import barred, quick_scores, quick_self_train
from keysift.learn.strength import strength
from keysift.learn.view_fit import FitPlan, mean_difference
from keysift.metrics import auc_between, auc_deviation

NAME = "Quality without labels"
UNKNOWN = (
    "unknown, because it takes two or more keywords that each find a few documents. More documents or more frequent"
    " keywords help."
)


@dataclass(frozen=True, eq=False, repr=False)
class Quality:
    """What was measured without a label, and what was made of it.

    >>> Quality(0.87, 0.86, 0.6, np.empty(0))
    Quality without labels: 0.87 (0.5 is chance), measured by finding documents of left-out keywords.
    """

    value: float
    """The AUC with which documents of left-out keywords are found; NaN where nothing could be left out."""
    self_trained: float
    """The same after self-training."""
    by_chance: float
    """The highest value that chance alone may reach with this number of documents."""
    belief: NDArray[np.float64]
    """For each document with a keyword: the share of the others that it beats when its keywords are left out; NaN where
    it was in no fold."""
    opposite: float = 0.0
    """How far the opposite of the keywords leads away from them, from 0 to 1 (`keysift.learn.opposite`)."""
    config: LearnConfig = field(default=DEFAULT, repr=False)
    behind: float = 1.0
    """How much lower the value is by the neighbourhoods of sentence vectors than by the vectors; 1 where unknown."""
    held: float = 1.0
    """The share of the documents that hold a keyword."""

    def __str__(self) -> str:
        if not self.known:
            return f"{NAME}: {UNKNOWN}"
        doubt = f"; chance alone may reach {self.by_chance:.2f}" if self.within_chance else ""
        return f"{NAME}: {self.value:.2f} (0.5 is chance{doubt}), measured by finding documents of left-out keywords."

    def __repr__(self) -> str:
        return str(self)

    def plain(self) -> dict[str, Any]:
        """What a model file keeps: all but what belongs to single documents."""
        fields = asdict(replace(self, belief=np.empty(0), config=DEFAULT))
        return {name: value for name, value in fields.items() if name not in ("belief", "config")}

    @classmethod
    def restore(cls, plain: dict[str, Any], config: LearnConfig = DEFAULT) -> "Quality":
        """From what `plain` gave."""
        return cls(**{name: float(value) for name, value in plain.items()}, belief=np.empty(0), config=config)

    @property
    def known(self) -> bool:
        """Whether anything could be measured."""
        return bool(np.isfinite(self.value))

    @property
    def within_chance(self) -> bool:
        """Whether chance alone may be as good."""
        return self.known and self.value <= self.by_chance

    @property
    def two_sides(self) -> bool:
        """Whether the documents fall into two sides, so that self-training is trusted.

        >>> few = np.empty(0)
        >>> Quality(0.8, 0.79, 0.6, few).two_sides, Quality(0.8, 0.7, 0.6, few).two_sides
        (True, False)
        >>> Quality(0.8, 0.7, 0.6, few, opposite=0.5).two_sides, Quality(0.8, 0.79, 0.6, few, held=0.01).two_sides
        (True, False)
        """
        if self.opposite >= self.config.opposite_from:
            return True
        if self.held < self.config.least_held:  # a side of the documents is named more often; this is a rare topic
            return False
        # Errors count relatively: from 3 to 4 in a hundred is a loss, from 30 to 31 is none.
        return self.known and 1 - self.self_trained <= (1 + self.config.allowed_loss) * (1 - self.value)

    @property
    def gathers(self) -> bool:
        """Whether what the keywords mean is a place where documents gather, so that its neighbourhoods count.

        >>> few = np.empty(0)
        >>> [Quality(0.8, 0.7, 0.6, few, behind=behind).gathers for behind in (0.02, 0.1, 1.0)]
        [True, False, False]
        """
        return self.behind <= self.config.neighbours_behind and not self.two_sides


def measure_quality(
    views: Mapping[str, FittedView], matches: Matches, weights: Mapping[str, float], plan: FitPlan
) -> Quality:
    """Leave out some keywords at a time and look for their documents."""
    near = views.get(NEIGHBOURS)  # a small corpus has no neighbourhoods
    alone = [] if near is None or not near.X.shape[1] else [views[SENTENCES], near]
    views = {name: view for name, view in views.items() if name != NEIGHBOURS}
    config, occurrences, rows = plan.config, matches.occurrences, matches.holders
    belief = np.full(len(rows), np.nan)
    found = np.bincount(occurrences.indices, minlength=occurrences.shape[1])
    without = np.full(len(matches.tokens), True)
    without[rows] = False
    without[matches.excluded] = False  # they come last in any case
    never = barred(matches.excluded)
    held = float(len(rows) / len(without) if plan.weights is None else plan.weights[rows].sum() / plan.weights.sum())
    meant = strength(matches, weights=plan.weights, config=config)[rows] > 0
    values, sizes = [], []
    for left_out in deal(found, config.folds) if (found > 0).sum() > 1 else []:
        kept = strength(matches, left_out, plan.weights, config)
        places = np.flatnonzero(meant & (kept[rows] == 0))
        if len(places) < config.fewest_left_out or not kept.any() or not without.any():
            continue
        scores = quick_scores(views, kept, weights, plan)
        trained = quick_self_train(views, kept, scores, weights, plan, never)
        by_one = [mean_difference(view, kept, plan.weights).scores for view in alone]
        values.append([auc_between(one[rows[places]], one[without]) for one in (scores, trained, *by_one)])
        sizes.append(len(places))
        belief[places] = np.searchsorted(np.sort(scores[without]), scores[rows[places]]) / without.sum()
    if not values:
        return Quality(float("nan"), float("nan"), float("nan"), belief, config=config)
    size = np.sqrt(sizes)
    deviations = np.array([auc_deviation(one, int(without.sum())) for one in sizes])
    chance = 0.5 + config.chance_deviations * float(np.linalg.norm(size * deviations) / size.sum())
    value, trained, *both = (size @ np.array(values) / size.sum()).tolist()
    behind = both[0] - both[1] if both else 1.0
    return Quality(value, trained, min(chance, 1.0), belief, behind=behind, held=held, config=config)


def deal(documents: NDArray[np.int64], folds: int) -> list[list[int]]:
    """Deal the keywords that find anything to folds, the most frequent first, so that the folds are about equal.

    >>> deal(np.array([5, 50, 0, 20, 1]), folds=2)
    [[1, 0], [3, 4]]
    """
    order = [int(place) for place in np.argsort(-documents, kind="stable") if documents[place]]
    return [order[fold::folds] for fold in range(min(folds, len(order)))]
