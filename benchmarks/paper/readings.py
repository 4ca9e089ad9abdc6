"""Other readings of the paper, tried where it is silent or where a figure is not met.

`python -m benchmarks.paper.readings` runs those that are missing. What they give is in `readings.jsonl`, a line for
each as in the file of results, and in a table at the end of RESULTS.md; explanations refer to it.
"""

import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.paper import baselines, results
from benchmarks.paper.datasets import SETS, Documents, find_data
from benchmarks.paper.features import mean_vectors, nltk_words, tokens_of
from benchmarks.paper.measures import measure
from benchmarks.paper.trial import Outcome, Trial, algorithm_1, algorithm_1_of_scikit_learn, make_trial
from keysift.errors import InputError, KeysiftError, KeysiftWarning
from keysift.text.languages import stop_word_set

__all__ = ["LINES", "READINGS", "Reading", "main", "run_set"]

LINES = Path(__file__).with_name("readings.jsonl")
TRIALS = 20
ALL = tuple(SETS)

System = Callable[[Trial], Outcome]


def _same(trial: Trial) -> Trial:
    return trial


@dataclass(frozen=True)
class Reading:
    """A system of the paper, run another way on some sets."""

    system: str
    sets: tuple[str, ...]
    run: System
    prepare: Callable[[Trial], Trial] = _same
    trials: int = TRIALS
    """Fewer where a run takes minutes."""

    def measured(self, trial: Trial) -> dict[str, Any]:
        """The measures of this reading in a trial, and how many pseudo-labels are other ones."""
        prepared = self.prepare(trial)
        line = measure(prepared, self.run(prepared))
        if len(prepared.pseudo) == len(trial.pseudo):
            line["relabelled"] = int((prepared.pseudo != trial.pseudo).sum())
        return line


def _as_on_the_other_sets(trial: Trial) -> Trial:
    """The pseudo-labels of alpha = 3 and gamma = 5, as on every set but Subj."""
    data = replace(trial.data, alpha=3, gamma=5)
    return replace(trial, pseudo=algorithm_1(data, trial.train_texts))


def _fourteen_keywords(trial: Trial) -> Trial:
    """With the keyword that the paper lists and the authors' code does not have."""
    data = replace(trial.data, keywords=(*trial.data.keywords, "compassionate"))
    return replace(trial, data=data, pseudo=algorithm_1(data, trial.train_texts))


def _by_scikit_learn(trial: Trial) -> Trial:
    """The pseudo-labels from scikit-learn's own tokens."""
    return replace(trial, pseudo=algorithm_1_of_scikit_learn(trial.data, trial.train_texts))


def _other_split(trial: Trial) -> Trial:
    """The same documents split another way."""
    labels = np.concatenate([trial.train_labels, trial.test_labels])
    documents = Documents([*trial.train_texts, *trial.test_texts], labels)
    return make_trial(trial.data, documents, trial.number + TRIALS)


def _cut_on_test(system: System) -> System:
    """With the cut at a prior made on the scores of the test documents."""
    return lambda trial: replace(system(trial), train_scores=None)


def _ties_at_random(system: System) -> System:
    """With tied documents in a random order, so that a cut at a prior takes in no more than its share."""

    def run(trial: Trial) -> Outcome:
        outcome, rng = system(trial), np.random.default_rng(trial.number)
        assert outcome.train_scores is not None
        scores, train = (one + 1e-9 * rng.random(len(one)) for one in (outcome.scores, outcome.train_scores))
        return replace(outcome, scores=scores, train_scores=train)

    return run


def _at_300(system: System) -> System:
    """With the precision of the 300 best documents in place of that of the 100 best."""

    def run(trial: Trial) -> Outcome:
        outcome = system(trial)
        best = np.argsort(-outcome.scores, kind="stable")[:300]
        return replace(outcome, extra={**outcome.extra, "prec100": 100 * float(trial.test_labels[best].mean())})

    return run


def _unknown_words(trial: Trial) -> Outcome:
    from benchmarks.paper.networks import train_network

    return train_network(trial, "sigmoid", trial.pseudo, unknown=True)


BY_NLTK = partial(mean_vectors, split=nltk_words)

READINGS: dict[str, Reading] = {
    **{
        f"{name}, pseudo-labels of (3, 5)": Reading(name, ("subj",), system, _as_on_the_other_sets)
        for name, system in (
            ("PU-NB", baselines.positive_naive_bayes),
            ("NB", baselines.naive_bayes),
            ("Maxent", baselines.maxent),
            ("RandomForest", baselines.random_forest),
            ("KNN", baselines.nearest_neighbours),
        )
    },
    "Voting, keywords alone": Reading("Voting", ALL, partial(baselines.voting, expand=False)),
    "Voting, lower-cased": Reading("Voting", ("ayi", "20ng"), partial(baselines.voting, lower=True)),
    "GloVeRanking, stop words of scikit-learn": Reading(
        "GloVeRanking", ALL, partial(baselines.glove_ranking, stop_words=stop_word_set("english"))
    ),
    "RandomForest, white-space tokens": Reading(
        "RandomForest", ("ayi",), partial(baselines.random_forest, embed=partial(mean_vectors, split=tokens_of))
    ),
    "KNN, white-space tokens": Reading(
        "KNN", ("ayi",), partial(baselines.nearest_neighbours, embed=partial(mean_vectors, split=tokens_of))
    ),
    "NB, cut on the test scores": Reading("NB", ("custrev", "ayi"), _cut_on_test(baselines.naive_bayes)),
    "Voting, other splits": Reading("Voting", ("custrev",), baselines.voting, _other_split),
    "NB, other splits": Reading("NB", ("ayi",), baselines.naive_bayes, _other_split),
    "Sigmoid, unknown words as zero vectors": Reading("Sigmoid", ("20ng",), _unknown_words, trials=1),
    **{
        f"{name}, Algorithm 1 with scikit-learn's tokens": Reading(name, sets, system, _by_scikit_learn)
        for name, sets, system in (
            ("NB", ALL, baselines.naive_bayes),
            ("KNN", ("subj", "custrev", "mpqa", "ayi"), baselines.nearest_neighbours),
        )
    },
    **{
        f"{name}, 14 keywords": Reading(name, ("custrev",), system, _fourteen_keywords)
        for name, system in (
            ("NB", baselines.naive_bayes),
            ("Maxent", baselines.maxent),
            ("KNN", baselines.nearest_neighbours),
            ("GloVeRanking", baselines.glove_ranking),
            ("Voting", baselines.voting),
        )
    },
    "GloVeRanking, NLTK's tokenizer by sentence": Reading(
        "GloVeRanking", ("20ng",), partial(baselines.glove_ranking, split=partial(nltk_words, sentences=True))
    ),
    "GloVeRanking, NLTK's tokenizer": Reading("GloVeRanking", ALL, partial(baselines.glove_ranking, split=nltk_words)),
    **{
        f"{name}, NLTK's tokenizer": Reading(name, ("ayi", "20ng"), partial(system, embed=BY_NLTK))
        for name, system in (("RandomForest", baselines.random_forest), ("KNN", baselines.nearest_neighbours))
    },
    "RandomForest, NLTK's tokenizer by sentence": Reading(
        "RandomForest",
        ("ayi", "20ng"),
        partial(baselines.random_forest, embed=partial(mean_vectors, split=partial(nltk_words, sentences=True))),
    ),
    "RandomForest, Algorithm 1 with scikit-learn's tokens": Reading(
        "RandomForest", ("ayi", "20ng"), baselines.random_forest, _by_scikit_learn
    ),
    "RandomForest, other splits": Reading("RandomForest", ("ayi", "20ng"), baselines.random_forest, _other_split),
    **{
        f"{name}, NLTK's tokenizer": Reading(name, sets, partial(system, split=partial(nltk_words, lower=False)))
        for name, sets, system in (
            ("NB", ("ayi", "20ng"), baselines.naive_bayes),
            ("PU-NB", ("ayi",), baselines.positive_naive_bayes),
            ("Maxent", ("ayi",), baselines.maxent),
            ("O-Maxent", ("ayi",), baselines.oracle_maxent),
        )
    },
    "KNN, ties in a random order": Reading("KNN", ("ayi", "20ng"), _ties_at_random(baselines.nearest_neighbours)),
    "NB, tokens as they are written": Reading(
        "NB", ("ayi",), partial(baselines.naive_bayes, split=partial(tokens_of, lower=False))
    ),
    "O-Maxent, 9 steps, precision at 300": Reading(
        "O-Maxent", ("custrev",), _at_300(partial(baselines.oracle_maxent, steps=9))
    ),
    "Maxent, 9 steps": Reading("Maxent", ("custrev", "ayi"), partial(baselines.maxent, steps=9)),
    "O-Maxent, 9 steps": Reading("O-Maxent", ("custrev", "mpqa", "20ng"), partial(baselines.oracle_maxent, steps=9)),
}


def main(path: Path = LINES, trials: int = TRIALS) -> int:
    """Run what is not yet in the file."""
    warnings.simplefilter("ignore", KeysiftWarning)
    try:
        folder = find_data(download=True)
        if folder is None:
            raise InputError("The data sets are not there; put them into a folder and name it in KEYSIFT_DATA.")
        for name in SETS:
            run_set(name, folder, path, trials)
    except KeysiftError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def run_set(name: str, folder: Path, path: Path, trials: int) -> None:
    """Run what is missing of one set; each trial is made once."""
    there = results.read(path)
    wanted = [reading for reading, chosen in READINGS.items() if name in chosen.sets]
    tasks = {
        number: [one for one in wanted if number < READINGS[one].trials and (name, one, number) not in there]
        for number in range(trials)
    }
    if not any(tasks.values()):
        return
    documents = SETS[name].read(folder)
    for number, missing in tasks.items():
        if not missing:
            continue
        trial = make_trial(SETS[name], documents, number)
        for reading in missing:
            line = {"set": name, "system": reading, "trial": number, **READINGS[reading].measured(trial)}
            results.append(path, line)
        print(f"{SETS[name].title}, trial {number}: {len(missing)} other readings", flush=True)


if __name__ == "__main__":
    sys.exit(main())
