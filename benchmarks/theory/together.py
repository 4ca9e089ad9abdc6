"""How far the AUC that needs no labels moves with the one that does, over the epochs of the networks."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import pearsonr, spearmanr

__all__ = ["Curves", "Row", "curves_of", "rows_of", "table"]

Vector = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Curves:
    """The two AUCs of one trial, epoch by epoch, in percent points."""

    set: str
    system: str
    trial: int
    epochs: Vector
    corrupted: Vector
    clean: Vector

    @property
    def regret(self) -> float:
        """What stopping at the best corrupted AUC costs: the best clean AUC minus the one at that epoch."""
        return float(self.clean.max() - self.clean[int(np.argmax(self.corrupted))])

    @property
    def regret_of_the_last(self) -> float:
        """What training to the end costs."""
        return float(self.clean.max() - self.clean[-1])


@dataclass(frozen=True)
class Row:
    """Means over the trials of one system on one set; a correlation is nan where a curve never changes."""

    set: str
    system: str
    trials: int
    pearson: float
    spearman: float
    regret: float
    regret_of_the_last: float


def curves_of(lines: Iterable[Mapping[str, Any]]) -> list[Curves]:
    """The lines of results.jsonl that carry both curves, over two epochs or more."""
    return [
        Curves(str(line["set"]), str(line["system"]), int(line["trial"]), *_arrays(line))
        for line in lines
        if all(line.get(key) for key in ("epochs", "corrupted_auc", "clean_auc")) and len(line["epochs"]) > 1
    ]


def rows_of(curves: Iterable[Curves]) -> list[Row]:
    """A row for each set and system, in the order of the lines.

    >>> rising = np.array([1.0, 2.0, 3.0])
    >>> rows_of([Curves("subj", "Sigmoid", 0, rising, 60 + rising, 80 + rising**2)])[0].spearman
    1.0
    """
    groups: dict[tuple[str, str], list[Curves]] = defaultdict(list)
    for one in curves:
        groups[one.set, one.system].append(one)
    return [
        Row(
            *key,
            trials=len(group),
            pearson=_mean(_correlation(pearsonr, one) for one in group),
            spearman=_mean(_correlation(spearmanr, one) for one in group),
            regret=_mean(one.regret for one in group),
            regret_of_the_last=_mean(one.regret_of_the_last for one in group),
        )
        for key, group in groups.items()
    ]


def table(rows: list[Row], titles: Mapping[str, str]) -> str:
    """The rows in Markdown."""
    head = "| set | system | trials | Pearson | Spearman | regret: best corrupted AUC | regret: last epoch |"
    lines = [
        f"| {titles.get(row.set, row.set)} | {row.system} | {row.trials} | {_shown(row.pearson)} |"
        f" {_shown(row.spearman)} | {_shown(row.regret)} | {_shown(row.regret_of_the_last)} |"
        for row in rows
    ]
    return "\n".join([head, "|---|---|--:|--:|--:|--:|--:|", *lines])


def _arrays(line: Mapping[str, Any]) -> tuple[Vector, Vector, Vector]:
    epochs = np.asarray(line["epochs"], dtype=np.float64)
    corrupted, clean = (np.asarray(line[key], dtype=np.float64) for key in ("corrupted_auc", "clean_auc"))
    if not len(epochs) == len(corrupted) == len(clean):
        raise ValueError(
            f"The curves of {line['set']}, {line['system']}, trial {line['trial']} must be of one length; got"
            f" {len(epochs)} epochs, {len(corrupted)} corrupted and {len(clean)} clean values."
        )
    # Points, as all other measures of the file; a share of one is never above 1.
    corrupted, clean = (curve if curve.max() > 1.0 else 100.0 * curve for curve in (corrupted, clean))
    return epochs, corrupted, clean


def _correlation(measure: Any, one: Curves) -> float:
    if np.ptp(one.corrupted) == 0 or np.ptp(one.clean) == 0:
        return float("nan")
    return float(measure(one.corrupted, one.clean)[0])


def _mean(values: Iterable[float]) -> float:
    defined = [value for value in values if not np.isnan(value)]
    return float(np.mean(defined)) if defined else float("nan")


def _shown(value: float) -> str:
    return "–" if np.isnan(value) else f"{value:.2f}"
