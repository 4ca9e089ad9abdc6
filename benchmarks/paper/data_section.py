"""The data table: the sizes of the sets, and what Algorithm 1 makes of them, beside the paper's."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from benchmarks.paper import published
from benchmarks.paper.datasets import SETS
from benchmarks.paper.layout import Results, markdown, pair, trials_of

__all__ = ["data_section"]

DATA_READINGS = {
    "NB, Algorithm 1 with scikit-learn's tokens": "scikit-learn's tokens",
    "NB, 14 keywords": "14 keywords",
}
"""Readings that give other pseudo-labels, and what the data table calls them."""


def data_section(results: Results, experiments: Results) -> Iterator[str]:
    """Ours, the readings with other pseudo-labels, and the paper's."""
    heads = ["", "train", "test", "π", "(α, γ)", "X_CP (TP, FP)", "X_CN (FN, TN)", "θ", "θ'", "heuristic prior"]
    rows = []
    for name, data in SETS.items():
        lines = _one_per_trial(results, name)
        paper = published.data_table(name)
        if lines:
            rows.append([f"{data.title}, ours", *_data_row(lines, f"({data.alpha}, {data.gamma})")])
        for reading, title in DATA_READINGS.items():
            if trials := trials_of(experiments, name, reading):
                found = [experiments[name, reading, trial] for trial in trials]
                rows.append([f"{data.title}, {title}", *_data_row(found, f"({data.alpha}, {data.gamma})")])
        theta, theta_prime = paper["theta"]
        rows.append(
            [
                f"{data.title}, paper",
                *(
                    pair(paper["train"]),
                    pair(paper["test"]),
                    f"{paper['prior']:.2f}",
                    f"({data.alpha}, {data.gamma})",
                ),
                *(pair(paper["positive"]), pair(paper["negative"])),
                *(f"{theta:.2f}", f"{theta_prime:.2f}", f"{paper['heuristic']:.2f}"),
            ]
        )
    yield from markdown(heads, rows)
    yield (
        "\nCounts are means over the trials. The paper's row of AYI has a slip: 268 true positives should be 468"
        " (468 + 640 = 1108, and θ = 0.84 only then); its heuristic prior of 0.16 follows from the slip, while its"
        " table of heuristic thresholds was made with 0.25: Voting is all positive there, as it is from 0.3 on and not"
        " at 0.1."
    )


def _data_row(lines: Sequence[dict[str, Any]], settings: str) -> list[str]:
    tp, fp, fn, tn = (float(np.mean([line[key] for line in lines])) for key in ("tp", "fp", "fn", "tn"))
    total = tp + fp + fn + tn
    return [
        *(pair([tp + fn, fp + tn]), pair(lines[0]["test"]), f"{(tp + fn) / total:.2f}", settings),
        *(pair([tp, fp]), pair([fn, tn])),
        *(f"{tp / (tp + fp):.2f}", f"{fn / (fn + tn):.2f}", f"{(tp + fp) / total:.2f}"),
    ]


def _one_per_trial(results: Results, name: str) -> list[dict[str, Any]]:
    """A line of each trial; Algorithm 1 is the same for all systems."""
    lines: dict[int, dict[str, Any]] = {}
    for key in sorted(key for key in results if key[0] == name):
        lines.setdefault(key[2], results[key])
    return [lines[trial] for trial in sorted(lines)]
