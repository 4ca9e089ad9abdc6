import numpy as np
import pytest

from keysift.vectors.glove import load_glove
from keysift.vectors.words import WordVectors


@pytest.fixture(scope="module")
def glove() -> WordVectors:
    return load_glove()


def test_shape_and_mapping(glove: WordVectors) -> None:
    assert glove.name == "glove-6b-50d"
    assert glove.matrix.shape == (400_000, 50)
    assert len(glove) == glove.words.n_unique() == 400_000
    assert isinstance(glove.matrix, np.memmap)  # mapped, not loaded
    assert glove.matrix.dtype == np.float32


def test_neighbours(glove: WordVectors) -> None:
    row = glove.words.to_list().index("hockey")
    rows, cosines = glove.nearest(glove.matrix[[row]], 5, [[row]])
    near = glove.words.gather(rows[0]).to_list()
    assert near[:3] == ["basketball", "football", "soccer"]
    assert (np.diff(cosines[0]) <= 0).all()
