"""A file before it is opened: its columns, its first rows, and what is odd about it."""

from pathlib import Path

import numpy as np
import polars as pl

from keysift.corpus.columns import Columns
from keysift.corpus.documents import Corpus
from keysift.corpus.reading import read
from keysift.present.wording import counted, on_one_line
from keysift.text.languages import guess_language
from keysift.text.tokens import tokenize
from keysift.text.visible import visible
from keysift.web.refusals import about
from keysift.web.schemas import Lengths, Oddity, Preview

ROWS = 5
"""First rows that are shown."""
NAMED = 10
"""Rows of an oddity that are named."""
CELL = 120
"""Characters of a cell that are shown."""
LONG = 100_000
"""A document with more characters may be several."""


def look_at(path: Path, text: list[str] | None, id: str | None) -> Preview:
    """Read a file and say what is in it."""
    with about(path):
        corpus = read(path, text=text, id=id)
    read_from = corpus.read_from or Columns((str(corpus.texts.name),), None)
    tokens = tokenize(corpus.texts)
    filled = tokens.lengths[tokens.lengths > 0]
    table = corpus.columns if read_from.id is None else corpus.columns.insert_column(0, corpus.ids.alias(read_from.id))
    repeated = _repeated(corpus.texts)
    return Preview(
        file=path.name,
        columns=table.columns,
        text=list(read_from.text),
        id=read_from.id,
        rows=[[_cell(value) for value in row] for row in table.head(ROWS).iter_rows()],
        texts=[on_one_line(visible(one), 3 * CELL) for one in corpus.texts.head(ROWS)],
        documents=len(corpus.texts),
        empty=int((tokens.lengths == 0).sum()),
        duplicates=len(repeated),
        language=language.name if (language := guess_language(tokens)).sure else "",
        lengths=Lengths(
            shortest=int(filled.min(initial=0) if not len(filled) else filled.min()),
            median=float(np.median(filled)) if len(filled) else 0.0,
            longest=int(filled.max(initial=0)),
        ),
        oddities=_oddities(corpus, tokens.lengths == 0, repeated),
    )


def _oddities(corpus: Corpus, empty: "np.typing.NDArray[np.bool_]", repeated: pl.Series) -> list[Oddity]:
    texts, ids = corpus.texts, corpus.ids.cast(pl.String)
    twice = _repeated(ids)
    found = (
        ("without a word: left out of learning, and last in the ranking", pl.Series(empty).arg_true()),
        ("that repeat another: you answer each text once", repeated),
        ("longer than 100,000 characters: perhaps several in one", (texts.str.len_chars() > LONG).arg_true()),
        ("with an id that another has, too", twice),
    )
    return [
        Oddity(message=f"{counted(len(rows), 'document')} {what}", rows=(rows.head(NAMED) + 1).to_list())
        for what, rows in found
        if len(rows)
    ]


def _repeated(values: pl.Series) -> pl.Series:
    """The places of what was there before; nothing repeats nothing."""
    said = values.str.strip_chars()
    return ((said != "") & ~said.is_first_distinct()).arg_true()


def _cell(value: object) -> str:
    return "" if value is None else on_one_line(visible(str(value)), CELL)
