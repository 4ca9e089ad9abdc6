"""The pictures of docs/theory.md, the same to the byte whenever the numbers are."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.theory.guarantees import Guarantee, curve
from benchmarks.theory.together import Curves
from benchmarks.theory.training import Moment
from keysift.theory.affine import corrupted_auc

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["plot_bound", "plot_parts", "plot_together"]

BLUE, ORANGE, GREEN, PURPLE, GREY = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#555555"
"""Okabe and Ito's colours, told apart by all kinds of eyes."""
STYLE: Any = {
    "svg.hashsalt": "keysift",
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 10,
    "axes.grid": True,
    "grid.color": "#e6e6e6",
    "grid.linewidth": 0.6,
    "lines.linewidth": 1.8,
    "figure.facecolor": "white",
    "legend.frameon": False,
}


@contextmanager
def _picture(path: Path, width: float, height: float) -> Iterator["Figure"]:
    # Here and not above: what measures can be imported without the extra that draws.
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(STYLE):
        figure = Figure(figsize=(width, height), layout="constrained")
        yield figure
        figure.savefig(path, dpi=110, metadata={"Date": None} if path.suffix == ".svg" else None)


def plot_parts(path: Path, title: str, paths: Mapping[str, Sequence[Moment]]) -> None:
    """Each part's change since the start above, both AUCs below; a column for each loss."""
    with _picture(path, 8.2, 5.6) as figure:
        axes = figure.subplots(2, len(paths), sharex=True, sharey="row", squeeze=False)
        for column, (loss, moments) in enumerate(paths.items()):
            _change(axes[0, column], moments)
            _aucs(axes[1, column], moments)
            axes[0, column].set_title(f"{title}, {loss} loss")
            axes[1, column].set_xlabel("steps of gradient descent")
        axes[0, 0].set_ylabel("change since the start")
        axes[1, 0].set_ylabel("AUC")
        axes[0, -1].legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
        axes[1, -1].legend(loc="center left", bbox_to_anchor=(1.0, 0.5))


def _change(axis: "Axes", moments: Sequence[Moment]) -> None:
    steps, parts = [moment.step for moment in moments], [moment.parts for moment in moments]
    for name, label, colour, style in (
        ("scaled_clean", "(θ − θ′) × clean risk", BLUE, "-"),
        ("excess", "three excessive terms", ORANGE, "-"),
        ("positive_negative", "   positive, negative", ORANGE, ":"),
        ("positive_positive", "   positive, positive", ORANGE, "--"),
        ("negative_negative", "   negative, negative", ORANGE, "-."),
        ("selection", "selection", PURPLE, "-"),
        ("corrupted", "corrupted risk", GREY, "-"),
    ):
        values = np.array([getattr(part, name) for part in parts])
        width = 1.0 if label.startswith(" ") else 1.8
        axis.plot(steps, _plain(values - values[0]), style, color=colour, label=label, linewidth=width)
    _log_steps(axis, steps)


def _aucs(axis: "Axes", moments: Sequence[Moment]) -> None:
    steps, parts = [moment.step for moment in moments], moments[0].parts
    # At the start all scores are equal, and the AUC is a half.
    clean = _plain([moment.clean_auc for moment in moments[1:]])
    corrupted = _plain([moment.corrupted_auc for moment in moments[1:]])
    most = corrupted_auc(1.0, parts.theta, parts.theta_prime)
    axis.plot(steps[1:], clean, color=BLUE, label="clean, test documents")
    axis.plot(steps[1:], corrupted, color=GREY, label="corrupted, training\ndocuments")
    axis.axhline(most, color=GREY, linestyle=":", linewidth=1.2, label="most that Theorem 2\nallows the corrupted")
    _log_steps(axis, steps)


def _log_steps(axis: "Axes", steps: Sequence[int]) -> None:
    axis.set_xscale("symlog", linthresh=1, linscale=0.4)
    ticks = [0, 1, 10, 100, 1000]
    axis.set_xticks(ticks, [f"{tick:,}" for tick in ticks], minor=False)
    axis.set_xticks([], minor=True)
    axis.set_xlim(0, max(steps))


def plot_bound(path: Path, guarantees: Sequence[Guarantee]) -> None:
    """The bound against the number of documents, a line for each gap, and the five sets where they stand."""
    with _picture(path, 7.6, 4.2) as figure:
        axis = figure.subplots()
        documents = [round(number) for number in np.logspace(3, 8, 51)]
        for gap, style in ((0.1, ":"), (0.2, "-."), (0.4, "--"), (0.8, "-")):
            axis.plot(documents, _plain(curve(gap, documents)), style, color=BLUE, label=f"θ − θ′ = {gap:g}")
        axis.axhline(1.0, color=GREY, linewidth=1.0)
        axis.text(1e8, 1.1, "above 1 it says nothing", ha="right", va="bottom", color=GREY)
        for one, mark in zip(guarantees, "osD^v", strict=True):
            axis.plot(
                one.n_cp + one.n_cn,
                _plain(one.bound),
                mark,
                color=ORANGE,
                fillstyle="none",  # Subj and MPQA lie on each other
                markersize=7,
                markeredgewidth=1.6,
                label=f"{one.title} ({one.theta - one.theta_prime:.2f})",
            )
        axis.set_xscale("log")
        axis.set_yscale("log")
        axis.set_xlim(1e3, 1e8)
        axis.set_xlabel("documents in both sets")
        axis.set_ylabel("estimation error bound")
        explained = "two sets of one size, and\nthe five data sets (their gap)"
        axis.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), title=explained)


def plot_together(path: Path, curves: Sequence[Curves], titles: Mapping[str, str]) -> None:
    """Clean against corrupted AUC on the way of every trial; a panel for each set, a dot at the last epoch."""
    from matplotlib.lines import Line2D

    sets = list(dict.fromkeys(one.set for one in curves))
    colours = dict(zip(dict.fromkeys(one.system for one in curves), (BLUE, ORANGE, GREEN, PURPLE), strict=False))
    columns = min(3, len(sets) + 1)
    rows = -(-(len(sets) + 1) // columns)  # one panel more, for the legend
    with _picture(path, 2.7 * columns, 2.5 * rows) as figure:
        panels = figure.subplots(rows, columns, squeeze=False).ravel()
        for axis, name in zip(panels, sets, strict=False):
            for one in (one for one in curves if one.set == name):
                colour = colours.get(one.system, GREY)
                axis.plot(_plain(one.corrupted), _plain(one.clean), color=colour, linewidth=0.7, alpha=0.6)
                axis.plot(_plain(one.corrupted[-1:]), _plain(one.clean[-1:]), ".", color=colour, markersize=5)
            axis.set_title(titles.get(name, name))
            axis.set_xlabel("corrupted AUC")
            axis.set_ylabel("clean AUC")
        for axis in panels[len(sets) :]:
            axis.set_axis_off()
        handles = [Line2D([], [], color=colour, label=system) for system, colour in colours.items()]
        handles.append(Line2D([], [], color=GREY, linestyle="none", marker=".", label="last epoch"))
        panels[len(sets)].legend(handles=handles, loc="center")


def _plain(values: object) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Five significant digits: what the last bits of two machines differ in is not in the picture."""
    array = np.asarray(values, dtype=np.float64)
    size = np.floor(np.log10(np.maximum(np.abs(array), 1e-6)))
    scale = 10.0 ** (4 - size)
    return np.asarray(np.rint(array * scale) / scale)
