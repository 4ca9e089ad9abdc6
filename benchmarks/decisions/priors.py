"""How well the prior is estimated, and what that is worth: python -m benchmarks.decisions.priors.

Every fit is a line of the results: the true share of relevant documents, the estimate with its interval, the heuristic,
and macro F1 on the test documents at the three cuts. What is there is not run again.
"""

import argparse
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.metrics import f1_score

from benchmarks.paper import results
from benchmarks.quality.tasks import TASKS, Task, problem
from keysift import KeywordClassifier
from keysift.config import LearnConfig
from keysift.decide.cuts import cut_at_prior
from keysift.errors import KeysiftError, KeysiftWarning

__all__ = ["RESULTS", "main", "run_one", "section"]

RESULTS = Path(__file__).with_name("results-priors.jsonl")
TRIALS = {"five": 3, "groups": 1, "other keywords": 1}
TITLES = {
    "five": "The five sets",
    "groups": "The 20 newsgroups, each against the rest",
    "other keywords": "The five sets with other keywords",
}
WANTED = {"five": 0.10, "groups": 0.02}
SYSTEM = "keysift"

INTRODUCTION = f"""
keysift with its defaults, on the training documents of a trial. “estimate” is `prior="estimate"`, the default; its
{100 * LearnConfig().level:g} % interval should hold the true share in at least 80 % of the cases. “heuristic” is the
share of documents with a keyword. Macro F1 is measured on the test documents, cut at the estimate, at the heuristic
and at the true share of the training documents. The form of the estimate and its tuned numbers were chosen on these
trials of the five sets and the groups; the other keywords had no say. Where evidence is weak, the estimate assumes
that neither part is rare in a corpus that divides in two, and that any one topic is small in a corpus of many. Both
are true of these corpora; where they are not, only the interval can show it."""


def run_one(task: Task, trial: int) -> dict[str, Any]:
    """One fit."""
    given = problem(task, trial)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", KeysiftWarning)  # a keyword may be missing from one of the trials
        clf = KeywordClassifier(list(task.keywords))
        ranking = clf.fit_rank(given.train_texts).sort("document")
        test = clf.decision_function(given.test_texts)
    scores, truth = ranking["score"].to_numpy(), float(given.train_labels.mean())
    estimate, heuristic = clf.prior_estimate_, clf.pseudo_labels_.share

    def f1(prior: float) -> float:
        decided = test > cut_at_prior(scores, prior)
        return round(100 * float(f1_score(given.test_labels, decided, average="macro", zero_division=0)), 3)

    above = scores > clf.threshold_
    return {
        "set": task.name,
        "system": SYSTEM,
        "trial": trial,
        "truth": round(truth, 4),
        "estimate": round(estimate.value, 4),
        "low": round(estimate.low, 4),
        "high": round(estimate.high, 4),
        "heuristic": round(heuristic, 4),
        "f1": f1(estimate.value),
        "f1_heuristic": f1(heuristic),
        "f1_truth": f1(truth),
        "expected_precision": [round(value, 4) for value in clf.expected_.precision],
        "precision": round(float(given.train_labels[above].mean()), 4) if above.any() else None,
    }


def section(path: Path = RESULTS) -> str:
    """The results as a section of docs/decisions.md."""
    lines = results.read(path)
    parts = ["## The prior", "", " ".join(INTRODUCTION.split()), ""]
    for family, title in TITLES.items():
        found = [line for key, line in lines.items() if TASKS[key[0]].family == family]
        if found:
            parts += [f"**{title}**", "", *_summary(found, WANTED.get(family)), "", *_table(found), ""]
    return "\n".join(parts)


def _summary(lines: list[dict[str, Any]], wanted: float | None) -> list[str]:
    error = np.mean([abs(line["estimate"] - line["truth"]) for line in lines])
    heuristic = np.mean([abs(line["heuristic"] - line["truth"]) for line in lines])
    held = np.mean([line["low"] <= line["truth"] <= line["high"] for line in lines])
    width = np.mean([line["high"] - line["low"] for line in lines])
    gain = np.mean([line["f1"] - line["f1_heuristic"] for line in lines])
    short = np.mean([line["f1_truth"] - line["f1"] for line in lines])
    aim = f" (wanted: at most {wanted:g})" if wanted else ""
    return [
        f"Mean absolute error {error:.3f}{aim}, of the heuristic {heuristic:.3f}. The interval holds the truth in"
        f" {held:.0%} of {len(lines)} fits and is {width:.2f} wide on average. Macro F1 is {gain:.1f} points above"
        f" that of the heuristic and {short:.1f} below that of the true share."
    ]


def _table(lines: list[dict[str, Any]]) -> list[str]:
    heads = ("fits", "truth", "estimate", "interval", "heuristic", "F1", "F1, heuristic", "F1, truth")
    rows = [f"| task | {' | '.join(heads)} |", "|---|" + "--:|" * len(heads)]
    for name in dict.fromkeys(line["set"] for line in lines):
        own = [line for line in lines if line["set"] == name]

        def mean(field: str, own: list[dict[str, Any]] = own) -> float:
            return float(np.mean([line[field] for line in own]))

        shares = f"{mean('truth'):.3f} | {mean('estimate'):.3f} | {mean('low'):.2f} to {mean('high'):.2f}"
        scores = f"{mean('f1'):.1f} | {mean('f1_heuristic'):.1f} | {mean('f1_truth'):.1f}"
        rows.append(f"| {TASKS[name].title} | {len(own)} | {shares} | {mean('heuristic'):.3f} | {scores} |")
    return rows


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what is not there yet, and print the section; 2 where the data are missing."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.decisions.priors", description=__doc__)
    parser.add_argument("--family", default=",".join(TRIALS), help="comma-separated; default: %(default)s")
    parser.add_argument("--results", type=Path, default=RESULTS, help="the file of results")
    options = parser.parse_args(arguments)
    results.mend(options.results)
    for family in options.family.split(","):
        tasks = [task for task in TASKS.values() if task.family == family]
        for task, trial in ((task, trial) for trial in range(TRIALS[family]) for task in tasks):
            if (task.name, SYSTEM, trial) in results.read(options.results):
                continue
            try:
                line = run_one(task, trial)
            except KeysiftError as error:
                print(error, file=sys.stderr)
                return 2
            results.append(options.results, line)
            print(f"{task.name} trial {trial}: {line['estimate']} for {line['truth']}", file=sys.stderr, flush=True)
    print(section(options.results))
    return 0


if __name__ == "__main__":
    sys.exit(main())
