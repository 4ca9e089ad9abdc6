"""Six short documents, one of them empty, and vectors of four words."""

from typing import Any

import numpy as np
import polars as pl

from keysift.config import DEFAULT, LearnConfig
from keysift.features.prepared import Prepared
from keysift.keywords.match import Matches
from keysift.pipeline import match, prepare
from keysift.settings import Settings
from keysift.vectors.words import WordVectors

TEXTS = [
    "the goalie saved the hockey game",
    "a baseball season of home runs",
    "parliament passed the tax law",
    "Ice hockey, ice HOCKEY and baseball",
    "the court heard the case",
    "",
]
VECTORS = WordVectors(
    "few", pl.Series("word", ["hockey", "baseball", "goalie", "law"]), np.array([[1, 0.5], [0.4, 1], [1, 0.4], [-1, 0]])
)


def prepared_six(
    texts: list[str] = TEXTS, *, encoder: Any = None, learning: LearnConfig = DEFAULT, **settings: Any
) -> Prepared:
    """The documents made ready for the view of words."""
    return prepare(
        texts, vectors=VECTORS, views="words", encoder=encoder, settings=Settings(**settings), learning=learning
    )


def matched_six(keywords: Any, **settings: Any) -> Matches:
    """Where the keywords occur in them."""
    return match(prepared_six(**settings), keywords)
