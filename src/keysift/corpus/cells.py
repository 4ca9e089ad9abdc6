"""What a cell of a spreadsheet holds: text that is shown as it is, never a formula, and not too long."""

import polars as pl

LONGEST = 30_000
"""Characters of a text; a cell of a spreadsheet holds little more (32,767)."""
FORMULA = r"^[=+\-@\t\r\n＝＋－＠]"
"""How a text begins that a spreadsheet takes for a formula, in any of its languages."""


def for_spreadsheet(frame: pl.DataFrame) -> pl.DataFrame:
    """A table for a text file that is opened in a spreadsheet: a space is put before whatever would be a formula.

    >>> for_spreadsheet(pl.DataFrame({"id": ["=1+1", "7"], "n": [1, 2]})).rows()
    [(' =1+1', 1), ('7', 2)]
    """
    return cut_to_cells(frame).with_columns(
        pl.when(text.str.contains(FORMULA)).then(pl.concat_str(pl.lit(" "), text)).otherwise(text).name.keep()
        for text in _texts(frame)
    )


def cut_to_cells(frame: pl.DataFrame) -> pl.DataFrame:
    """Every text cut to what a cell holds.

    >>> cut_to_cells(pl.DataFrame({"text": ["a" * 40_000]}))["text"].str.len_chars().item()
    30002
    """
    return frame.with_columns(
        pl.when(text.str.len_chars() > LONGEST).then(text.str.head(LONGEST) + " …").otherwise(text).name.keep()
        for text in _texts(frame)
    )


def too_long(frame: pl.DataFrame) -> int:
    """How many texts do not fit into their cells.

    >>> too_long(pl.DataFrame({"text": ["a" * 40_000, "b"], "n": [1, 2]}))
    1
    """
    return sum(int((column.str.len_chars() > LONGEST).sum()) for column in frame if column.dtype == pl.String)


def _texts(frame: pl.DataFrame) -> list[pl.Expr]:
    return [pl.col(name) for name, dtype in frame.schema.items() if dtype == pl.String]
