"""Which cells differ from the paper's, and which of them an experiment brings to the paper's figure."""

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.paper import published
from benchmarks.paper.cells import ERRORS, POINTS, make_cell, not_worse
from benchmarks.paper.datasets import SETS
from benchmarks.paper.experiments import TIES, measured
from benchmarks.paper.explanations import note_of
from benchmarks.paper.layout import FULL, MEASURES, Results, markdown, trials_of, values_of
from benchmarks.paper.measures import PRIORS
from benchmarks.paper.published import Published
from benchmarks.paper.systems import FAIR, SYSTEMS

__all__ = ["Difference", "bold_section", "differences", "differing_section"]

HALF = 0.5
"""Of the difference has to go where an experiment has fewer trials than our row."""
TABLES = {"main": "main", "default": "default threshold", "heuristic": "heuristic threshold", "sweep": "sweep"}


@dataclass(frozen=True)
class Difference:
    """A cell that differs, and the experiment that has the paper's figure, if one has."""

    table: str
    name: str
    system: str
    measure: str
    place: int | None
    met_by: str | None
    trials: int = FULL
    """Of that experiment."""

    @property
    def title(self) -> str:
        """The cell in words."""
        where = "" if self.place is None else f" at {PRIORS[self.place]:g}"
        return f"{SETS[self.name].title}, {TABLES[self.table]}, {self.system}: {MEASURES[self.measure]}{where}"


def differences(results: Results, experiments: Results) -> list[Difference]:
    """Every marked cell, each once: the paper prints some of them in two tables."""
    found = []
    for table, name, system, measure, place, values, paper in _cells(results):
        if make_cell(values, paper).marked:
            cell = (table, name, system, measure, place)
            tried = note_of(table, name, system, measure).by
            met = next((one for one in tried if _meets(results, experiments, one, cell, values, paper)), None)
            trials = FULL if met in (None, TIES) else len(trials_of(experiments, name, str(met)))
            found.append(Difference(*cell, met, trials))
    return found


Cell = tuple[str, str, str, str, int | None, NDArray[np.float64], Published]


def _cells(results: Results) -> Iterator[Cell]:
    for name in SETS:
        for system in SYSTEMS:
            for table in ("main", "default", "heuristic"):
                for measure in MEASURES if table == "main" else ("f1", "acc"):
                    paper = published.figure(table, name, measure, system)
                    values = values_of(results, name, system, _key(table, measure))
                    if paper is not None and len(values):
                        yield table, name, system, measure, None, values, paper
            for measure in ("f1", "acc"):
                row, values = (
                    published.sweep(name, measure, system),
                    values_of(results, name, system, f"{measure}_sweep"),
                )
                for place in range(len(PRIORS)) if row and len(values) else ():
                    assert row is not None
                    yield "sweep", name, system, measure, place, values[:, place], row[place]


def _key(table: str, measure: str) -> str:
    return measure if table == "main" else f"{measure}_{table}"


def _meets(
    results: Results,
    experiments: Results,
    title: str,
    cell: tuple[str, str, str, str, int | None],
    ours: NDArray[np.float64],
    paper: Published,
) -> bool:
    """Whether an experiment is within a point or two combined standard errors of the paper."""
    table, name, system, measure, place = cell
    if title == TIES:
        low, high = values_of(results, name, system, "prec100_range").mean(axis=0)
        return bool(low <= paper[0] <= high)
    key = _key(table, measure)
    values = measured(experiments, name, title, key, place)
    if not len(values):
        return False
    mean, spread = float(values.mean()), float(values.std(ddof=1)) if len(values) > 1 else 0.0
    before, share = abs(float(ours.mean()) - paper[0]), 1.0
    if len(values) < min(FULL, len(ours)):
        share = HALF
        # The main row is moved by the mean difference on the same trials, with the deviation of that row.
        spread = float(ours.std(ddof=1))
        there = trials_of(results, name, system)
        same = [there.index(trial) for trial in trials_of(experiments, name, title) if trial in there]
        if len(same) == len(values) and "precision at" not in title:
            mean += float(ours.mean() - ours[same].mean())
    error = spread / math.sqrt(len(values))
    apart = abs(mean - paper[0])
    return apart < share * before and apart <= max(POINTS, ERRORS * math.hypot(error, paper[1]))


def differing_section(results: Results, experiments: Results) -> Iterator[str]:
    """How many cells differ, and how many of them are met by an experiment."""
    found = differences(results, experiments)
    all_cells = Counter(cell[0] for cell in _cells(results))
    rows = []
    for tables, title in (*(((table,), title) for table, title in TABLES.items()), (tuple(TABLES), "all")):
        here = [one for one in found if one.table in tables]
        met = Counter(one.trials >= FULL for one in here if one.met_by)
        counts = (sum(all_cells[table] for table in tables), len(here), met[True], met[False], len(here) - met.total())
        rows.append([title, *map(str, counts)])
    yield (
        "\n## Cells that differ\n\nA cell counts once, though the paper prints some in two tables. It is *met* where an"
        " experiment of this repository that its note names, run another way, is nearer to the paper than our row and"
        " within a point or two combined standard errors of it. Where the experiment has fewer trials, our row is"
        " moved by the mean difference on the same trials, which has to take away half of the difference or more, and"
        " the deviation of our row over so many trials is the error: one trial says little. For precision among ties"
        " the paper's figure has to lie between the worst and the best order.\n"
    )
    yield from markdown(["table", "cells", "differ", f"met in {FULL} trials", "met in fewer", "not met"], rows)
    by = Counter(f"{one.met_by}{_on(one)}" for one in found if one.met_by)
    yield "\nMet by: " + "; ".join(f"{title}: {count}" for title, count in by.most_common()) + "."
    rest: dict[str, list[str]] = {}
    for one in found:
        if one.met_by is None:
            where, _, what = one.title.partition(": ")
            rest.setdefault(where, []).append(what)
    if rest:
        told = [f"{where} ({', '.join(what)})" for where, what in rest.items()]
        yield f"\nNot met: {'; '.join(told)}. The notes say how near the experiments come.\n"


def _on(one: Difference) -> str:
    return "" if one.trials >= FULL else f" ({SETS[one.name].title}, n={one.trials})"


def bold_section(results: Results) -> Iterator[str]:
    """How far the boldface is the paper's: the same test, among the paper's own systems without true labels."""
    systems = [system for system in FAIR if system != "keysift"]
    same, other, cells = 0, [], 0
    for name in SETS:
        for table in ("main", "default", "heuristic"):
            for measure in MEASURES if table == "main" else ("f1", "acc"):
                values = {one: values_of(results, name, one, _key(table, measure)) for one in systems}
                ours = not_worse({one: v for one, v in values.items() if len(v)})
                for system in systems:
                    if published.figure(table, name, measure, system) is None or not len(values[system]):
                        continue
                    cells += 1
                    theirs = published.bold(table, name, measure, system)
                    if (system in ours) == theirs:
                        same += 1
                    else:
                        who = "theirs alone" if theirs else "ours alone"
                        other.append(f"{SETS[name].title}, {TABLES[table]}, {MEASURES[measure]}: {system} ({who})")
    yield (
        f"\n## Boldface\n\nThe test is the paper's and runs among its own systems: the row keysift is not in it. Of"
        f" {cells} cells of the main, default and heuristic tables, {same} are bold in both or in neither. The"
        f" others: {'; '.join(other)}.\n"
    )
