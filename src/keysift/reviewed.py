"""The result of a review as a table: the ranking, what was said of each document, and the columns of the input."""

from pathlib import Path

import polars as pl

from keysift.corpus.columns import OWN_COLUMNS, RANKING
from keysift.corpus.documents import Corpus
from keysift.corpus.reading import found_again
from keysift.corpus.writing import with_other_columns
from keysift.reviewer import Reviewer


def reviewed(corpus: Corpus, reviewer: Reviewer, path: str | Path) -> pl.DataFrame:
    """The ranking with what was said of each document, and the other columns of the input; to be written to `path`."""
    ranking, said, notes = reviewer.result.ranking.frame(), reviewer.answers(), reviewer.state.notes()
    order = ranking["document"]
    given = pl.DataFrame(
        {
            "answer": [None if one is None else one.answer for one in said],
            "chosen": [None if one is None else one.chosen for one in said],
            "note": [notes.get(number) for number in reviewer.numbers.tolist()],
        },
        schema=dict.fromkeys(("answer", "chosen", "note"), pl.String),
    )[order]
    results = pl.DataFrame({"id": corpus.ids.gather(order)}).hstack(
        ranking.select("rank", "score", "decision", "chance")
    )
    results = results.hstack(given).hstack(ranking.select("evidence", "matched", "words"))
    others = corpus.columns[order]
    if set(others.columns) >= RANKING:  # those of the ranking that was opened; these are newer
        others = others.drop(OWN_COLUMNS & set(others.columns))
    if not found_again(with_other_columns(results, others), corpus.read_from, path):
        results = results.with_columns(corpus.texts.gather(order).alias("text"))
    return with_other_columns(results, others)
