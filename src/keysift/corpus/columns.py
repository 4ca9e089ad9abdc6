"""Which columns of a table hold the text, and which the ids."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from keysift.corpus.times import all_times
from keysift.corpus.well_known import known_text, looks_like_data
from keysift.errors import InputError, listed

UNNAMED = ", or say with no_header= that the first row is a document"
UNNAMED_COLUMN = re.compile(r"column_\d+")
"""What a column is called where a file gives none a name."""
RANKING = {"rank", "score", "decision", "evidence"}
"""A table that has all of these columns is an earlier ranking."""
OWN_COLUMNS = {*RANKING, "chance", "pseudo_positive", "matched", "words", "model"}
"""The columns of an earlier ranking that are never its text."""


@dataclass(frozen=True)
class Columns:
    """The columns that were read, which a model remembers.

    >>> Columns.restore(Columns(("title", "abstract"), "key").plain())
    Columns(text=('title', 'abstract'), id='key')
    """

    text: tuple[str, ...]
    id: str | None

    def plain(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return {"text": list(self.text), "id": self.id}

    @classmethod
    def restore(cls, plain: Any) -> "Columns | None":
        """The columns that `plain` gave; None where there are none."""
        if plain is None:
            return None
        text, id = plain["text"], plain["id"]
        names = [*text, *([] if id is None else [id])]
        if not isinstance(text, list) or not text or not all(isinstance(name, str) for name in names):
            raise ValueError("the columns are no names")
        return cls(tuple(text), id)


def text_columns(
    frame: pl.DataFrame,
    source: str,
    text: str | Sequence[str] | None,
    *,
    not_text: Collection[str | None] = (),
    typed: bool = True,
) -> tuple[str, ...]:
    """The columns of the text: those that are named, or the one that it must be.

    Names are a list or stand between commas; a name that holds a comma is a column of that name, if there is one. If
    nothing is named, it is the only column of text, or those that have a well-known name; dates and times are no text.

    >>> frame = pl.DataFrame({"a,b": ["x"], "title": ["y"], "abstract": ["z"], "venue": ["v"]})
    >>> text_columns(frame, "f", "a,b"), text_columns(frame, "f", "abstract, title"), text_columns(frame, "f", None)
    (('a,b',), ('abstract', 'title'), ('title', 'abstract'))
    """
    if text is not None:
        return _named(frame, source, [text] if isinstance(text, str) else text)
    own = OWN_COLUMNS if set(frame.columns) >= RANKING else set()
    found = [
        column.name
        for column in frame
        if column.dtype == pl.String
        and column.name not in own
        and column.name not in not_text
        and (typed or not _all_numbers(column))
        and not all_times(column)
    ]
    chosen = tuple(found) if len(found) == 1 else known_text(found) or _longest_unnamed(frame.select(found))
    if not chosen:
        unnamed = "" if typed or not any(map(looks_like_data, frame.columns)) else UNNAMED
        problem = f"{len(found)} columns that could be the text ({listed(found)})" if found else "no column of text"
        raise InputError(
            f"{source} has {problem}; the columns are {listed(frame.columns)}; name the text column with text="
            f"{unnamed}."
        )
    return chosen


def _longest_unnamed(frame: pl.DataFrame) -> tuple[str, ...]:
    """Of columns that a file gives no names, the one that holds most of the text."""
    if not frame.width or not all(UNNAMED_COLUMN.fullmatch(name) for name in frame.columns):
        return ()
    *rest, longest = sorted((int(column.str.len_chars().sum()), column.name) for column in frame)
    return (longest[1],) if longest[0] > 2 * sum(size for size, _ in rest) else ()


def check_column(frame: pl.DataFrame, source: str, name: str, argument: str) -> None:
    """Refuse a column that is not there."""
    if name not in frame.columns:
        raise InputError(
            f"{source} has no column {name!r}; the columns are {listed(frame.columns)}; name one of them with"
            f" {argument}=."
        )


def joined(frame: pl.DataFrame, names: Sequence[str]) -> pl.Series:
    r"""The text of each row: of several columns, what they hold one below the other.

    >>> frame = pl.DataFrame({"title": ["A goal", "", None], "abstract": ["late", "rain", None]})
    >>> joined(frame, ["title", "abstract"]).to_list()
    ['A goal\nlate', 'rain', '']
    """
    if len(names) == 1:
        return frame[names[0]].fill_null("")
    parts = (pl.when(pl.col(name) != "").then(pl.col(name)) for name in names)
    text = pl.concat_str(*parts, separator="\n", ignore_nulls=True).fill_null("")
    return frame.select(text.alias(",".join(names))).to_series()


def _named(frame: pl.DataFrame, source: str, given: Sequence[str]) -> tuple[str, ...]:
    names = [
        part.strip() if part not in frame.columns else part
        for name in given
        for part in ([name] if name in frame.columns or "," not in name else name.split(","))
    ]
    for name in names:
        check_column(frame, source, name, "text")
        if frame.schema[name] != pl.String:
            raise InputError(
                f"The column {name!r} of {source} holds {frame.schema[name]}, not text; "
                f"the columns are {listed(frame.columns)}; name a text column with text=."
            )
    if not names:
        raise InputError(f"No column of {source} is named as its text; name one with text=.")
    return tuple(dict.fromkeys(names))


def _all_numbers(column: pl.Series) -> bool:
    return column.filter(column != "").cast(pl.Float64, strict=False).is_not_null().all()
