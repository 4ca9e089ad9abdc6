"""What a few answers are worth: python -m benchmarks.decisions.asking --scores FOLDER.

Two hundred times a task and number of answers, documents are drawn as `clf.ask` draws them and the labels answer. The
corpus of the task has no say in the calibration. Every task and number is a line of the results; what is there is not
run again.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from benchmarks.decisions import calibrate
from benchmarks.decisions.priors import add_scores, held
from benchmarks.decisions.scored import ScoredTask, macro_f1, scored_tasks
from benchmarks.paper import results
from benchmarks.worker import become_worker
from keysift.audit.answers import Audit
from keysift.audit.audited import audited_decisions
from keysift.audit.ranked_table import ranking_from
from keysift.audit.sampling import draw
from keysift.decide.calibration import Calibration
from keysift.decide.curves import Family, usual
from keysift.decide.cuts import AtPrior, cut_at_prior
from keysift.decide.decisions import make_decisions
from keysift.decide.prior import PriorEstimate

__all__ = ["ANSWERS", "DRAWS", "RESULTS", "main", "run_one", "section", "sentence"]

RESULTS = Path(__file__).with_name("results-asking.jsonl")
ANSWERS, DRAWS = (20, 50, 100), 200
WANTED = {20: (0.05, 2.5), 50: (0.035, 1.5)}
LEAST = 88
FIGURES = ("prior", "precision", "recall")

INTRODUCTION = f"""
`keysift rank … --ask 20` and `clf.ask(20)` draw documents stratified along the ranking, as an audit does, and ask.
Each answer weights the curves that are usual in other corpora by the chance they gave to it; what is left of them gives
the prior, the cut and what to expect. Here the labels answer, {DRAWS} times a task, and the corpus of the task had no
say in what is usual. From 100 answers on, the prior is the prevalence that the sample proves, as in any audit."""


def run_one(task: ScoredTask, answers: int, calibration: Calibration, draws: int = DRAWS) -> dict[str, Any]:
    """So many drawings of so many documents."""
    family = Family.over(task.scores)
    common, posterior = usual(task.scores, calibration, family)
    before = make_decisions(task.scores, PriorEstimate(*common, "estimate", ""), posterior, AtPrior())
    ranking = ranking_from(
        pl.DataFrame(
            {
                "rank": np.arange(1, len(task.scores) + 1),
                "score": task.scores,
                "decision": before.positive(task.scores).astype(int),
            }
        )
    )
    best = macro_f1(task.labels, task.scores > cut_at_prior(task.scores, task.prior))
    error, loss, holds, widths = [], [], [], []
    for seed in range(draws):
        sample = draw(ranking, answers, seed=seed)
        audit = Audit(sample, task.labels[sample.rows].astype(np.int8), unsure=0, unanswered=0)
        decisions = audited_decisions(audit, before, AtPrior(), calibration, family)
        above = task.labels[decisions.positive(task.scores)]
        truth = task.prior, above.mean() if len(above) else 0.0, above.sum() / task.labels.sum()
        intervals = decisions.prior.interval, decisions.expected.precision, decisions.expected.recall
        error.append(abs(decisions.prior.value - task.prior))
        loss.append(best - macro_f1(task.labels, decisions.positive(task.scores)))
        holds.append([held(one, true) for one, true in zip(intervals, truth, strict=True)])
        widths.append([one.high - one.low for one in intervals])
    return {
        "set": task.name,
        "system": f"{answers} answers",
        "trial": 0,
        "draws": draws,
        "error": round(float(np.mean(error)), 4),
        "loss": round(float(np.mean(loss)), 3),
        "held": [round(float(one), 4) for one in np.mean(holds, axis=0)],
        "width": [round(float(one), 4) for one in np.mean(widths, axis=0)],
    }


def section(path: Path = RESULTS) -> str:
    """The results as a section of docs/decisions.md."""
    lines = list(results.read(path).values())
    rows = [
        f"| answers | tasks | error of the prior | F1 below the true share's | held, %: prior (wanted: {LEAST}) |"
        " precision | recall | width: prior | precision | recall |",
        "|---|" + "--:|" * 9,
    ]
    for answers in ANSWERS:
        own = [line for line in lines if line["system"] == f"{answers} answers"]
        if not own:
            continue
        wanted = [f" (wanted: {one:g})" for one in WANTED[answers]] if answers in WANTED else ["", ""]
        error, loss = (np.mean([line[name] for line in own]) for name in ("error", "loss"))
        holds, widths = (np.mean([line[name] for line in own], axis=0) for name in ("held", "width"))
        shares = " | ".join([*(f"{100 * one:.1f}" for one in holds), *(f"{one:.2f}" for one in widths)])
        rows.append(f"| {answers} | {len(own)} | {error:.3f}{wanted[0]} | {loss:.1f}{wanted[1]} | {shares} |")
    return "\n".join(["## A few answers", "", " ".join(INTRODUCTION.split()), "", *rows, ""]) if lines else ""


def sentence(path: Path = RESULTS, answers: Sequence[int] = (20, 50)) -> str:
    """For the README."""
    lines, parts = list(results.read(path).values()), []
    for number in answers:
        own = [line for line in lines if line["system"] == f"{number} answers"]
        error, loss = (np.mean([line[name] for line in own]) for name in ("error", "loss"))
        holds = 100 * np.mean([line["held"] for line in own], axis=0).min()
        parts.append(f"with {number} answers {error:.3f}, at least {holds:.0f} % and {loss:.1f} points")
    told = "; ".join(parts)
    return told[0].upper() + told[1:] + " (intervals of prior, precision and recall)."


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what is not there yet, and print the section."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.decisions.asking", description=__doc__)
    add_scores(parser)
    parser.add_argument("--results", type=Path, default=RESULTS, help="the file of results")
    parser.add_argument("--draws", type=int, default=DRAWS, help="of each task; default: %(default)s")
    options = parser.parse_args(arguments)
    results.mend(options.results)
    measured = list(results.read(calibrate.RESULTS).values())
    done = results.read(options.results)
    for answers in ANSWERS:
        for task in scored_tasks(options.scores) if options.scores else ():
            if (task.name, f"{answers} answers", 0) in done:
                continue
            line = run_one(task, answers, calibrate.without(measured, task.corpus), options.draws)
            results.append(options.results, line)
            print(f"{task.name}, {answers} answers: {line['error']}", file=sys.stderr, flush=True)
    print(section(options.results))
    return 0


if __name__ == "__main__":
    become_worker("benchmarks.decisions.asking")
    sys.exit(main())
