"""How strongly each document speaks for the keywords: which and how many it holds, where, and how much else.

    strength(d) = sum over keywords k in d of  weight(k) place(k, d) log((n + 1) / (df(k) + 1/2)) / sqrt(df(k))
                  / (|d| + m + 1)

n documents, df(k) of them with the keyword k; |d| words in d, m in the median document; place is 2 where k is among the
first words of d (`opening`) and 1 elsewhere. A rare keyword tells more than a common one, but the documents of a
common one are not drowned; what a document says first is more likely what it is about; and of two documents with the
same keywords, the shorter one is more likely to be about them. A keyword that is denied ("not great") does not count.
So one rule serves where one document in two hundred holds a keyword, and where three in four do: there it is how many
different ones that counts.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from keysift.config import DEFAULT, LearnConfig
from keysift.keywords.expansion import keyword_document
from keysift.keywords.match import Matches


def strength(
    matches: Matches,
    left_out: Sequence[int] = (),
    weights: NDArray[np.float64] | None = None,
    config: LearnConfig = DEFAULT,
) -> NDArray[np.float64]:
    """The strength of each document, one on average over those that hold a term; zero where it holds none.

    Documents that hold only keywords which are `left_out` or denied have none. With `weights` a document stands for so
    many.

    >>> import polars as pl
    >>> from keysift.keywords.expansion import Keyword
    >>> from keysift.settings import Settings
    >>> from keysift.text.counts import count_words
    >>> from keysift.text.tokens import tokenize
    >>> tokens = tokenize(pl.Series(["hockey", "hockey and some more", "baseball hockey", "tax law"]))
    >>> keywords = [Keyword(word, (word,), 1.0, True, ()) for word in ("hockey", "baseball")]
    >>> matches = Matches.find(keywords, tokens, count_words(tokens), Settings())
    >>> strength(matches).round(2).tolist(), strength(matches, left_out=[0]).round(2).tolist()
    ([0.43, 0.24, 2.33, 0.0], [0.0, 0.0, 1.0, 0.0])
    """
    gone = set(left_out)
    stays = [keyword for place, keyword in enumerate(matches.keywords) if place not in gone]
    hidden = {matches.keywords[place].term for place in left_out}
    wanted = {
        term: times for term, times in keyword_document(stays, matches.settings.alpha).items() if term not in hidden
    }
    columns = [(place, wanted[term]) for place, term in enumerate(matches.terms) if term in wanted]
    if not columns:
        return np.zeros(len(matches.tokens))
    chosen = [place for place, _ in columns]
    held = matches.asserted(config.denied)[:, chosen] > 0
    first = matches.asserted(config.denied, config.opening)[:, chosen] > 0
    lengths = matches.tokens.lengths
    if weights is None:
        documents, total, median = np.asarray(held.sum(axis=0)).ravel(), float(len(lengths)), float(np.median(lengths))
    else:
        documents, total, median = np.asarray(weights @ held), float(weights.sum()), weighted_median(lengths, weights)
    documents = np.maximum(documents, 1)
    tells = np.log((total + 1) / (documents + 0.5)) / np.sqrt(documents)
    tells = np.maximum(tells, 1e-9) * np.array([times for _, times in columns])
    found = np.asarray(held @ tells + first @ tells) / (lengths + median + 1)
    # Every document with a term stands for as many as any other, so the mean is the same with weights.
    return np.asarray(found / found[found > 0].mean()) if (found > 0).any() else found


def weighted_median(values: NDArray[np.int64], weights: NDArray[np.float64]) -> float:
    """The median, where each value counts as often as its weight says.

    >>> weighted_median(np.array([3, 1, 2]), np.array([5.0, 1.0, 1.0]))
    3.0
    """
    order = np.argsort(values, kind="stable")
    upto = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(upto, upto[-1] / 2)])
