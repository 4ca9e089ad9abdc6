"""Balanced batches or natural ones? python -m benchmarks.networks measures both and writes it into docs/networks.md.

The default training of the RCNN on the four small sets of the paper, two trials each: test AUC after every epoch.
Resumable: what is in results.jsonl is not run again.
"""

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.paper import results
from benchmarks.worker import become_worker

ROOT = Path(__file__).resolve().parents[2]
RESULTS = Path(__file__).with_name("results.jsonl")
PAGE = ROOT / "docs" / "networks.md"
START, END = "<!-- batches: make networks -->", "<!-- end -->"
SETS = ("ayi", "custrev", "mpqa", "subj")
WAYS = ("balanced", "natural")
TRIALS = 2


def _measure() -> None:
    from benchmarks.paper.datasets import SETS as DATA
    from benchmarks.paper.datasets import find_data
    from benchmarks.paper.networks import train_network
    from benchmarks.paper.trial import make_trial
    from keysift import Training

    folder = find_data(download=True)
    for trial_number in range(TRIALS if folder else 0):
        for name in SETS:
            missing = [way for way in WAYS if (name, way, trial_number) not in results.read(RESULTS)]
            if missing and folder:
                trial = make_trial(DATA[name], DATA[name].read(folder), trial_number)
            for way in missing:
                plan = replace(Training(held_out=0.0), batches=way)  # type: ignore[arg-type]
                outcome = train_network(trial, "sigmoid", trial.pseudo, plan)
                line = {"set": name, "system": way, "trial": trial_number, **outcome.extra}
                results.append(RESULTS, {**line, "seconds": round(outcome.fit_seconds, 2)})
                print(f"{name}, {way}, trial {trial_number}: AUC {line['clean_auc'][-1]:.1f}", flush=True)


def _rows(lines: dict[results.Key, dict[str, Any]]) -> Iterator[str]:
    yield "| set | batches | test AUC after the last epoch | best of all epochs | corrupted AUC after the last |"
    yield "|---|---|--:|--:|--:|"
    for name in SETS:
        for way in WAYS:
            found = [line for (of, system, _), line in lines.items() if (of, system) == (name, way)]
            if found:
                last = np.mean([line["clean_auc"][-1] for line in found])
                best = np.mean([max(line["clean_auc"]) for line in found])
                corrupted = np.mean([line["corrupted_auc"][-1] for line in found])
                yield f"| {name} | {way} | {last:.1f} | {best:.1f} | {corrupted:.1f} |"


def main() -> int:
    """Measure what is missing, then write the page's block."""
    _measure()
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(START)
    table = "\n".join(_rows(results.read(RESULTS)))
    PAGE.write_text(f"{before}{START}\n{table}\n{END}{rest.partition(END)[2]}", encoding="utf-8")
    print(f"{table}\nWrote the table into {PAGE.relative_to(ROOT)}.")
    return 0


if __name__ == "__main__":
    become_worker("benchmarks.networks")
    sys.exit(main())
