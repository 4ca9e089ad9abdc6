import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from keysift.networks.word_ids import WordIds, number_words
from keysift.text.tokens import tokenize

Lists = list[list[int]]
LISTS = st.lists(st.lists(st.integers(1, 4), max_size=6), max_size=6)


def word_ids(lists: Lists) -> WordIds:
    ids = np.array([word for words in lists for word in words], dtype=np.int64)
    return WordIds(ids, np.cumsum([0, *map(len, lists)]))


def as_lists(documents: WordIds) -> Lists:
    return [part.tolist() for part in np.split(documents.ids, documents.starts[1:-1])] if len(documents) else []


@given(LISTS)
def test_lengths(lists: Lists) -> None:
    assert len(word_ids(lists)) == len(lists)
    assert word_ids(lists).lengths.tolist() == list(map(len, lists))


@given(LISTS, st.data())
def test_padded_and_only_are_the_documents_asked_for(lists: Lists, data: st.DataObject) -> None:
    rows = data.draw(st.lists(st.integers(0, len(lists) - 1), max_size=8)) if lists else []
    chosen, asked = [lists[row] for row in rows], np.array(rows, dtype=np.int64)
    width = max([1, *map(len, chosen)])
    assert word_ids(lists).padded(asked).tolist() == [words + [0] * (width - len(words)) for words in chosen]
    only = word_ids(lists).take(asked)
    assert as_lists(only) == chosen
    assert only.starts.tolist() == word_ids(chosen).starts.tolist()


@given(LISTS)
def test_occlusions_leave_out_every_occurrence_of_each_word(lists: Lists) -> None:
    documents, words, rest = word_ids(lists).occlusions()
    expected = [(row, word) for row, held in enumerate(lists) for word in sorted(set(held))]
    assert list(zip(documents.tolist(), words.tolist(), strict=True)) == expected
    assert as_lists(rest) == [[other for other in lists[row] if other != word] for row, word in expected]


TEXTS = pl.Series(["The puck and the goal, a goal!", "", "the", "unknown goal"])
VOCABULARY = pl.Series(["goal", "puck", "the"])


@pytest.mark.parametrize(
    ("stop_words", "most", "expected"),
    [
        (set(), None, [[3, 2, 3, 1, 1], [], [3], [1]]),
        ({"the"}, None, [[2, 1, 1], [], [], [1]]),
        ({"the"}, 2, [[2, 1], [], [], [1]]),
        (set(), 1, [[3], [], [3], [1]]),
        ({"the", "goal", "puck"}, 3, [[], [], [], []]),
    ],
)
def test_words_are_numbered_from_one_and_cut_after_the_stop_words_have_gone(
    stop_words: set[str], most: int | None, expected: Lists
) -> None:
    assert as_lists(number_words(tokenize(TEXTS), VOCABULARY, stop_words, most)) == expected
