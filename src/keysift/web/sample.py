"""A corpus for the curious: docstrings, which are on every machine that has keysift."""

import polars as pl

from keysift.demo import collect_docstrings

SAMPLE = "sample.csv"


def sample() -> pl.DataFrame:
    """Ids and texts; the ids tell the module, so that one can check what was found."""
    corpus = collect_docstrings()
    return pl.DataFrame([corpus.ids, corpus.texts])
