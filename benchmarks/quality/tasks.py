"""What is to be ranked: documents, a few keywords, and the true labels that only the measures see.

Three families: the five sets of the paper with its keywords; the same sets with three other lists of keywords each; and
every one of the 20 newsgroups against the other 19, with three keywords written from the group's name alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from benchmarks.paper.datasets import SETS, find_data, read_groups, split
from keysift.errors import InputError

__all__ = [
    "ALL_GROUPS",
    "FAMILIES",
    "GROUPS",
    "OTHER_KEYWORDS",
    "TASKS",
    "Corpus",
    "Problem",
    "Task",
    "groups_split",
    "problem",
]

OTHER_KEYWORDS: dict[str, tuple[str, ...]] = {
    "subj": (
        "beautiful, boring, brilliant, silly, enjoy, moving",
        "entertaining, charming, dull",
        "love, hate, best, worst, clever",
    ),
    "custrev": (
        "recommend, impressed, pleased, satisfied, works well",
        "great, love, easy",
        "fantastic, reliable, sharp, quick",
    ),
    "mpqa": (
        "praise, peace, freedom, success, happy, welcome",
        "good, great, best",
        "agree, trust, cooperation",
    ),
    "ayi": (
        "delicious, love, wonderful, recommend, perfect",
        "good, great, happy",
        "fantastic, loved, enjoyed",
    ),
    "20ng": (
        "baseball, hockey, pitcher, goalie",
        "game, team, players, season",
        "sport, league, playoffs",
    ),
}
"""Three lists for each set of the paper."""

GROUPS: dict[str, str] = {
    "alt.atheism": "atheism, atheist, atheists",
    "comp.graphics": "graphics, images, rendering",
    "comp.os.ms-windows.misc": "windows, microsoft, dos",
    "comp.sys.ibm.pc.hardware": "ibm, pc, hardware",
    "comp.sys.mac.hardware": "mac, apple, macintosh",
    "comp.windows.x": "x11, xterm, x windows",
    "misc.forsale": "sale, sell, offer",
    "rec.autos": "car, cars, auto",
    "rec.motorcycles": "motorcycle, motorcycles, bike",
    "rec.sport.baseball": "baseball, pitcher, league",
    "rec.sport.hockey": "hockey, nhl, goalie",
    "sci.crypt": "encryption, cryptography, crypto",
    "sci.electronics": "electronics, circuit, voltage",
    "sci.med": "medicine, medical, doctor",
    "sci.space": "space, nasa, orbit",
    "soc.religion.christian": "christian, christians, church",
    "talk.politics.guns": "gun, guns, firearms",
    "talk.politics.mideast": "israel, arab, middle east",
    "talk.politics.misc": "politics, government, political",
    "talk.religion.misc": "religion, religious, belief",
}
"""The 20 newsgroups and three keywords for each, from its name alone."""

ALL_GROUPS = "groups"
"""The corpus of the 20 newsgroups with the group of each post; that of the paper is `20ng`."""


@dataclass(frozen=True)
class Task:
    """Keywords, and which documents of a corpus they should find."""

    name: str
    title: str
    family: str
    corpus: str
    keywords: tuple[str, ...]
    positive: str
    """The class that is looked for."""


@dataclass(frozen=True, eq=False)
class Corpus:
    """Documents and the class of each: its newsgroup, or "1" and "0"."""

    texts: tuple[str, ...]
    classes: NDArray[np.str_]


@dataclass(frozen=True, eq=False)
class Problem:
    """One trial of a task: documents to learn from and others to rank, with the true labels of both.

    Problems of the same corpus and trial hold the same texts, so what a system computes from them can be shared.
    """

    task: Task
    trial: int
    train_rows: NDArray[np.int64]
    """Where in the corpus the training documents are."""
    test_rows: NDArray[np.int64]
    train_texts: tuple[str, ...]
    test_texts: tuple[str, ...]
    train_labels: NDArray[np.int64]
    test_labels: NDArray[np.int64]


def _keywords(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(","))


TASKS: dict[str, Task] = {
    task.name: task
    for task in (
        *(Task(data.name, data.title, "five", data.name, data.keywords, "1") for data in SETS.values()),
        *(
            Task(f"{name}/{number}", f"{SETS[name].title}: {words}", "other keywords", name, _keywords(words), "1")
            for name, lists in OTHER_KEYWORDS.items()
            for number, words in enumerate(lists)
        ),
        *(Task(group, group, "groups", ALL_GROUPS, _keywords(words), group) for group, words in GROUPS.items()),
    )
}

FAMILIES = tuple(dict.fromkeys(task.family for task in TASKS.values()))


def groups_split(groups: NDArray[np.str_], trial: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """80 % of each group for training, the rest for testing: one split for all 20 tasks of a trial.

    >>> train, test = groups_split(np.array(["a"] * 5 + ["b"] * 10), trial=0)
    >>> len(train), len(test), len(test[test < 5])
    (12, 3, 1)
    """
    rng = np.random.default_rng(trial)
    train, test = [], []
    for group in np.unique(groups):
        rows = rng.permutation(np.flatnonzero(groups == group))
        cut = int(0.8 * len(rows))
        train.append(rows[:cut])
        test.append(rows[cut:])
    return np.sort(np.concatenate(train)), np.sort(np.concatenate(test))


@cache
def corpus(name: str) -> Corpus:
    """A corpus by name, read once in a process."""
    folder = find_data(download=True)
    if folder is None:
        raise InputError("The data sets are not there; put them into a folder and name it in KEYSIFT_DATA.")
    if name == ALL_GROUPS:
        texts, groups = read_groups(folder)
        return Corpus(tuple(texts), groups)
    documents = SETS[name].read(folder)
    return Corpus(tuple(documents.texts), documents.labels.astype(np.str_))


def problem(task: Task, trial: int) -> Problem:
    """The trial of a task: same corpus and trial, same split and same texts."""
    train, test, train_texts, test_texts = _parts(task.corpus, trial)
    labels = (corpus(task.corpus).classes == task.positive).astype(np.int64)
    return Problem(task, trial, train, test, train_texts, test_texts, labels[train], labels[test])


@lru_cache(maxsize=1)
def _parts(name: str, trial: int) -> tuple[NDArray[np.int64], NDArray[np.int64], tuple[str, ...], tuple[str, ...]]:
    whole = corpus(name)
    if name == ALL_GROUPS:
        train, test = groups_split(whole.classes, trial)
    else:
        train, test = split((whole.classes == "1").astype(np.int64), trial)
    return train, test, _texts(whole.texts, train), _texts(whole.texts, test)


def _texts(texts: Sequence[str], rows: NDArray[np.int64]) -> tuple[str, ...]:
    return tuple(texts[row] for row in rows)
