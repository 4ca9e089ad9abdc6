"""Documents and answers that nothing can be learned from are refused before the fit."""

import numpy as np
from numpy.typing import NDArray

from keysift.errors import InputError, KeywordError, listed
from keysift.keywords.match import Matches
from keysift.text.tokens import Tokens


def check_documents(tokens: Tokens) -> None:
    """Refuse documents that no ranking can tell apart.

    >>> import polars as pl
    >>> from keysift.text.tokens import tokenize
    >>> check_documents(tokenize(pl.Series(["the same", "the same"])))
    Traceback (most recent call last):
    keysift.errors.InputError: All 2 documents are identical; a ranking needs documents that differ.
    """
    if len(tokens) == 0:
        raise InputError("There is no document to learn from; give at least two.")
    if len(tokens) == 1:
        raise InputError("There is only one document; a ranking needs at least two that differ.")
    if len(tokens.codes) == 0:
        raise InputError(f"All {len(tokens)} documents are empty; give documents with words in them.")
    tokens, empty = tokens.filled, len(tokens) - len(tokens.filled)
    if len(tokens) == 1:
        raise InputError(
            f"All documents but one are empty ({empty:,}); a ranking needs at least two that differ and hold words."
        )
    lengths = tokens.lengths
    if (lengths == lengths[0]).all():
        table = tokens.codes.reshape(len(tokens), -1)
        if (table == table[0]).all():
            raise InputError(f"All {len(tokens)} documents are identical; a ranking needs documents that differ.")


def check_not_all_excluded(matches: Matches) -> None:
    """Refuse keywords all of whose documents hold an excluded keyword."""
    if matches.exclusions is not None and not matches.found.matches.nnz and matches.exclusions.lost.any():
        raise KeywordError(
            "Every document with a keyword also holds an excluded one"
            f" ({listed((keyword.text for keyword in matches.exclusions.keywords), most=5)}), so none can be taken as"
            " positive; exclude less, or use other keywords."
        )


def check_answers(positive: NDArray[np.bool_], answers: NDArray[np.int8]) -> None:
    """Refuse answers that leave one of the two sets empty.

    >>> check_answers(np.array([True, False]), np.array([0, -1], dtype=np.int8))
    Traceback (most recent call last):
    keysift.errors.KeywordError: All documents with a keyword were judged irrelevant, and no other one relevant; give
    other keywords, or an answer that says relevant.
    """
    after = np.where(answers >= 0, answers == 1, positive)
    if not after.any():
        raise KeywordError(
            "All documents with a keyword were judged irrelevant, and no other one relevant; give other keywords, or an"
            " answer that says relevant."
        )
    if after.all():
        raise KeywordError(
            "All documents without a keyword were judged relevant, and no other one irrelevant; there is nothing to"
            " tell them from: give more documents."
        )
