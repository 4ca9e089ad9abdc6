"""Warn of keywords that find nothing, and name similar words that the documents do contain."""

import difflib
from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from keysift.errors import warn
from keysift.keywords.exclusions import Exclusions
from keysift.keywords.expansion import Keyword, vector_rows
from keysift.keywords.syntax import shown
from keysift.text.counts import Term
from keysift.text.tokens import Tokens
from keysift.vectors.words import WordVectors

SPELLING_WORDS = 20_000
"""Only the most frequent words are compared letter by letter."""
MOST = 20
"""Keywords that are warned of one by one; similar words are slow to find."""


def warn_of_missing(
    keywords: Sequence[Keyword],
    documents: dict[Term, int],
    tokens: Tokens,
    vectors: WordVectors | None,
    *,
    expanded: bool = True,
    out: Exclusions | None = None,
) -> None:
    """Warn of each keyword that is in no document, or has no vector and so cannot be `expanded`.

    `documents` has the number of documents with each term, and `out` what excluded keywords took from them.
    """
    lost = {} if out is None else dict(zip(documents, out.lost.tolist(), strict=True))
    doubted = [
        keyword
        for keyword in keywords
        # One that is not there was dropped as a stop word, by request.
        if keyword.term in documents and not (documents[keyword.term] and (keyword.in_vectors or not expanded))
    ]
    for keyword in doubted[:MOST]:
        found = documents[keyword.term] > 0
        if not found and lost.get(keyword.term):
            text = (
                f"Every document with the keyword {shown(keyword.text)} also holds an excluded one, so it is ignored."
            )
            warn(text)
            continue
        near = nearest_there(keyword, tokens, vectors)
        hint = f"; the nearest words in the documents: {', '.join(near)}" if near else ""
        if found and vectors is not None and vectors.name != "corpus":
            hint += "; vectors='corpus' would learn one"
        if not found and " " in keyword.text and tokens.words.is_in(list(keyword.term)).sum() == len(set(keyword.term)):
            hint = f"; its words are, but not side by side: to look for each, put commas between them{hint}"
        name = shown(keyword.text)
        if not found and not expanded:
            text = f"The keyword {name} is in no document and is ignored{hint}."
        elif not found and not keyword.in_vectors:
            text = f"The keyword {name} is in no document and has no vector{hint}."
        elif not found:
            text = f"The keyword {name} is in no document; only its expansions are used{hint}."
        else:
            text = f"The keyword {name} has no vector, so it is not expanded{hint}."
        warn(text)
    if len(doubted) > MOST:
        text = f"{len(doubted) - MOST:,} more keywords are in no document, or cannot be expanded."
        warn(text)
    _warn_of_idle(out, tokens, vectors)


def _warn_of_idle(out: Exclusions | None, tokens: Tokens, vectors: WordVectors | None) -> None:
    """Warn of excluded keywords that are in no document: perhaps they are misspelled."""
    held = np.empty(0) if out is None else np.bincount(out.matches.indices, minlength=out.matches.shape[1])
    idle = [] if out is None else [word for word, count in zip(out.keywords, held, strict=True) if not count]
    for keyword in idle[:MOST]:
        near = ", ".join(nearest_there(keyword, tokens, vectors))
        hint = f"; the nearest words in the documents: {near}" if near else ""
        text = f"The excluded keyword {shown(keyword.text)} is in no document, so it excludes none{hint}."
        warn(text)
    if len(idle) > MOST:
        text = f"{len(idle) - MOST:,} more excluded keywords are in no document."
        warn(text)


def nearest_there(keyword: Keyword, tokens: Tokens, vectors: WordVectors | None, count: int = 3) -> list[str]:
    """Words of the corpus nearest in meaning to a keyword or, where it has no vector, in spelling."""
    if keyword.in_vectors and vectors is not None:
        return _nearest_in_meaning(keyword, tokens.words, vectors, count)
    counts = np.bincount(tokens.codes, minlength=len(tokens.words))
    frequent = tokens.words.gather(np.argsort(-counts, kind="stable")[:SPELLING_WORDS]).to_list()
    own = set(keyword.term)
    text, most = " ".join(keyword.term), count + len(own)
    near = difflib.get_close_matches(text, frequent, n=most, cutoff=0.6)
    if not near:  # anything is more help than nothing
        near = difflib.get_close_matches(text, frequent[: SPELLING_WORDS // 10], n=most, cutoff=0.0)
    return [word for word in near if word not in own][:count]


def _nearest_in_meaning(keyword: Keyword, there: pl.Series, vectors: WordVectors, count: int) -> list[str]:
    rows: NDArray[np.int64] = vectors.rows(there)
    known = np.flatnonzero(rows >= 0)
    if not len(known):
        return []
    local = WordVectors("there", there.gather(known), vectors.matrix[rows[known]])
    (own,) = vector_rows([keyword.text], [keyword.term], vectors)
    ban = local.rows(pl.Series("word", list(keyword.term), dtype=pl.String))
    direction = vectors.matrix[own].mean(axis=0, keepdims=True)
    found, _ = local.nearest(direction, count, [ban[ban >= 0].tolist()])
    return [str(local.words[int(row)]) for row in found[0] if row >= 0]
