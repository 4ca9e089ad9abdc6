from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from keysift.vectors.tokens import load_pieces

PIECE_LENGTH = 16


@pytest.fixture(scope="package", autouse=True)
def short_pieces() -> Iterator[None]:
    """Vectors of word pieces with their first numbers only, so that many small corpora are read quickly."""
    whole = load_pieces()
    short = replace(whole, matrix=np.array(whole.matrix[:, :PIECE_LENGTH]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("keysift.views.means.load_pieces", lambda: short)
        yield
