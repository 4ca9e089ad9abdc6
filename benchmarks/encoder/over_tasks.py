"""AUC and average precision of some variants on the English tasks of the suite, as a table."""

import sys
import warnings
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from benchmarks.suite.tasks import SKIPPED_SUITE, SuiteTask, list_tasks, read_task
from keysift.errors import KeysiftWarning

__all__ = ["show"]


def show(
    variants: Sequence[str],
    wanted: Callable[[SuiteTask], bool],
    measure: Callable[[SuiteTask], Iterable[tuple[float, float]]],
) -> int:
    """Print a line for each task that is wanted, and the means; 2 where there is no suite."""
    warnings.simplefilter("ignore", KeysiftWarning)
    tasks = [one for one in list_tasks()[0].values() if one.family == "suite" and one.language == "en"]
    if not tasks:
        print(SKIPPED_SUITE, file=sys.stderr)
        return 2
    print(f"{'AUC / average precision':<24}" + "".join(f"{name:>16}" for name in variants))
    found = []
    for task in filter(wanted, map(read_task, tasks)):
        found.append(list(measure(task)))
        print(f"{task.name:<24}" + "".join(f"{auc:>9.1f} / {ap:4.1f}" for auc, ap in found[-1]), flush=True)
    print(f"{f'mean of {len(found)}':<24}" + "".join(f"{auc:>9.1f} / {ap:4.1f}" for auc, ap in np.mean(found, axis=0)))
    return 0
