import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from keysift.errors import SettingError
from keysift.review.duplicates import fewest_words, groups
from keysift.text.tokens import tokenize


def shingles(text: str) -> set[tuple[str, ...]]:
    tokens = tokenize(pl.Series([text]))
    words = ["", "", *tokens.words.gather(tokens.codes).to_list(), "", ""]
    return set(zip(words, words[1:], words[2:], strict=False))


def slowly(texts: list[str], similarity: float) -> tuple[list[int], NDArray[np.bool_]]:
    """The first members, each compared with all before it, and which pairs are alike."""
    plain = [" ".join(text.lower().split()) for text in texts]
    sets = [shingles(text) for text in texts]
    long = [len(tokenize(pl.Series([text])).codes) >= fewest_words(similarity) for text in texts]
    alike = np.eye(len(texts), dtype=bool)
    for i in range(len(texts)):
        for j in range(i):
            near = len(sets[i] & sets[j]) / max(1, len(sets[i] | sets[j])) >= similarity
            alike[i, j] = plain[i] == plain[j] or (long[i] and long[j] and near)
    first: list[int] = []
    for i in range(len(texts)):
        if not alike[i, first].any():
            first.append(i)
    return first, alike


def changed(words: list[str], rng: np.random.Generator, changes: int) -> str:
    words = list(words)
    for _ in range(changes):
        words[rng.integers(len(words))] = f"other{rng.integers(1000)}"
    return " ".join(words)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000), similarity=st.sampled_from([0.6, 0.8, 0.9, 0.95]))
def test_the_same_as_comparing_all_pairs(seed: int, similarity: float) -> None:
    rng = np.random.default_rng(seed)
    stems = [[f"w{rng.integers(300)}" for _ in range(int(rng.integers(5, 200)))] for _ in range(3)]
    texts = [changed(stems[rng.integers(3)], rng, int(rng.integers(0, 8))) for _ in range(25)]
    texts += [text.upper().replace(" ", " \n") for text in texts[:5]]
    first, alike = slowly(texts, similarity)
    found = groups(pl.Series(texts), similarity)
    assert np.unique(found).tolist() == first
    assert all(alike[i, leader] for i, leader in enumerate(found) if texts[i].lower().split() != texts[leader].split())


def test_a_chain_does_not_join_its_ends() -> None:
    words = [f"w{i}" for i in range(200)]

    def other(*runs: range) -> str:
        gone = {place for run in runs for place in run}
        return " ".join(f"x{i}" if i in gone else word for i, word in enumerate(words))

    chain = [other(), other(range(3)), other(range(3), range(100, 103))]
    assert groups(pl.Series(chain)).tolist() == [0, 0, 2]
    assert groups(pl.Series(chain[1:])).tolist() == [0, 0]


@pytest.mark.parametrize(
    ("one", "another"),
    [
        ("he is guilty", "he is not guilty"),
        ("great :)", "great :("),
        ("the flood hit town A", "the flood hit town B"),
        ("酒店很好", "酒店不好"),
        ("房间很大很干净，服务员也很热情，下次还会再来住的", "房间很大不干净，服务员也很热情，下次还会再来住的"),
        (" ".join(f"w{i}" for i in range(114)), " ".join(f"w{i}" for i in range(113)) + " other"),
        ("!!!", "???"),
        ("", "a"),
    ],
)
def test_short_texts_have_to_be_the_same(one: str, another: str) -> None:
    assert groups(pl.Series([one, another])).tolist() == [0, 1]


@pytest.mark.parametrize(
    ("one", "another"),
    [
        ("Call  me\nnow", " call me NOW"),
        ("酒店 很好", "酒店\t很好"),
        ("café", "cafe\u0301"),
        ("", "  \n"),
        (" ".join(f"w{i}" for i in range(150)), " ".join(f"w{i}" for i in range(149)) + " other"),
        ("".join(map(chr, range(0x4E00, 0x4E80))), "".join(map(chr, range(0x4E00, 0x4E7F)))),
    ],
)
def test_the_same_or_nearly(one: str, another: str) -> None:
    assert groups(pl.Series([one, "of another kind", another])).tolist() == [0, 1, 0]


def test_the_extremes() -> None:
    assert groups(pl.Series([], dtype=pl.String)).tolist() == []
    assert groups(pl.Series(["one"])).tolist() == [0]
    assert groups(pl.Series(["same"] * 1000)).tolist() == [0] * 1000
    assert groups(pl.Series([None, "a", None, ""])).tolist() == [0, 1, 0, 0]
    long = " ".join(f"w{i}" for i in range(300))
    assert groups(pl.Series([f"{long} {i}" for i in range(500)])).tolist() == [0] * 500
    assert groups(pl.Series([long, f"{long} x"]), similarity=1.0).tolist() == [0, 1]


def test_a_group_is_named_by_its_first_member() -> None:
    rng = np.random.default_rng(0)
    stem = [f"w{i}" for i in range(200)]
    texts = ["a", *(changed(stem, rng, 1) for _ in range(30)), "A", "b"]
    found = groups(pl.Series(texts))
    assert (found <= np.arange(len(texts))).all()
    assert (found[found] == found).all()
    assert found.tolist() == groups(pl.Series(texts)).tolist()


@pytest.mark.parametrize("similarity", [0, -1, 1.1, float("nan"), "much"])
def test_a_similarity_that_cannot_be(similarity: float) -> None:
    with pytest.raises(SettingError, match=r"^similarity must be above 0 and at most 1, like 0\.95; got "):
        groups(pl.Series(["a"]), similarity)
