"""A corpus: which column holds the texts, which the ids, and what else came with them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from keysift.corpus.columns import Columns, check_column, joined, text_columns
from keysift.corpus.vector_column import read_vectors
from keysift.errors import InputError


@dataclass(frozen=True)
class Corpus:
    """Documents in the order of their source.

    >>> Corpus(pl.Series("id", [1]), pl.Series("text", ["a goal"]), pl.DataFrame(), "news.txt").texts.item()
    'a goal'
    """

    ids: pl.Series
    """One id per document, named `id`; not necessarily unique."""
    texts: pl.Series
    """One string per document; a missing text is the empty string. The name is that of the column, or of several."""
    columns: pl.DataFrame
    """Every input column except those of the ids and the vectors, in input order; the text column is included."""
    source: str
    """The path as given, or `standard input`."""
    vectors: NDArray[np.float32] | None = None
    """One vector per document, if a column of vectors was named."""
    read_from: Columns | None = None
    """The columns of the texts and the ids."""


def corpus_from(
    frame: pl.DataFrame,
    source: str,
    *,
    text: str | Sequence[str] | None = None,
    id: str | None = None,
    vector_column: str | None = None,
    ignore: Collection[str] = (),
    remembered: Columns | None = None,
    typed: bool = True,
) -> Corpus:
    """Choose the text, the id and the vector column of `frame`; `typed` is false if all columns were read as strings.

    What `text` and `id` leave open is as in `remembered`, if the table has these columns.

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
    if text is None and remembered is not None and set(remembered.text) <= set(frame.columns):
        text = remembered.text
    if id is None and remembered is not None and remembered.id in frame.columns:
        id = remembered.id
    if id is not None:
        check_column(frame, source, id, "id")
    ids = id or ("id" if "id" in frame.columns else None)
    names = text_columns(frame, source, text, not_text={ids, *ignore}, typed=typed)
    if id is not None and id in names:
        raise InputError(f"The column {id!r} of {source} cannot be both text and id; name another with text= or id=.")
    id = None if ids in names else ids
    return Corpus(
        ids=pl.int_range(1, frame.height + 1, eager=True).alias("id") if id is None else frame[id].alias("id"),
        texts=joined(frame, names),
        columns=frame if id is None else frame.drop(id),
        source=source,
        vectors=matrix,
        read_from=Columns(names, id),
    )
