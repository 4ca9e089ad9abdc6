from collections.abc import Iterator

import pytest

from tests.views.corpora import load_short_pieces


@pytest.fixture(scope="package", autouse=True)
def short_pieces() -> Iterator[None]:
    """So that many small corpora are read quickly."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("keysift.views.means.load_pieces", load_short_pieces)
        yield
