"""Where terms occur in documents: as they are spelled, in their inflections, and by their beginnings."""

from collections.abc import Sequence

import numpy as np
import polars as pl
import scipy.sparse as sp

from keysift.text.counts import Term, count_terms
from keysift.text.inflections import Inflections
from keysift.text.prefixes import beginning_with, count_beginnings, is_prefix
from keysift.text.tokens import Tokens


def count_keywords(tokens: Tokens, terms: Sequence[Term], inflections: Inflections | None) -> sp.csr_array:
    """How often each document (row) holds each term (column).

    >>> from keysift.text.tokens import tokenize
    >>> tokens = tokenize(pl.Series(["a winner", "hockey wins hockey"]))
    >>> count_keywords(tokens, [("win*",), ("hockey",)], None).toarray().tolist()
    [[1.0, 0.0], [1.0, 2.0]]
    """
    by_beginning = [any(map(is_prefix, term)) for term in terms]
    begun = [place for place, begins in enumerate(by_beginning) if begins]
    whole = [place for place, begins in enumerate(by_beginning) if not begins]
    chosen = [terms[place] for place in whole]
    counts = count_terms(tokens, chosen) if inflections is None else inflections.count(tokens, chosen)
    if not begun:
        return counts
    begins = count_beginnings(tokens, [terms[place] for place in begun], inflections)
    return columns_of(sp.csr_array(sp.hstack([counts, begins])), np.argsort([*whole, *begun]).tolist())


def forms_of(tokens: Tokens, words: Sequence[str], inflections: Inflections | None) -> list[str]:
    """The words of the documents that are one of these, in whatever form."""
    begun = [word for word in words if is_prefix(word)]
    words = [word for word in words if not is_prefix(word)] if begun else words
    there = tokens.words.is_in(words) if inflections is None else pl.Series(inflections.of(words))
    if begun:
        members = there.to_numpy().copy()
        members[np.concatenate(beginning_with(tokens.words, begun))] = True
        there = pl.Series(members)
    return tokens.words.filter(there).to_list()


def columns_of(matches: sp.csr_array, columns: list[int]) -> sp.csr_array:
    """Some of the columns, in this order."""
    chosen = sp.csr_array(matches[:, columns])
    chosen.sort_indices()
    return chosen
