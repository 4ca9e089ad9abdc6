from collections.abc import Iterator

import pytest

from keysift.features import means
from tests.features.corpora import load_short_pieces


@pytest.fixture(scope="module", autouse=True)
def short_pieces() -> Iterator[None]:
    """So that many small corpora are read quickly."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(means, "load_pieces", load_short_pieces)
        means._common.cache_clear()  # words that were spelled in other pieces
        yield
    means._common.cache_clear()
