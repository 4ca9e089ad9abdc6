"""The documents that are open."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from keysift.corpus.columns import Columns
from keysift.corpus.documents import Corpus
from keysift.features.prepared import Prepared
from keysift.text.languages import NAMES


@dataclass(frozen=True, eq=False)
class Opened:
    """Documents that are ready."""

    path: Path
    corpus: Corpus
    prepared: Prepared
    numbers: NDArray[np.int64]
    """Of the documents in the project."""
    groups: NDArray[np.int64]
    """Documents that say the same have the same one."""

    @property
    def columns(self) -> Columns:
        """Those that texts and ids are from."""
        return self.corpus.read_from or Columns((str(self.corpus.texts.name),), None)

    @property
    def language(self) -> str:
        """In words; empty where it is not known."""
        return NAMES.get(self.prepared.settings.language, "")

    @cached_property
    def letters(self) -> pl.Series:
        """The texts and ids in small letters, to be searched."""
        return (self.corpus.ids.cast(pl.String).fill_null("") + "\n" + self.corpus.texts).str.to_lowercase()
