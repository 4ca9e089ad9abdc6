"""Lists of documents in which those that say the same are one: the first is shown, the others are counted."""

from collections.abc import Sequence

import numpy as np
import polars as pl

from keysift.review.duplicates import groups

LOOKED_AT = 400
"""So many documents from the top of a list are compared, of which a few are shown."""
NAMED = 5
"""So many ranks of the others are given."""


def folded(texts: pl.Series, most: int) -> list[tuple[int, ...]]:
    """The places of the documents to show, at most `most`, each with the places of those that say the same.

    >>> folded(pl.Series(["Call me now", "a tax law", "call me  NOW", "a late goal"]), 2)
    [(0, 2), (1,)]
    """
    first = groups(texts.head(LOOKED_AT))
    shown = np.unique(first)[:most]
    return [tuple(np.flatnonzero(first == one).tolist()) for one in shown]


def say_the_same(ranks: Sequence[int]) -> str:
    """How many documents more say the same, and where they are; empty where there are none.

    >>> say_the_same([]), say_the_same([7])
    ('', 'and 1 more that says the same, at rank 7')
    >>> say_the_same([2, 3, 5, 8, 13, 1021])
    'and 6 more that say the same, at ranks 2, 3, 5, 8, 13 …'
    """
    if not ranks:
        return ""
    one = len(ranks) == 1
    places = ", ".join(f"{rank:,}" for rank in ranks[:NAMED]) + (" …" if len(ranks) > NAMED else "")
    return f"and {len(ranks):,} more that {'says' if one else 'say'} the same, at rank{'' if one else 's'} {places}"
