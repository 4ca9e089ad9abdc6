"""Where word vectors come from: a table of names and the functions that make them.

A path to a GloVe or word2vec text file works in place of a name.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from keysift.errors import SettingError
from keysift.text.tokens import Tokens
from keysift.vectors.cooccurrence import learn_vectors
from keysift.vectors.glove import load_glove
from keysift.vectors.textfile import TEXT_FILE_SUFFIXES, read_text_file
from keysift.vectors.words import WordVectors

Source = Callable[[Tokens, np.random.Generator], WordVectors]
"""From the corpus (which only some sources look at) to word vectors."""
SOURCES: dict[str, Source] = {
    "glove-6b-50d": lambda tokens, rng: load_glove(),
    "corpus": learn_vectors,
}


def get_vectors(
    vectors: str | Path | WordVectors, tokens: Tokens, rng: np.random.Generator | None = None
) -> WordVectors:
    """Word vectors by name, from a text file, or as given.

    >>> import polars as pl
    >>> from keysift.text.tokens import tokenize
    >>> get_vectors("glove-6b-50d", tokenize(pl.Series(["any text"]))).matrix.shape
    (400000, 50)
    """
    check_vectors(vectors)
    if isinstance(vectors, WordVectors):
        return vectors
    if isinstance(vectors, str) and vectors in SOURCES:
        return SOURCES[vectors](tokens, np.random.default_rng(0) if rng is None else rng)
    return read_text_file(vectors)


def check_vectors(vectors: str | Path | WordVectors) -> None:
    """Refuse what can be no word vectors, before the long work.

    >>> check_vectors("corpus")
    """
    if isinstance(vectors, WordVectors) or (isinstance(vectors, str) and vectors in SOURCES) or _is_file(vectors):
        return
    if str(vectors).lower().endswith(TEXT_FILE_SUFFIXES):
        read_text_file(vectors)  # says that there is no such file
    raise SettingError(
        f"vectors must be one of {', '.join(SOURCES)}, or the path of a GloVe or word2vec text file"
        f" ({', '.join(TEXT_FILE_SUFFIXES)}); got {str(vectors)!r}."
    )


def _is_file(name: str | Path) -> bool:
    try:
        return Path(name).is_file()
    except (OSError, TypeError):  # too long for a file name, or not a name at all
        return False
