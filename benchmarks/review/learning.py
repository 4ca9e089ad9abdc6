"""What answers are worth, in each reading order: python -m benchmarks.review.learning --help.

The documents are dealt into two halves by a hash of their text, so that equal ones are in the same half. keysift is
fitted to all of them without a label; only the first half is ever asked, and the AUC is that of the second half, which
is never asked. So the figures are those of documents nobody has read, whatever the order, as active learning is judged.

Every task, seed and order is a line in a file; what is there is not run again, so a run may be stopped at any time.
"""

import argparse
import json
import sys
import warnings
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from benchmarks.paper import results
from benchmarks.review.runner import chosen_tasks
from benchmarks.suite.runner import version
from benchmarks.suite.tasks import Listed, read_task
from keysift.answering import learn_answers
from keysift.errors import KeysiftWarning
from keysift.features.prepared import Prepared
from keysift.learn.fitting import KeywordFit
from keysift.metrics import auc_between
from keysift.pipeline import Learned, Matches, learn, match, prepare
from keysift.review.orders import Random, get_order
from keysift.review.simulation import EACH

__all__ = ["ANSWERS", "ORDERS", "RESULTS", "Key", "asked", "ceiling", "curve", "logistic_scores", "main", "read"]

RESULTS = Path(__file__).with_name("results-learning.jsonl")
ANSWERS = (10, 20, 50, 100, 200)
ORDERS = ("random", "mix", "uncertain")
MORE = 0.1
"""After the first answers, those of a share of this more are learned at once: half as often as in a review, to save
time."""
PENALTIES = (0.001, 0.01, 0.1)
"""C of logistic regression with all labels; the best one is taken, with hindsight."""

Key = tuple[str, int, str]
"""Task, seed and order."""


def asked(texts: Sequence[str], seed: int) -> NDArray[np.bool_]:
    """Which documents may be asked: about half of them, equal texts together.

    >>> found = asked(["a tax law", "a hockey game", "a tax law"], 0)
    >>> bool(found[0] == found[2])
    True
    """
    return np.array([zlib.crc32(f"{seed} {text}".encode()) >> 16 & 1 for text in texts], dtype=bool)


def curve(
    prepared: Prepared,
    matches: Matches,
    learned: Learned,
    relevant: NDArray[np.bool_],
    half: NDArray[np.bool_],
    order: str,
    seed: int,
) -> dict[str, list[float]]:
    """For each number of answers the AUC of keysift and of logistic regression on the half that is not asked.

    `found` is how many of the answers say relevant.
    """
    assert learned.fitted is not None
    rng, chosen, places = np.random.default_rng(seed), get_order(order), np.flatnonzero(half)
    answers, now = np.full(len(relevant), -1, dtype=np.int8), learned
    lists: dict[str, list[float]] = {"keysift": [], "logistic": [], "found": []}
    for number in ANSWERS:
        while (done := int((answers >= 0).sum())) < min(number, len(places)):
            batch = number - done if isinstance(chosen, Random) else 1 if done < EACH else max(1, int(MORE * done))
            some = chosen.next(now.to_read[places], answers[places] >= 0, min(batch, number - done), rng)
            answers[places[some]] = relevant[places[some]]
            now = learn_answers(prepared, matches, learned, answers.copy())
        lists["keysift"].append(_auc(now.scores, relevant, ~half))
        lists["logistic"].append(_auc(logistic_scores(learned.fitted, prepared, answers), relevant, ~half))
        lists["found"].append(int((answers == 1).sum()))
    return lists


def ceiling(fitted: KeywordFit, prepared: Prepared, relevant: NDArray[np.bool_], half: NDArray[np.bool_]) -> float:
    """The AUC of logistic regression with the labels of the whole half that may be asked; best of three penalties."""
    answers = np.where(half, relevant, -1).astype(np.int8)
    return max(_auc(logistic_scores(fitted, prepared, answers, C), relevant, ~half) for C in PENALTIES)


def logistic_scores(
    fitted: KeywordFit, prepared: Prepared, answers: NDArray[np.int8], C: float = 10.0
) -> NDArray[np.float64]:
    """Of logistic regression on the same answers and features (TF-IDF and sentence vectors), classes balanced.

    Where all answers are of one kind there is nothing to fit, and all scores are equal.
    """
    from sklearn.linear_model import LogisticRegression

    places = np.flatnonzero(~prepared.empty)
    said = answers[places]
    rows = np.flatnonzero(said >= 0)
    scores = np.zeros(len(answers))
    if len(np.unique(said[rows])) == 2:
        every = np.arange(len(places))  # a view of pieces of words makes rows only where they are asked for
        X = sp.hstack([sp.csr_array(view.X[every]) for view in fitted.views.values()], format="csr")
        model = LogisticRegression(C=C, class_weight="balanced", max_iter=1000).fit(X[rows], said[rows])
        scores[places] = model.decision_function(X)
    return scores


def _auc(scores: NDArray[np.float64], relevant: NDArray[np.bool_], judged: NDArray[np.bool_]) -> float:
    """In percent points."""
    return round(100 * auc_between(scores[judged & relevant], scores[judged & ~relevant]), 3)


def read(path: Path = RESULTS) -> dict[Key, dict[str, Any]]:
    """All results; of several for the same, the last. A line that is not whole is skipped."""
    found: dict[Key, dict[str, Any]] = {}
    for text in path.read_text(encoding="utf-8").split("\n") if path.is_file() else ():
        try:
            line = json.loads(text)
            found[str(line["task"]), int(line["seed"]), str(line["order"])] = dict(line)
        except (ValueError, KeyError, TypeError):
            continue
    return found


def run(tasks: Mapping[str, Listed], seeds: Sequence[int], orders: Sequence[str], path: Path) -> None:
    """Run what is not yet there, seed by seed; all labels are tried with the first seed only, for time."""
    for seed in seeds:
        for name, listed in tasks.items():
            missing = [order for order in orders if (name, seed, order) not in read(path)]
            if not missing:
                continue
            task = read_task(listed)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", KeysiftWarning)
                prepared = prepare(task.texts)
                matches = match(prepared, list(task.keywords))
                learned = learn(prepared, matches)
                half = asked(task.texts, seed)
                for order in missing:
                    line: dict[str, Any] = {"task": name, "kind": task.kind, "seed": seed, "order": order}
                    line["keywords"] = _auc(learned.scores, task.relevant, ~half)
                    line |= curve(prepared, matches, learned, task.relevant, half, order, seed)
                    if seed == 0 and order == ORDERS[0]:
                        assert learned.fitted is not None
                        line["all labels"] = ceiling(learned.fitted, prepared, task.relevant, half)
                    results.append(path, {**line, "version": version()})
                    gains = " ".join(f"{value - line['keywords']:+.1f}" for value in line["keysift"])
                    print(f"{name}, seed {seed}, {order}: {gains}", file=sys.stderr, flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what the command line asks for; 2 where a name is wrong, 130 where stopped."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.review.learning", description=__doc__)
    parser.add_argument("--tasks", default="", help="comma-separated names or kinds of tasks; default: all")
    parser.add_argument("--seeds", type=int, default=2, help="how many; default: %(default)s")
    parser.add_argument("--orders", nargs="+", choices=ORDERS, default=ORDERS, help="default: all")
    parser.add_argument("--results", type=Path, default=RESULTS, help="the file of results")
    options = parser.parse_args(arguments)
    chosen = chosen_tasks(options.tasks)
    if chosen is None:
        return 2
    results.mend(options.results)
    try:
        run(chosen, range(options.seeds), options.orders, options.results)
    except KeyboardInterrupt:
        print("Stopped. What is measured stays; the same command goes on from here.", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
