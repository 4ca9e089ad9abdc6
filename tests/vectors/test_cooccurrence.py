import itertools
import math
from collections import Counter

import numpy as np
import polars as pl
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from keysift.errors import InputError
from keysift.text.tokens import Tokens, as_documents, tokenize
from keysift.vectors import cooccurrence
from keysift.vectors.cooccurrence import learn_vectors
from keysift.vectors.words import WordVectors

DRINKS, CARS = ["tea", "milk", "wine"], ["truck", "bus", "van"]
SENTENCES = [f"she drinks warm {word} from the cup" for word in DRINKS] + [
    f"he drives a fast {word} on our road" for word in CARS
]


def learn(documents: list[str], seed: int = 0) -> WordVectors:
    return learn_vectors(tokenize(as_documents(documents)), np.random.default_rng(seed))


def cosine(vectors: WordVectors, a: str, b: str) -> float:
    x, y = vectors.matrix[vectors.rows(pl.Series([a, b]))]
    return float(x @ y / np.linalg.norm(x) / np.linalg.norm(y))


def test_repeatable_to_the_bit(texts: list[str]) -> None:
    assert learn(texts, 3).matrix.tobytes() == learn(texts, 3).matrix.tobytes()


@pytest.mark.parametrize("names", ["uvwxyz", "чайвшд", "茶乳酒車船機"])
def test_words_with_shared_contexts_are_near(names: str) -> None:
    renamed = dict(zip([*DRINKS, *CARS], names, strict=True))
    documents = [" ".join(renamed.get(word, word) for word in sentence.split()) for sentence in SENTENCES] * 6
    vectors = learn(documents)
    drinks, cars = [renamed[word] for word in DRINKS], [renamed[word] for word in CARS]
    same = [cosine(vectors, a, b) for group in (drinks, cars) for a, b in itertools.combinations(group, 2)]
    other = [cosine(vectors, a, b) for a, b in itertools.product(drinks, cars)]
    assert min(same) > 0.9
    assert max(other) < 0.1


def test_rare_words_are_left_out_unless_all_are_rare() -> None:
    pairs = ["red green", "blue grey", "pink brown"]
    vectors = learn(pairs * 5 + ["red once"])
    assert sorted(vectors.words) == ["blue", "brown", "green", "grey", "pink", "red"]
    assert vectors.words[0] == "red"
    assert len(learn(pairs).words) == 6


def test_size_is_limited(monkeypatch: pytest.MonkeyPatch, texts: list[str]) -> None:
    monkeypatch.setattr(cooccurrence, "MAX_WORDS", 12)
    monkeypatch.setattr(cooccurrence, "DIMENSIONS", 4)
    vectors = learn(texts)
    assert (vectors.name, len(vectors), vectors.matrix.shape) == ("corpus", 12, (12, 4))
    assert vectors.matrix.dtype == np.float32


@pytest.mark.parametrize(("documents", "count"), [(["", ""], 0), (["one one", "two"], 2)])
def test_too_small(documents: list[str], count: int) -> None:
    with pytest.raises(InputError, match=f"they contain only {count} different words; .* use vectors='glove-6b-50d'"):
        learn(documents)


def test_words_that_stand_alone_teach_nothing() -> None:
    with pytest.raises(InputError, match="no two words occur together"):
        learn(["tea", "bus", "van"])


def slow_near(documents: list[list[str]]) -> Counter[tuple[str, str]]:
    near: Counter[tuple[str, str]] = Counter()
    for document in documents:
        for (i, a), (j, b) in itertools.permutations(enumerate(document), 2):
            if abs(i - j) <= cooccurrence.WINDOW:
                near[a, b] += 1 - (abs(i - j) - 1) / cooccurrence.WINDOW  # type: ignore[assignment]
    return near


def slow_ppmi(near: Counter[tuple[str, str]]) -> dict[tuple[str, str], float]:
    total: Counter[str] = Counter()
    for (a, _), count in near.items():
        total[a] += count
    smoothed = {word: count**0.75 for word, count in total.items()}
    pmi = {
        (a, b): math.log((count / total[a]) / (smoothed[b] / sum(smoothed.values())) / cooccurrence.SHIFT)
        for (a, b), count in near.items()
    }
    return {pair: value for pair, value in pmi.items() if value > 1e-6}


def by_words(tokens: Tokens, matrix: sp.csr_array) -> dict[tuple[str, str], float]:
    pairs = matrix.tocoo()
    names = tokens.words.to_list()
    return {(names[a], names[b]): float(v) for a, b, v in zip(*pairs.coords, pairs.data, strict=True) if v > 1e-6}


@given(st.lists(st.lists(st.sampled_from("abcdef"), max_size=9), max_size=6))
def test_association_equals_the_slow_twin(documents: list[list[str]]) -> None:
    tokens = tokenize(as_documents([" ".join(document) for document in documents]))
    near = cooccurrence._near(tokens)
    expected = slow_near(documents)
    assert by_words(tokens, near) == pytest.approx(dict(expected), rel=1e-5)
    ppmi = by_words(tokens, cooccurrence._shifted_ppmi(near))
    slow = slow_ppmi(expected)
    assert {pair: ppmi.get(pair, 0.0) for pair in {*ppmi, *slow}} == pytest.approx(
        {pair: slow.get(pair, 0.0) for pair in {*ppmi, *slow}}, rel=1e-4, abs=1e-5
    )
