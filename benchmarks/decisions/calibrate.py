"""What is usual, from labelled rankings: python -m benchmarks.decisions.calibrate --scores FOLDER.

Every task of the suite is a line of the results: its log odds and the shape of its curve. From these lines come the
numbers that the package ships, `src/keysift/decide/calibration.json`; each corpus has the same say.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit

from benchmarks.decisions.scored import ScoredTask, scored_tasks
from benchmarks.paper import results
from benchmarks.worker import become_worker
from keysift.decide.calibration import LEAKS, SHARPNESS, Calibration
from keysift.decide.curves import Family
from keysift.decide.posterior import quantiles
from keysift.decide.two_groups import TwoGroups, two_groups

__all__ = ["RESULTS", "SHIPPED", "calibration_from", "main", "measure", "plain", "without"]

RESULTS = Path(__file__).with_name("results-calibration.jsonl")
SHIPPED = Path(__file__).resolve().parents[2] / "src" / "keysift" / "decide" / "calibration.json"
LEVEL = 0.9
BY_CHANCE = 0.1
"""How usual a ranking is that is no better than chance."""
UNSEEN = 0.3
"""So many corpora are added to those that were seen with each leak."""


def measure(task: ScoredTask) -> dict[str, Any]:
    """The log odds of a task, the groups of its scores, and the curve of the family that its labels fit best."""
    chances = Family.over(task.scores, np.array([task.prior])).at(task.scores)
    likelihood = np.log(chances) @ task.labels + np.log1p(-chances) @ ~task.labels
    sharpness, leak = np.unravel_index(int(likelihood.argmax()), (len(SHARPNESS), len(LEAKS)))
    groups = two_groups(task.scores)
    return {
        "set": task.name,
        "system": "calibration",
        "trial": 0,
        "corpus": task.corpus,
        "documents": len(task.scores),
        "log_odds": round(float(logit(task.prior)), 4),
        "group": round(groups.share, 5),
        "trust": round(groups.trust, 5),
        "sharpness": SHARPNESS[sharpness],
        "leak": LEAKS[leak],
    }


def calibration_from(lines: Sequence[dict[str, Any]]) -> Calibration:
    """The numbers to ship."""
    corpora = np.array([line["corpus"] for line in lines])
    odds = np.array([line["log_odds"] for line in lines])
    weights = np.array([1 / (corpora == one).sum() for one in corpora])
    middle = _median(odds, weights)
    seen = [TwoGroups(line["group"], line["trust"]) for line in lines]
    misses = np.array(
        [
            abs(value - groups.blended(_median(odds[corpora != corpus], weights[corpora != corpus])))
            for value, corpus, groups in zip(odds, corpora, seen, strict=True)
        ]
    )
    steep = np.log(np.maximum([line["sharpness"] for line in lines], SHARPNESS[1]))
    mean = np.average(steep, weights=weights)
    deviation = max(float(np.sqrt(np.average((steep - mean) ** 2, weights=weights))), 0.1)
    density = np.exp(-(((np.log(SHARPNESS[1:]) - mean) / deviation) ** 2) / 2)
    usual = [BY_CHANCE, *((1 - BY_CHANCE) * density / density.sum())]
    leaks = np.array([UNSEEN + weights[[line["leak"] == leak for line in lines]].sum() for leak in LEAKS])
    return Calibration(
        corpora=len(set(corpora)),
        log_odds=round(middle, 4),
        half_width=round(_conformal(misses, weights), 4),
        sharpness=tuple(round(float(one), 4) for one in usual),
        leaks=tuple(round(float(one), 4) for one in leaks / leaks.sum()),
    )


def without(lines: Sequence[dict[str, Any]], corpus: str) -> Calibration:
    """The numbers as they would be without a corpus."""
    return calibration_from([line for line in lines if line["corpus"] != corpus])


def plain(calibration: Calibration) -> dict[str, Any]:
    """As JSON holds it."""
    return {name: list(one) if isinstance(one, tuple) else one for name, one in asdict(calibration).items()}


def _median(values: NDArray[np.float64], weights: NDArray[np.float64]) -> float:
    return float(quantiles(values, weights, np.array([0.5]))[0])


def _conformal(misses: NDArray[np.float64], weights: NDArray[np.float64]) -> float:
    """The miss that the share LEVEL of the corpora stays within, one more corpus counted as beyond all of them."""
    order = np.argsort(misses)
    within = np.cumsum(weights[order]) / (weights.sum() + 1)
    return float(misses[order][min(int(np.searchsorted(within, LEVEL - 1e-9)), len(misses) - 1)])


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure every task and write the numbers; 2 where there is no ranking."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.decisions.calibrate", description=__doc__)
    parser.add_argument("--scores", type=Path, required=True, help="the folder with a file TASK.npz for each task")
    options = parser.parse_args(arguments)
    lines = [measure(task) for task in scored_tasks(options.scores)]
    if not lines:
        print(f"There is no ranking of the suite in {options.scores}; run the suite's bench first.", file=sys.stderr)
        return 2
    RESULTS.unlink(missing_ok=True)  # rankings of two engines do not mix
    for line in lines:
        results.append(RESULTS, line)
    SHIPPED.write_text(json.dumps(plain(calibration_from(lines)), indent=2) + "\n", encoding="utf-8")
    print(f"Wrote {SHIPPED.name} from {len(lines)} tasks.")
    return 0


if __name__ == "__main__":
    become_worker("benchmarks.decisions.calibrate")
    sys.exit(main())
