"""The networks trained in other ways than in the main runs, which take fewer epochs than the paper at a larger rate.

`--as exact` trains the paper's own 50 epochs at its learning rate. The others keep the short plan and change one thing,
for instance `padded`: the network runs over all 200 places of every document, words without a vector and padding as
zeros, as in the authors' code. Trials come one after the other over all sets, so that a run that is stopped leaves as
many of each; it goes on where it was stopped.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.paper import results
from benchmarks.worker import become_worker

if TYPE_CHECKING:
    from benchmarks.paper.trial import Outcome, Trial

__all__ = ["PLAN", "WAYS", "main", "run_missing"]

SMALL = ("ayi", "custrev", "mpqa", "subj")
"""The quickest first."""


@dataclass(frozen=True)
class Way:
    """A way to train a network: what is added to its name in a line, and what is different."""

    suffix: str
    padding: int = 0
    exact: bool = False
    buckets: bool = False
    words: bool = False
    decay: float | None = None

    @property
    def path(self) -> Path:
        """The file of the lines."""
        return results.VARIANTS if self.suffix else results.EXACT

    def run(self, trial: "Trial", system: str) -> "Outcome":
        """Train one of the three networks this way."""
        from benchmarks.paper.networks import exact_plan, fast_plan, train_network

        loss = "logistic" if system == "Logistic" else "sigmoid"
        labels = trial.train_labels == 1 if system == "O-Sigmoid" else trial.pseudo
        plan = (exact_plan if self.exact else fast_plan)(trial.data.name)
        return train_network(
            trial,
            loss,
            labels,
            plan if self.decay is None else replace(plan, weight_decay=self.decay),
            unknown=self.padding > 0,
            padding=self.padding,
            buckets=self.buckets,
            words=self.words,
        )


WAYS = {
    "exact": Way("", exact=True),
    "padded": Way(", padded to 200", padding=200),
    "padded16": Way(", 16 places of padding", padding=16),
    "buckets": Way(", batches by length", buckets=True),
    "padded16buckets": Way(", 16 places of padding, batches by length", padding=16, buckets=True),
    "paddedbuckets": Way(", padded to 200, batches by length", padding=200, buckets=True),
    "words": Way(", words without punctuation", words=True),
    "decay0": Way(", no weight decay", decay=0.0),
    "decay30": Way(", ten times the weight decay", decay=0.03),
}


PLAN = (
    ("padded16", SMALL, ("Sigmoid", "Logistic"), 20),
    ("exact", SMALL, ("Sigmoid", "Logistic", "O-Sigmoid"), 20),
    ("padded", SMALL, ("Sigmoid", "Logistic"), 1),
    ("padded16buckets", ("ayi", "custrev"), ("Sigmoid", "Logistic"), 1),
    *((way, ("ayi", "custrev"), ("Sigmoid",), 2) for way in ("words", "decay0", "decay30")),
    *((way, ("20ng",), ("Sigmoid", "Logistic"), 5) for way in ("padded16buckets", "buckets")),
    ("exact", ("20ng",), ("Sigmoid",), 1),
)
"""What is run without an argument: way, sets, systems, trials. All of it takes more than a day on one core."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what is not in the files yet."""
    from benchmarks.paper.datasets import find_data
    from benchmarks.paper.systems import NETWORKS
    from keysift.errors import KeysiftError

    parser = argparse.ArgumentParser(prog="python -m benchmarks.paper.exact", description=__doc__)
    parser.add_argument("--as", dest="way", choices=WAYS, help="default: all that the tables show, trial by trial")
    parser.add_argument("--sets", default=",".join(SMALL), help="comma-separated; default: %(default)s")
    parser.add_argument("--systems", default=",".join(NETWORKS), help="comma-separated; default: %(default)s")
    parser.add_argument("--trials", type=int, default=20, help="at most; default: %(default)s")
    options = parser.parse_args(arguments)
    chosen = [(options.way, tuple(options.sets.split(",")), tuple(options.systems.split(",")), options.trials)]
    try:
        folder = find_data(download=True)
        if folder is None:
            print("The data sets are not there; put them into a folder and name it in KEYSIFT_DATA.", file=sys.stderr)
            return 2
        for number in range(options.trials):
            for way, sets, systems, trials in chosen if options.way else PLAN:
                for name in sets if number < trials else ():
                    run_missing(WAYS[way], name, systems, number, folder)
    except KeysiftError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def run_missing(way: Way, name: str, systems: Sequence[str], number: int, folder: Path) -> None:
    """Train those systems that have no line yet for this trial, and add their lines."""
    from benchmarks.paper.datasets import SETS
    from benchmarks.paper.measures import measure
    from benchmarks.paper.trial import make_trial

    there = results.read(way.path)
    missing = [one for one in systems if (name, one + way.suffix, number) not in there]
    trial = make_trial(SETS[name], SETS[name].read(folder), number) if missing else None
    for system in missing:
        assert trial is not None
        title = system + way.suffix
        line = {"set": name, "system": title, "trial": number, **measure(trial, way.run(trial, system))}
        results.append(way.path, line)
        print(
            f"{SETS[name].title}, trial {number}, {title}: AUC {line['auc']:.1f}, default F1"
            f" {line['f1_default']:.1f}, {line['seconds']:.0f} s",
            flush=True,
        )


if __name__ == "__main__":
    become_worker("benchmarks.paper.exact")
    sys.exit(main())
