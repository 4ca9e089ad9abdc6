"""A corpus: which column holds the texts, which the ids, and what else came with them."""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from keysift.corpus.vector_column import read_vectors
from keysift.errors import InputError, listed

RANKING = {"rank", "score", "decision", "evidence"}
"""A table that has all of these columns is an earlier ranking."""
OWN_COLUMNS = {*RANKING, "chance", "pseudo_positive", "matched", "words", "model"}
"""The columns of an earlier ranking that are never its text."""


@dataclass(frozen=True)
class Corpus:
    """Documents in the order of their source.

    >>> Corpus(pl.Series("id", [1]), pl.Series("text", ["a goal"]), pl.DataFrame(), "news.txt").texts.item()
    'a goal'
    """

    ids: pl.Series
    """One id per document, named `id`; not necessarily unique."""
    texts: pl.Series
    """One string per document; a missing text is the empty string."""
    columns: pl.DataFrame
    """Every input column except those of the ids and the vectors, in input order; the text column is included."""
    source: str
    """The path as given, or `standard input`."""
    vectors: NDArray[np.float32] | None = None
    """One vector per document, if a column of vectors was named."""


def corpus_from(
    frame: pl.DataFrame,
    source: str,
    *,
    text: str | None = None,
    id: str | None = None,
    vector_column: str | None = None,
    ignore: Collection[str] = (),
    typed: bool = True,
) -> Corpus:
    """Choose the text, the id and the vector column of `frame`; `typed` is false if all columns were read as strings.

    >>> frame = pl.DataFrame({"id": ["a", "b"], "year": ["1999", ""], "body": ["a goal", None]})
    >>> corpus = corpus_from(frame, "news.csv", typed=False)
    >>> corpus.ids.to_list(), corpus.texts.to_list(), corpus.columns.columns
    (['a', 'b'], ['a goal', ''], ['year', 'body'])
    """
    if frame.is_empty():
        raise InputError(f"{source} contains no documents; give a source with at least one.")
    matrix = None
    if vector_column is not None:
        matrix = read_vectors(frame, source, vector_column)
        frame = frame.drop(vector_column)
    if id is None and "id" in frame.columns and text != "id":
        id = "id"
    if id is not None:
        _check_named(frame, source, id, "id")
    if text is None:
        own = OWN_COLUMNS if set(frame.columns) >= RANKING else set()
        text = _only_text_column(frame, source, not_text={id, *ignore, *own}, typed=typed)
    elif text == id:
        raise InputError(f"The column {text!r} of {source} cannot be both text and id; name another with text= or id=.")
    _check_named(frame, source, text, "text")
    if frame.schema[text] != pl.String:
        raise InputError(
            f"The column {text!r} of {source} holds {frame.schema[text]}, not text; "
            f"the columns are {listed(frame.columns)}; name a text column with text=."
        )
    return Corpus(
        ids=pl.int_range(1, frame.height + 1, eager=True).alias("id") if id is None else frame[id].alias("id"),
        texts=frame[text].fill_null(""),
        columns=frame if id is None else frame.drop(id),
        source=source,
        vectors=matrix,
    )


def _check_named(frame: pl.DataFrame, source: str, name: str, argument: str) -> None:
    if name not in frame.columns:
        raise InputError(
            f"{source} has no column {name!r}; the columns are {listed(frame.columns)}; name one of them with"
            f" {argument}=."
        )


def _only_text_column(frame: pl.DataFrame, source: str, *, not_text: Collection[str | None], typed: bool) -> str:
    found = [
        column.name
        for column in frame
        if column.dtype == pl.String and column.name not in not_text and (typed or not _all_numbers(column))
    ]
    if len(found) != 1:
        problem = f"{len(found)} columns that could be the text ({listed(found)})" if found else "no column of text"
        raise InputError(
            f"{source} has {problem}; the columns are {listed(frame.columns)}; name the text column with text=."
        )
    return found[0]


def _all_numbers(column: pl.Series) -> bool:
    return column.filter(column != "").cast(pl.Float64, strict=False).is_not_null().all()
