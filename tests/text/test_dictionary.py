import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from keysift.text import dictionary
from keysift.text.dictionary import Cut, Dictionary

# Words that begin alike, words of 7 to 17 bytes, where other bytes are looked at, and what no text holds but a
# tokenizer may give.
WORDS = st.one_of(
    st.text("ab\0é日", max_size=3),
    st.integers(6, 18).flatmap(lambda size: st.sampled_from([size * "x", (size - 1) * "x" + "y", size * "x" + "\0"])),
    st.text(max_size=40),
)


def cut(words: list[str], apart: bytes = b"") -> Cut:
    encoded = [word.encode("utf-8", "replace") for word in words]
    starts = [sum(len(word) + len(apart) for word in encoded[:place]) for place in range(len(encoded))]
    lengths = [len(word) for word in encoded]
    return Cut(apart.join(encoded), np.array(starts, dtype=np.int64), np.array(lengths, dtype=np.int64))


def slow_numbers(words: list[str]) -> tuple[list[int], list[str]]:
    """The same word by word."""
    known: dict[str, int] = {}
    return [known.setdefault(word, len(known)) for word in words], list(known)


@given(st.lists(st.lists(WORDS, max_size=20), max_size=4), st.integers(1, 8), st.sampled_from([b"", b"\0", b" "]))
def test_numbers_equal_the_slow_twin(batches: list[list[str]], at_once: int, apart: bytes) -> None:
    batches = [[word.encode("utf-8", "replace").decode() for word in batch] for batch in batches]
    numbers, words = slow_numbers([word for batch in batches for word in batch])
    known = Dictionary()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dictionary, "AT_ONCE", at_once)
        found = [code for batch in batches for code in known.number(cut(batch, apart)).tolist()]
    assert found == numbers
    assert known.words.to_list() == words


@given(st.lists(WORDS, max_size=20), st.lists(WORDS, max_size=20), st.integers(1, 8), st.booleans())
def test_looking_up_equals_the_slow_twin(seen: list[str], asked: list[str], at_once: int, crowded: bool) -> None:
    seen, asked = ([word.encode("utf-8", "replace").decode() for word in words] for words in (seen, asked))
    words, known = slow_numbers(seen)[1], Dictionary()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dictionary, "AT_ONCE", at_once)
        if crowded:  # every word begins at the same slot, the last one but one
            patch.setattr(Dictionary, "_slots", lambda self, low, high: np.full(len(low), len(self._codes) - 2))
        known.number(cut(seen))
        found = known.look_up(cut(asked + seen))
    assert found.tolist() == [words.index(word) if word in words else -1 for word in asked + seen]
    assert known.words.to_list() == words


def test_the_table_grows_and_every_word_keeps_its_number() -> None:
    rng = np.random.default_rng(0)
    words = [f"w{number}" for number in rng.integers(0, 300_000, 400_000)]
    lengths = np.array([len(word) for word in words])
    text = Cut("".join(words).encode(), np.cumsum(lengths) - lengths, lengths)
    known = Dictionary()
    first = known.number(text)
    numbers, distinct = slow_numbers(words)
    assert first.tolist() == numbers
    assert known.words.to_list() == distinct
    assert np.array_equal(known.number(text), first)
    assert len(known.words) == len(distinct)


def test_words_that_all_want_the_same_slot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Dictionary, "_slots", lambda self, low, high: np.full(len(low), len(self._codes) - 2))
    words = ["a", "b", "a", "c", "d", "b", "a"]
    known = Dictionary()
    assert known.number(cut(words)).tolist() == [0, 1, 0, 2, 3, 1, 0]
    assert known.number(cut(["d", "e", "a"])).tolist() == [3, 4, 0]
