"""What speed is measured on: 20 Newsgroups, and 200,000 sentences joined from the suite.

The sentences: every short text of the suite's English corpora as it is, then the sentences of its longer ones, all
different, in the order of their files. Relevant are the documents of one task of the suite, with its keywords; whatever
comes from another corpus counts as irrelevant.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import polars as pl

from benchmarks.paper.datasets import SETS, find_data, read_newsgroups
from benchmarks.speed.work import CORPUS, KEYWORDS
from benchmarks.suite.tasks import Listed, length_class, list_tasks, read_task

__all__ = ["CORPORA", "newsgroups", "sentences"]

SENTENCES = 200_000
TASK = "crisis-donations"
"""Chosen by its kind before any result was seen: a topic in a corpus of short texts."""
SENTENCE_END = r"[.!?]\s+"


def newsgroups(folder: Path) -> bool:
    """20 Newsgroups as they were posted, 36 MB; whether the data are there."""
    data = find_data(download=True)
    if data is None:
        return False
    documents = read_newsgroups(data, strip=False)
    _write(folder, pl.DataFrame({"text": documents.texts, "relevant": documents.labels > 0}), SETS["20ng"].keywords)
    return True


def sentences(folder: Path) -> bool:
    """The sentences; whether the suite is there."""
    tasks, _ = list_tasks()
    if TASK not in tasks:
        return False
    parts = pl.concat(_parts(tasks)).unique("text", keep="first", maintain_order=True)
    _write(folder, parts.head(SENTENCES).sample(fraction=1.0, shuffle=True, seed=0), tasks[TASK].keywords)
    return True


def _parts(tasks: dict[str, Listed]) -> Iterator[pl.DataFrame]:
    chosen = read_task(tasks[TASK])
    yield pl.DataFrame({"text": chosen.texts, "relevant": chosen.relevant})
    by_file = {task.file: task for task in tasks.values() if task.file is not None and task.language == "en"}
    others = [read_task(task) for file, task in by_file.items() if file != tasks[TASK].file]
    for short in (True, False):
        for other in others:
            if (length_class(other.length) == "short") is short:
                texts = pl.Series("text", other.texts)
                if not short:
                    texts = texts.str.replace_all(SENTENCE_END, "\n").str.split("\n").explode()
                yield pl.DataFrame({"text": texts.filter(texts.str.len_chars() > 0)}).with_columns(relevant=False)


def _write(folder: Path, corpus: pl.DataFrame, keywords: tuple[str, ...]) -> None:
    corpus.write_parquet(folder / CORPUS)
    (folder / KEYWORDS).write_text(json.dumps(list(keywords)), encoding="utf-8")


CORPORA = {"20NG": newsgroups, "200,000 sentences": sentences}
