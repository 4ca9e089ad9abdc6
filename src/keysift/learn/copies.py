"""Copies of the documents with a keyword: the keywords masked, and the keywords negated.

Masked copies show whether a ranking finds documents without reading the very words it was told. Negated copies show a
sentence encoder the opposite of the keywords.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.features.prepared import Prepared, Progress
from keysift.features.view import Documents
from keysift.keywords.match import Matches
from keysift.learn.negation import NegatedCopies
from keysift.text.counts import Term, recolumn
from keysift.text.tokens import Tokens

PATTERNS = 100
"""Keywords looked for at once: a pattern of too many phrases grows too large."""


@dataclass(frozen=True, eq=False)
class Copies:
    """Copies of the documents that hold a keyword, in their order."""

    masked: Documents
    negated: NegatedCopies | None = None
    """Of some of them, where an encoder can read changed texts."""


def make_copies(prepared: Prepared, matches: Matches, progress: Progress) -> Copies:
    """Mask the keywords in every document that holds one; with an encoder, negate them in some.

    Vectors that were handed in cannot be made again, so the copies keep them.
    """
    rows, terms = matches.holders, matches.own_terms
    vectors = prepared.documents().vectors
    masked = mask_words(prepared.tokens, prepared.counts[rows], terms)
    if vectors is None or not len(rows):
        return Copies(Documents(masked, None if vectors is None else vectors[rows]))
    texts, negation = prepared.texts.gather(rows), prepared.config.negation.strip().replace("$", "$$")
    most = prepared.config.most_negated if negation else 0
    some = np.unique(np.linspace(0, len(rows) - 1, min(len(rows), most)).astype(int))
    negated = replaced(texts.gather(some), terms, f"{negation} $0")
    changed = (negated != texts.gather(some)).to_numpy()  # plain words do not find every keyword
    some, negated = some[changed], negated.filter(pl.Series(changed))
    encoded = prepared.encode(pl.concat([replaced(texts, terms, ""), negated]), progress)
    if encoded is None:
        return Copies(Documents(masked, vectors[rows]))
    copies = Documents(masked, encoded[: len(rows)])
    if not len(some):
        return Copies(copies)
    counts = prepared.counts[rows[some]]
    three = (vectors[rows[some]], encoded[len(rows) :], encoded[some])
    return Copies(copies, NegatedCopies(some, *(Documents(counts, one) for one in three)))


def mask_words(tokens: Tokens, counts: sp.csr_array, terms: Sequence[Term]) -> sp.csr_array:
    """The counts without every word of some terms.

    >>> from keysift.text.counts import count_words
    >>> from keysift.text.tokens import tokenize
    >>> tokens = tokenize(pl.Series(["ice hockey and more ice"]))
    >>> mask_words(tokens, count_words(tokens), [("ice", "hockey")]).toarray().tolist()
    [[0.0, 0.0, 1.0, 1.0]]
    """
    words = {word for term in terms for word in term}
    kept: NDArray[np.int64] = np.where(tokens.words.is_in(list(words)).to_numpy(), -1, np.arange(len(tokens.words)))
    return recolumn(counts, kept, len(kept))


def replaced(texts: pl.Series, terms: Sequence[Term], by: str) -> pl.Series:
    """The texts with `by` in place of every keyword that plain words can find; `$0` in it stands for the keyword.

    >>> replaced(pl.Series(["Ice-hockey, and more ice."]), [("ice", "hockey")], "").to_list()
    [', and more ice.']
    >>> replaced(pl.Series(["Good, but good?"]), [("good",)], "not $0").to_list()
    ['not Good, but not good?']
    """
    patterns = [r"\b" + r"\W+".join(map(re.escape, term)) + r"\b" for term in sorted(terms, key=len)[::-1]]
    for start in range(0, len(patterns), PATTERNS):
        texts = texts.str.replace_all(f"(?i){'|'.join(patterns[start : start + PATTERNS])}", by)
    return texts
