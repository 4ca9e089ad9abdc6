"""What is to be ranked: the tasks of the development suite, and the older families, each on its whole corpus.

The suite is looked for in the folder KEYSIFT_SUITE, then in ../shared/suite: `tasks.json`, a list of tasks with `task`,
`file`, `target`, `keywords`, `language` and `kind`, and the files it names, tables with the columns `text` and `label`.
The older families are those of `benchmarks.quality.tasks`: the five sets, other lists of keywords for them, 20 groups.
"""

import json
import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchmarks.paper.datasets import ROOT, find_data
from benchmarks.quality import tasks as older
from keysift.errors import InputError

__all__ = ["FAMILIES", "Listed", "SuiteTask", "find_suite", "length_class", "list_tasks", "read_task"]

SKIPPED_SUITE = "skipped: the suite is neither in the folder KEYSIFT_SUITE nor in ../shared/suite beside the project."
SKIPPED_OLDER = "skipped: the older families need the paper's data sets; name their folder in KEYSIFT_DATA."

FAMILIES = {"suite": "suite", "five": "five", "other keywords": "lists", "groups": "groups"}
"""The families here, by their names in `benchmarks.quality`."""

SAME_TEXTS = {older.ALL_GROUPS: "20ng"}
"""Corpora of the same documents are one corpus, for what is shared and for what is left out."""

FIELDS = ("task", "file", "target", "keywords", "language", "kind")


@dataclass(frozen=True)
class Listed:
    """A task whose documents are not read yet."""

    name: str
    family: str
    corpus: str
    keywords: tuple[str, ...]
    language: str
    kind: str
    target: tuple[str, ...]
    """The classes that are looked for."""
    file: Path | None
    """Of the corpus; None for the older families."""


@dataclass(frozen=True, eq=False)
class SuiteTask:
    """Documents, a few keywords, and which documents they should find; only the measures see that."""

    name: str
    family: str
    corpus: str
    texts: tuple[str, ...]
    relevant: NDArray[np.bool_]
    keywords: tuple[str, ...]
    language: str
    kind: str

    @property
    def length(self) -> float:
        """The median number of characters of a document."""
        return float(np.median([len(text) for text in self.texts]))

    @property
    def spaced(self) -> bool:
        """Whether spaces stand between words."""
        return self.language != "zh"


def length_class(characters: float) -> str:
    """Short, medium or long, by the median number of characters.

    >>> [length_class(characters) for characters in (199.5, 200, 1000)]
    ['short', 'medium', 'long']
    """
    return "short" if characters < 200 else "medium" if characters < 1000 else "long"


def find_suite() -> Path | None:
    """The folder of the suite, or None."""
    named = os.environ.get("KEYSIFT_SUITE")
    if named:
        if not (Path(named) / "tasks.json").is_file():
            raise InputError(f"KEYSIFT_SUITE names the folder {named}, which has no file tasks.json.")
        return Path(named)
    folder = ROOT.parent / "shared" / "suite"
    return folder if (folder / "tasks.json").is_file() else None


def list_tasks() -> tuple[dict[str, Listed], list[str]]:
    """All tasks by name, suite first, and a sentence for each part that is skipped."""
    found: list[Listed] = []
    skipped = []
    folder = find_suite()
    if folder is None:
        skipped.append(SKIPPED_SUITE)
    else:
        found += _suite(folder)
    if find_data() is None:
        skipped.append(SKIPPED_OLDER)
    else:
        found += _older()
    return {task.name: task for task in found}, skipped


def read_task(listed: Listed) -> SuiteTask:
    """The task with its documents; tasks of one corpus share them."""
    if listed.file is None:
        whole = older.corpus(older.TASKS[listed.name].corpus)
        texts, classes = whole.texts, whole.classes
    else:
        texts, classes = _read(listed.file)
    relevant = np.isin(classes, listed.target)
    if relevant.all() or not relevant.any():
        raise InputError(
            f"The task {listed.name} needs relevant and other documents; {int(relevant.sum())} of {len(relevant)} are"
            f" of the class {' or '.join(listed.target)}."
        )
    return SuiteTask(
        name=listed.name,
        family=listed.family,
        corpus=listed.corpus,
        texts=texts,
        relevant=relevant,
        keywords=listed.keywords,
        language=listed.language,
        kind=listed.kind,
    )


def _suite(folder: Path) -> list[Listed]:
    path = folder / "tasks.json"
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
        return [_listed(folder, row) for row in rows]
    except (ValueError, TypeError, KeyError) as error:
        raise InputError(
            f"{path} must be a list of tasks with the fields {', '.join(FIELDS)}; got {type(error).__name__}: {error}."
        ) from error


def _listed(folder: Path, row: dict[str, Any]) -> Listed:
    file = folder / row["file"]
    return Listed(
        name=row["task"],
        family="suite",
        corpus=file.name.partition(".")[0],
        keywords=tuple(row["keywords"]),
        language=row["language"],
        kind=row["kind"],
        target=tuple(row["target"]),
        file=file,
    )


def _older() -> list[Listed]:
    return [
        Listed(
            name=task.name,
            family=FAMILIES[task.family],
            corpus=SAME_TEXTS.get(task.corpus, task.corpus),
            keywords=task.keywords,
            language="en",
            kind=FAMILIES[task.family],
            target=(task.positive,),
            file=None,
        )
        for task in older.TASKS.values()
    ]


@lru_cache(maxsize=1)
def _read(path: Path) -> tuple[tuple[str, ...], NDArray[np.str_]]:
    if not path.is_file():
        raise InputError(f"The suite's file {path} is missing; tasks.json names it.")
    frame = pl.read_csv(path, infer_schema=False, columns=["text", "label"])
    return tuple(frame["text"].fill_null("")), frame["label"].fill_null("").to_numpy().astype(np.str_)
