"""The paper's own 50 epochs at its learning rate, for one trial of Sigmoid on every set.

All other runs of the networks take fewer epochs at a larger rate; these lines show whether that changes the AUC.
`python -m benchmarks.paper.exact` goes on where it was stopped.
"""

import argparse
import sys

from benchmarks.paper import results
from benchmarks.worker import become_worker

__all__ = ["main"]

TRIAL = 0


def main() -> int:
    """Run the sets that are not in the file yet, the longest last."""
    from benchmarks.paper.datasets import SETS, find_data
    from benchmarks.paper.measures import measure
    from benchmarks.paper.networks import exact_plan, train_network
    from benchmarks.paper.trial import make_trial
    from keysift.errors import KeysiftError

    parser = argparse.ArgumentParser(prog="python -m benchmarks.paper.exact", description=__doc__)
    parser.add_argument("--sets", default=",".join(SETS), help="comma-separated; default: %(default)s")
    try:
        folder = find_data(download=True)
        if folder is None:
            print("The data sets are not there; put them into a folder and name it in KEYSIFT_DATA.", file=sys.stderr)
            return 2
        for name in parser.parse_args().sets.split(","):
            if (name, "Sigmoid", TRIAL) in results.read(results.EXACT):
                continue
            trial = make_trial(SETS[name], SETS[name].read(folder), TRIAL)
            print(f"{SETS[name].title}: 50 epochs ...", flush=True)
            outcome = train_network(trial, "sigmoid", trial.pseudo, exact_plan(name))
            line = {"set": name, "system": "Sigmoid", "trial": TRIAL, **measure(trial, outcome)}
            results.append(results.EXACT, line)
            print(f"{SETS[name].title}: AUC {line['auc']:.1f}, {line['seconds']:.0f} s", flush=True)
    except KeysiftError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    become_worker("benchmarks.paper.exact")
    sys.exit(main())
