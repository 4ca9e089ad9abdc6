"""What a choice without labels costs: beside the best variant, which only labels can tell, and from set to set."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import spearmanr

from benchmarks.quality.measured import Lines, mean
from benchmarks.quality.ours import OURS, STRATEGIES
from benchmarks.quality.tasks import ALL_GROUPS, TASKS

__all__ = ["SETS_OF_TASKS", "WITH_LSA", "Comparison", "chosen_by_others", "compare"]

VARIANTS = tuple(name for name in OURS if "MiniLM" not in name)
WITH_LSA = tuple(name for name in VARIANTS if "lsa" not in name)
SETS_OF_TASKS: Mapping[str, tuple[str, ...]] = {
    five.name: tuple(
        task.name
        for task in TASKS.values()
        if task.corpus == five.corpus or (five.name == "20ng" and task.corpus == ALL_GROUPS)
    )
    for five in TASKS.values()
    if five.family == "five"
}
"""Each of the five sets with all keywords that there are for it; the 20 groups are tasks of 20NG."""


@dataclass(frozen=True)
class Comparison:
    """One trial of a task in all variants: AUCs, and how well the quality orders them."""

    ours: float
    best_strategy: float
    """Of the single strategies of learning that the default blends."""
    best: float
    """Of all variants."""
    by_quality: float
    """Of the variant whose quality is highest."""
    correlation: float
    """Spearman's, between quality and AUC over all variants."""


def compare(lines: Lines, tasks: Iterable[str]) -> Iterator[Comparison]:
    """Every trial of the tasks that has all variants."""
    wanted = set(tasks)
    for name, system, trial in lines:
        if system != "keysift" or name not in wanted:
            continue
        if all((name, by, trial) in lines for by in VARIANTS):
            auc = {by: lines[name, by, trial]["auc"] for by in VARIANTS}
            quality = {by: lines[name, by, trial]["quality"] for by in VARIANTS}
            yield Comparison(
                ours=auc["keysift"],
                best_strategy=max(auc[strategy] for strategy in STRATEGIES),
                best=max(auc.values()),
                by_quality=auc[max(quality, key=lambda by: quality[by])],
                correlation=float(spearmanr(list(quality.values()), list(auc.values())).statistic),
            )


def chosen_by_others(lines: Lines, sets: Sequence[str], left_out: str, among: Sequence[str] = VARIANTS) -> str | None:
    """The variant with the best mean over the other sets, each with all of its tasks; None before all are measured."""
    others = [name for name in sets if name != left_out]

    def over_others(system: str) -> float:
        return float(np.mean([mean(lines, system, SETS_OF_TASKS[name]) for name in others]))

    measured = {system: over_others(system) for system in among}
    known = {system: value for system, value in measured.items() if not np.isnan(value)}
    return max(known, key=lambda system: known[system]) if known else None
