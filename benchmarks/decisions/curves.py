"""What answers are worth where a fit may learn from them: python -m benchmarks.decisions.curves.

keysift as it comes ranks the training documents of a trial, an audit of n of them is answered by the true labels, and
`fit(documents, audit=...)` learns again. Every such fit is a line of the results; what is there is not run again.
"""

import argparse
import sys
import warnings
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from benchmarks.decisions.rankings import FIVE
from benchmarks.paper import results
from benchmarks.paper.datasets import SETS
from benchmarks.quality.tasks import TASKS, Problem, problem
from benchmarks.worker import become_worker
from keysift import KeywordClassifier
from keysift.audit.answers import Audit
from keysift.audit.labels import labels_from
from keysift.audit.ranked_table import ranking_from
from keysift.audit.sampling import draw
from keysift.errors import KeysiftError, KeysiftWarning

__all__ = ["LABELS", "RESULTS", "main", "run_one", "section"]

RESULTS = Path(__file__).with_name("results-curves.jsonl")
LABELS = (25, 50, 100, 200)
TRIALS = dict.fromkeys(FIVE, (1, 2, 3)) | {"20ng": (0, 1)}
"""Trial 0 of the four small sets was looked at when it was chosen how to learn from answers; it is not shown."""
SYSTEM = "{} labels"
FIELDS = ("before", "after", "labels_alone")

INTRODUCTION = """
An audit sets the prior and the threshold and leaves the ranking alone. Where you ask for it, `fit(documents,
audit=...)` learns from the answers too. Here keysift with its defaults ranks the training documents, the ranking is
audited, the true labels answer, and keysift learns again. The table shows the AUC of the test documents without a
label and with so many, the mean over the trials; in brackets what the same labels alone give, by a logistic regression
on TF-IDF. How to learn from answers was chosen on trial 0 of the four small sets, which is not among these."""


def run_one(name: str, trial: int, labels: int) -> dict[str, Any]:
    """Audit, answer, fit again."""
    given = problem(TASKS[name], trial)
    ranking, before = _first(name, trial)
    sample = draw(ranking_from(ranking), labels, seed=trial)
    by_rank = given.train_labels[ranking["document"].to_numpy()]
    audit = Audit(sample, by_rank[sample.rows].astype(np.int8), unsure=0, unanswered=0)
    after = _classifier(given)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", KeysiftWarning)
        after.fit(given.train_texts, audit=audit)
        scores = after.decision_function(given.test_texts)
    return {
        "set": name,
        "system": SYSTEM.format(labels),
        "trial": trial,
        "relevant": int((audit.answers == 1).sum()),
        "before": round(before, 4),
        "after": round(_auc(given, scores), 4),
        "labels_alone": round(_auc(given, _labels_alone(given, labels_from(audit, len(given.train_texts)))), 4),
    }


def _classifier(given: Problem) -> KeywordClassifier:
    return KeywordClassifier(list(given.task.keywords))


@lru_cache(maxsize=1)
def _first(name: str, trial: int) -> tuple[pl.DataFrame, float]:
    """The ranking without a label, best first, and its AUC on the test documents."""
    given = problem(TASKS[name], trial)
    clf = _classifier(given)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", KeysiftWarning)
        ranking = clf.fit_rank(given.train_texts)
        scores = clf.decision_function(given.test_texts)
    return ranking, _auc(given, scores)


def _labels_alone(given: Problem, answers: NDArray[np.int8]) -> NDArray[np.float64]:
    known = np.flatnonzero(answers >= 0)
    if len(np.unique(answers[known])) == 1:
        return np.zeros(len(given.test_texts))
    tfidf = TfidfVectorizer(sublinear_tf=True).fit(given.train_texts)
    model = LogisticRegression(C=10.0, class_weight="balanced", max_iter=1000)
    model.fit(tfidf.transform([given.train_texts[place] for place in known]), answers[known])
    return np.asarray(model.decision_function(tfidf.transform(given.test_texts)))


def _auc(given: Problem, scores: NDArray[np.float64]) -> float:
    return 100 * float(roc_auc_score(given.test_labels, scores))


def section(path: Path = RESULTS) -> str:
    """The results as a section of docs/decisions.md."""
    lines = results.read(path)
    rows = [f"| set | trials | none | {' | '.join(map(str, LABELS))} |", "|---|--:|--:|" + "--:|" * len(LABELS)]
    table = []
    for name in FIVE:
        # Only trials with every number of labels: a mean of others would compare trials.
        wanted = [[(name, SYSTEM.format(n), trial) for n in LABELS] for trial in TRIALS[name]]
        whole = [[lines[key] for key in keys] for keys in wanted if all(key in lines for key in keys)]
        if not whole:
            continue
        means = [
            [np.mean([trial[place][field] for trial in whole]) for place in range(len(LABELS))] for field in FIELDS
        ]
        before, after, alone = means
        cells = [f"{one:.1f} ({other:.1f})" for one, other in zip(after, alone, strict=True)]
        rows.append(f"| {SETS[name].title} | {len(whole)} | {before[0]:.1f} | {' | '.join(cells)} |")
        table.append(means)
    if table:
        before, after, alone = np.mean(table, axis=0)
        cells = [f"{one:.1f} ({other:.1f})" for one, other in zip(after, alone, strict=True)]
        rows.append(f"| mean | | {before[0]:.1f} | {' | '.join(cells)} |")
    return "\n".join(["## Learning from answers", "", " ".join(INTRODUCTION.split()), "", *rows, ""])


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what is not there yet, and print the section; 2 where the data are missing."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.decisions.curves", description=__doc__)
    parser.add_argument("--results", type=Path, default=RESULTS, help="the file of results")
    parser.add_argument("--trials", type=int, default=3, help="of each set at most; default: %(default)s")
    options = parser.parse_args(arguments)
    results.mend(options.results)
    done = results.read(options.results)
    for place in range(options.trials):  # a trial of every set before the next one
        for name in FIVE:
            for trial in TRIALS[name][place : place + 1]:
                for labels in LABELS:
                    if (name, SYSTEM.format(labels), trial) in done:
                        continue
                    try:
                        line = run_one(name, trial, labels)
                    except KeysiftError as error:
                        print(error, file=sys.stderr)
                        return 2
                    results.append(options.results, line)
                    print(line, file=sys.stderr)
    print(section(options.results))
    return 0


if __name__ == "__main__":
    become_worker("benchmarks.decisions.curves")
    sys.exit(main())
