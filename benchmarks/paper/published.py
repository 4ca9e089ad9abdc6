"""The figures that the paper prints, with their standard errors, from `published.json`.

That file holds its tables as they are: `main`, `default`, `heuristic` and `true` by set, measure and system; `failure`
by system and set; `sweep` by set, measure and system over the priors; `data` by set; `bold` has what is printed in
boldface. PU-NB on 20NG is null, because it
did not end. The data table has a slip in the row of AYI: 268 true positives should be 468 (468 + 640 = 1108, and theta
is 0.84 only then), and the heuristic prior of 0.16 follows from it where 0.25 was used.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

__all__ = ["Published", "bold", "bold_places", "data_table", "figure", "sweep"]

Published = tuple[float, float]
"""Mean and standard error."""


def figure(table: str, name: str, measure: str, system: str) -> Published | None:
    """One cell of the table `main`, `default`, `heuristic` or `true`; None where the paper has none.

    >>> figure("main", "subj", "auc", "Sigmoid"), figure("main", "20ng", "auc", "PU-NB")
    ((88.1, 0.35), None)
    """
    return _pair(_tables()[table][name][measure].get(system))


def sweep(name: str, measure: str, system: str) -> list[Published] | None:
    """F1 or accuracy at each prior of the sweep; None where the paper has none.

    >>> sweep("mpqa", "f1", "Voting")[:2]
    [(53.3, 0.19), (23.8, 0.0)]
    """
    cells = _tables()["sweep"][name][measure].get(system)
    return None if cells is None else [(float(mean), float(error)) for mean, error in cells]


def bold(table: str, name: str, measure: str, system: str) -> bool:
    """Whether a cell of the table `main`, `default` or `heuristic` is in boldface.

    >>> bold("main", "subj", "auc", "Sigmoid"), bold("main", "subj", "auc", "NB")
    (True, False)
    """
    return system in _tables()["bold"][table][name][measure]


def bold_places(name: str, measure: str, system: str) -> list[int]:
    """The places of a sweep that are in boldface.

    >>> bold_places("subj", "f1", "KNN")
    [3, 4]
    """
    return list(_tables()["bold"]["sweep"][name][measure].get(system, []))


def data_table(name: str) -> dict[str, Any]:
    """The row of the data table: sizes, prior, what Algorithm 1 finds, theta, theta' and the heuristic prior.

    >>> data_table("ayi")["positive"]
    [268, 90]
    """
    return dict(_tables()["data"][name])


@cache
def _tables() -> dict[str, Any]:
    return dict(json.loads(Path(__file__).with_name("published.json").read_text(encoding="utf-8")))


def _pair(cell: list[float] | None) -> Published | None:
    return None if cell is None else (float(cell[0]), float(cell[1]))
