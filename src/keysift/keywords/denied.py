"""Where a keyword is denied: who writes "not great" or "no hope" does not mean what the keyword means.

A word is denied where one of the few words before it negates. A negation that is a word of any keyword ("without
notice", "doesn't work") denies nothing, nor does "not only", nor "no" before a number.
"""

from collections.abc import Set
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from keysift.text.languages import UNKNOWN
from keysift.text.tokens import Tokens

CUT_OFF = frozenset(
    [
        *("don", "doesn", "didn", "isn", "wasn", "aren", "weren", "can", "couldn", "won", "wouldn", "shouldn", "haven"),
        *("hasn", "hadn", "ain", "needn", "mustn"),
    ]
)
"""What stands before the t of "n't", which is a token of its own."""
ENGLISH = frozenset(["not", "no", "never", "nor", "neither", "without", "cannot", "hardly"]) | frozenset(
    f"{word}t"
    for word in CUT_OFF  # as many type it
)
NEGATIONS = {"en": ENGLISH, UNKNOWN.code: ENGLISH}
"""By language; languages without a list deny nothing."""
AFFIRMED, NUMBERED = "only", "no"
"""After "not" it says more, not less; before a number it says which one."""


def asserted(tokens: Tokens, language: str, reach: int, own: Set[str] = frozenset()) -> Tokens:
    """The tokens with every denied one out of the way: in its place stands the word that negates.

    `reach` is how many words behind a negation are denied, `own` are the words of the keywords.

    >>> import polars as pl
    >>> from keysift.text.tokens import tokenize
    >>> tokens = asserted(tokenize(pl.Series(["It isn't a great film", "great, not bad"])), "en", 2)
    >>> tokens.words.gather(tokens.codes).to_list()
    ['it', 'isn', 't', 't', 't', 'film', 'great', 'not', 'not']
    """
    places = _negations(tokens, NEGATIONS.get(language, frozenset()), own)
    if not len(places) or not reach:
        return tokens
    ends = tokens.starts[np.searchsorted(tokens.starts, places, side="right")]
    codes = tokens.codes.copy()
    for step in range(1, reach + 1):
        inside = places + step < ends
        codes[places[inside] + step] = tokens.codes[places[inside]]
    codes[places] = tokens.codes[places]  # one negation does not deny another
    return replace(tokens, codes=codes)


def _negations(tokens: Tokens, words: Set[str], own: Set[str]) -> NDArray[np.int64]:
    """The places of the words that negate, if they are no words of the keywords."""
    if not words:
        return np.empty(0, np.int64)
    cut_off = CUT_OFF - own if "t" in own else CUT_OFF
    one, before, t, no, only = (
        tokens.words.is_in(sorted(some)).to_numpy()[tokens.codes]
        for some in (words - own, cut_off, {"t"}, {NUMBERED} - own, {AFFIRMED})
    )
    number = tokens.words.str.contains(r"^\d+$").to_numpy()[tokens.codes]
    first = tokens.starts[:-1][tokens.lengths > 0]
    t[first] = only[first] = number[first] = False  # the word before it is of another document
    negates = one.copy()
    negates[1:] |= t[1:] & before[:-1]
    negates[:-1] &= ~(only[1:] | (no[:-1] & number[1:]))
    return np.flatnonzero(negates)
