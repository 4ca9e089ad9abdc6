"""Draw the pictures and write the measured parts of docs/theory.md."""

import sys
from collections.abc import Mapping
from math import ceil, log10
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.paper.datasets import SETS, find_data
from benchmarks.paper.results import RESULTS, read
from benchmarks.paper.systems import ORACLES, SYSTEMS
from benchmarks.theory.guarantees import DELTA, RADIUS, TARGET, Between, Guarantee, between, guarantee
from benchmarks.theory.page import fill
from benchmarks.theory.plots import plot_bound, plot_parts, plot_together
from benchmarks.theory.sample import Sample, take_sample
from benchmarks.theory.together import curves_of, rows_of, table
from benchmarks.theory.training import fitted, look, training_path
from keysift.risk.losses import get_loss
from keysift.risk.pairs import pairs_risk
from keysift.theory.affine import corrupted_auc

DOCS = Path(__file__).resolve().parents[2] / "docs"
SHOWN = "subj"
"""The set whose training is drawn."""
LOSSES = ("sigmoid", "logistic")


def main() -> int:
    """Measure, draw, write; with no data sets, only what needs none."""
    titles = {name: data.title for name, data in SETS.items()}
    blocks = {"together": _together(DOCS / "theory-together.svg", titles)}
    folder = find_data(download=True)
    if folder is None:
        print("Skipped: all that needs the paper's data sets. Put them into a folder and name it in KEYSIFT_DATA.")
    else:
        samples = {name: take_sample(name, folder) for name in SETS}
        blocks["parts"] = _parts(samples)
        shown = samples[SHOWN]
        paths = {name: training_path(shown, get_loss(name)) for name in LOSSES}
        plot_parts(DOCS / "theory-parts.svg", shown.title, paths)
        guarantees = [guarantee(sample) for sample in samples.values()]
        largest = max(float(np.linalg.norm(fitted(sample, get_loss("sigmoid")))) for sample in samples.values())
        blocks["bound"] = _bounds(guarantees, largest)
        blocks["between"] = _between(shown.title, between(shown))
        plot_bound(DOCS / "theory-bound.svg", guarantees)
    for name, block in blocks.items():
        print(f"\n{name}\n{block}")
    fill(DOCS / "theory.md", blocks)
    return 0


def _parts(samples: dict[str, Sample]) -> str:
    """Theorem 1 at keysift's fit, for both losses, and how exactly the parts add up."""
    rows = [
        "| set | loss | θ | θ′ | (θ − θ′) R | excess | selection | R_corr | clean AUC | corrupted AUC | most allowed |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for sample in samples.values():
        for name in LOSSES:
            moment = look(sample, get_loss(name), fitted(sample, get_loss(name)))
            parts = moment.parts
            rows.append(
                f"| {sample.title} | {name} | {parts.theta:.2f} | {parts.theta_prime:.2f} | {parts.scaled_clean:.3f} |"
                f" {parts.excess:.3f} | {parts.selection:.3f} | {parts.corrupted:.3f} | {moment.clean_auc:.3f} |"
                f" {moment.corrupted_auc:.3f} | {corrupted_auc(1.0, parts.theta, parts.theta_prime):.3f} |"
            )
    shown = samples[SHOWN]
    errors = []
    for name in LOSSES:
        parts = look(shown, get_loss(name), fitted(shown, get_loss(name)), risk=pairs_risk).parts
        errors.append(abs(parts.total - parts.corrupted))
    digits = ceil(log10(max(*errors, 1e-15)))
    rows += [
        "",
        f"Summed pair by pair, the parts of {shown.title} differ from the corrupted risk by less than 1e{digits}.",
    ]
    return "\n".join(rows)


def _bounds(guarantees: list[Guarantee], largest: float) -> str:
    """Theorem 5 for the five sets."""
    rows = [
        "| set | n_CP | n_CN | θ | θ′ | D | complexity of scores | with sigmoid, at most | bound |"
        f" documents until it is {TARGET:g} |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
        *(
            f"| {one.title} | {one.n_cp:,} | {one.n_cn:,} | {one.theta:.3f} | {one.theta_prime:.3f} |"
            f" {one.spread:.2f} | {one.scores.mean:.3f} ± {one.scores.standard_error:.3f} | {one.contraction:.3f} |"
            f" {one.bound:.2f} | {one.needed:,} |"
            for one in guarantees
        ),
        "",
        f"K = 1, δ = {DELTA:g}, B = {RADIUS:g} on standardised features (the largest norm of the five sigmoid fits is"
        f" {largest:.2f}), trial 0 of the paper's split.",
    ]
    return "\n".join(rows)


def _between(title: str, found: Between) -> str:
    """Both sides of the complexity with the sigmoid loss."""
    return (
        f"On the first 200 documents of each set of {title}: between {found.below.mean:.3f} ±"
        f" {found.below.standard_error:.3f} (from below) and {found.above:.3f} (contraction)."
    )


def _together(picture: Path, titles: dict[str, str]) -> str:
    """The table and the picture, or a sentence where there is nothing to show yet."""
    # What has seen the labels has no need to stop without them.
    lines = [line for (_, system, _), line in read(RESULTS).items() if system not in ORACLES]
    curves = curves_of(sorted(lines, key=_place))
    if not curves:
        return (
            "Not measured yet: no line of `benchmarks/paper/results.jsonl` holds the AUCs of both kinds by epoch."
            " `make paper` writes them; `make theory` then fills this block."
        )
    plot_together(picture, curves, titles)
    rows = rows_of(curves)
    return f"{table(rows, titles)}\n\n![Clean against corrupted AUC over the epochs]({picture.name})"


def _place(line: Mapping[str, Any]) -> tuple[int, int, int]:
    """In the order of the sets and systems, whatever the order in which they were run."""
    return list(SETS).index(line["set"]), list(SYSTEMS).index(line["system"]), int(line["trial"])


if __name__ == "__main__":
    sys.exit(main())
