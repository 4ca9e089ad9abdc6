import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from keysift.errors import InputError, SettingError
from keysift.text.tokens import tokenize
from keysift.vectors.cooccurrence import learn_vectors
from keysift.vectors.sources import SOURCES, get_vectors
from keysift.vectors.words import WordVectors

TOKENS = tokenize(pl.Series(["red green", "blue grey", "pink brown"]))


def test_by_name() -> None:
    assert set(SOURCES) == {"glove-6b-50d", "corpus"}
    assert len(get_vectors("glove-6b-50d", TOKENS)) == 400_000
    learned = get_vectors("corpus", TOKENS, np.random.default_rng(5))
    assert learned.matrix.tobytes() == learn_vectors(TOKENS, np.random.default_rng(5)).matrix.tobytes()
    assert get_vectors("corpus", TOKENS).words.to_list() == learned.words.to_list()


def test_as_they_are() -> None:
    vectors = WordVectors("mine", pl.Series(["a"]), np.ones((1, 2), dtype=np.float32))
    assert get_vectors(vectors, TOKENS) is vectors


@pytest.mark.parametrize("name", ["a.txt", "a.odd", "noending"])
def test_from_a_file(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text("red 1 2\n")
    for form in (path, str(path)):
        assert get_vectors(form, TOKENS).words.to_list() == ["red"]


def test_a_missing_file() -> None:
    with pytest.raises(InputError, match="there is no such file"):
        get_vectors("nowhere/vectors.VEC.gz", TOKENS)


def test_an_unknown_name_lists_the_names(tmp_path: Path) -> None:
    for unknown in ("glove", tmp_path):
        with pytest.raises(
            SettingError, match="one of glove-6b-50d, corpus, or.*" + re.escape(f"got {str(unknown)!r}")
        ):
            get_vectors(unknown, TOKENS)
