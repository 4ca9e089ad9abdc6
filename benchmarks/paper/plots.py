"""The sweep of priors as a picture for each set: a panel for each system, ours beside the paper's."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.paper.measures import PRIORS
from benchmarks.paper.published import sweep

__all__ = ["plot_sweep"]

COLOURS = {"f1": "#1f6fb4", "acc": "#d1701c"}
TITLES = {"f1": "macro F1", "acc": "accuracy"}
COLUMNS = 5
STYLE: Any = {
    # The same bytes on every run: names of elements come from the salt, not from chance.
    "svg.hashsalt": "keysift",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
}


def plot_sweep(
    path: Path, name: str, title: str, prior: float, curves: Mapping[str, Mapping[str, NDArray[np.float64]]]
) -> None:
    """Write the picture of one set; `curves` holds F1 and accuracy at every prior for each system."""
    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    rows = -(-len(curves) // COLUMNS)
    with plt.rc_context(STYLE):
        figure, panels = plt.subplots(
            rows, COLUMNS, figsize=(11, 0.6 + 2.2 * rows), sharex=True, sharey=True, squeeze=False
        )
        for panel, (system, ours) in zip(panels.flat, curves.items(), strict=False):
            _draw(panel, name, system, prior, ours)
        for panel in panels.flat[len(curves) :]:
            panel.set_axis_off()
        for panel in panels[-1]:
            panel.set_xlabel("assumed prior")
        for panel in panels[:, 0]:
            panel.set_ylabel("percent")
        handles, labels = panels.flat[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="upper right", ncols=len(labels), frameon=False)
        figure.suptitle(title, x=0.01, ha="left", weight="bold")
        figure.tight_layout(rect=(0, 0, 1, 0.98))
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, metadata={"Date": None, "Creator": None} if path.suffix == ".svg" else None)
        plt.close(figure)


def _draw(panel: Any, name: str, system: str, prior: float, ours: Mapping[str, NDArray[np.float64]]) -> None:
    panel.axvline(prior, color="0.75", linewidth=1, label="true prior", zorder=0)
    for measure, colour in COLOURS.items():
        panel.plot(PRIORS, ours[measure], color=colour, linewidth=1.8, label=f"{TITLES[measure]}, ours")
        paper = sweep(name, measure, system)
        # Every panel has the same lines, so that one legend serves all; where the paper has none, an empty one.
        values = [mean for mean, _ in paper] if paper else [np.nan] * len(PRIORS)
        style = {"marker": "o", "markersize": 4, "markerfacecolor": "none", "linestyle": "none"}
        panel.plot(PRIORS, values, color=colour, label=f"{TITLES[measure]}, the paper's", **style)
    panel.set_title(system, fontsize=9)
    panel.set_xlim(0, 0.95)
    panel.set_xticks([0.1, 0.3, 0.5, 0.7, 0.9])
    panel.set_ylim(0, 100)
