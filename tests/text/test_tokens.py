import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from keysift.errors import InputError, KeysiftWarning, SettingError
from keysift.text import counts, tokens
from keysift.text.counts import Term, count_terms, count_words, recolumn, split_terms
from keysift.text.scripts import SPACELESS, spelled
from keysift.text.tokens import Tokens, as_documents, index_of, tokenize
from keysift.text.vocabulary import align, locate

# Python and Rust agree on what these are and on their lower case.
LETTERS = "abXYZéÉñçüÅßαΒΓσΣωжЖяЩ日本語の東京人々酒ไทยກမក"
DOCUMENT = st.text(LETTERS + "0189_.,;!?-'’ \t\n\u0301", max_size=40)
SMALL_WORDS = st.sampled_from(["a", "b", "c", "d"])
SMALL_DOCUMENTS = st.lists(st.lists(SMALL_WORDS, max_size=8).map(" ".join), max_size=6)
TERMS = st.lists(st.lists(st.sampled_from("abcdx"), min_size=1, max_size=3).map(tuple), unique=True, max_size=6)


def tokens_of(documents: Iterable[str], **options: Any) -> Tokens:
    return tokenize(as_documents(documents), **options)


def lists(tokens: Tokens) -> list[list[str]]:
    """The tokens of each document, spelled out."""
    words = tokens.words.to_list()
    return [
        [words[code] for code in tokens.codes[start:stop]]
        for start, stop in zip(tokens.starts, tokens.starts[1:], strict=False)
    ]


def slow_words(document: str) -> list[str]:
    # To Rust, a combining accent that could not be composed is part of a word.
    words = re.findall(r"[\w\u0301]+", unicodedata.normalize("NFC", document).lower())
    return [token for word in words for token in slow_pairs(word)]


def slow_pairs(word: str) -> list[str]:
    """Character by character: those without spaces alone and in pairs, all others together."""
    tokens: list[str] = []
    before = ""
    for character in word:
        spaceless = SPACELESS.match(character) is not None
        if spaceless and before and SPACELESS.match(before):
            tokens += [before + character, character]
        elif spaceless or not before or SPACELESS.match(before):
            tokens.append(character)
        else:
            tokens[-1] += character
        before = character
    return tokens


@given(st.lists(DOCUMENT, max_size=8))
def test_tokens_equal_the_slow_twin(documents: list[str]) -> None:
    tokens = tokens_of(documents)
    assert lists(tokens) == [slow_words(document) for document in documents]
    assert tokens.words.n_unique() == len(tokens.words)
    assert len(tokens) == len(documents)
    assert tokens.lengths.tolist() == [len(words) for words in lists(tokens)]
    assert tokens.owners.tolist() == [row for row, words in enumerate(lists(tokens)) for _ in words]


@given(st.lists(DOCUMENT, max_size=8), st.integers(1, 60))
def test_batches_change_nothing(documents: list[str], size: int) -> None:
    whole = tokens_of(documents)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tokens, "BATCH_BYTES", size)
        parts = tokens_of(documents)
    assert parts.words.equals(whole.words)
    assert parts.codes.tolist() == whole.codes.tolist()
    assert parts.starts.tolist() == whole.starts.tolist()


@given(SMALL_DOCUMENTS, st.integers(1, 5))
def test_counts_do_not_depend_on_how_many_are_counted_at_a_time(documents: list[str], span: int) -> None:
    tokens = tokens_of(documents)
    whole = count_words(tokens)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counts, "SPAN", span)
        parts = count_words(tokens)
    assert parts.shape == whole.shape
    assert parts.dtype == np.float32
    assert parts.indices.dtype == np.int32
    for name in ("data", "indices", "indptr"):
        assert getattr(parts, name).tolist() == getattr(whole, name).tolist()


def test_progress_ends_at_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "BATCH_BYTES", 5)
    seen: list[float] = []
    tokens_of(["one two", "three", "", "four five"], progress=seen.append)
    assert len(seen) > 1
    assert seen == sorted(seen)
    assert seen[-1] == 1.0


@pytest.mark.parametrize("documents", [[], [""], ["", " ", "...", "\n\t"]])
def test_documents_without_words(documents: list[str]) -> None:
    seen: list[float] = []
    tokens = tokens_of(documents, progress=seen.append)
    assert lists(tokens) == [[] for _ in documents]
    assert count_words(tokens).shape == (len(documents), 0)
    assert count_terms(tokens, [("a",), ("a", "b")]).toarray().tolist() == [[0.0, 0.0] for _ in documents]


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ("酒店很好", "酒 酒店 店 店很 很 很好 好"),
        ("酒店,很 好", "酒 酒店 店 很 好"),
        ("iPhone手机壳 good", "iphone 手 手机 机 机壳 壳 good"),
        ("第2名_a", "第 2 名 _a"),
        ("人々", "人 人々 々"),
        ("한국어 텍스트", "한국어 텍스트"),
    ],
)
def test_text_without_spaces_becomes_characters_and_pairs(document: str, expected: str) -> None:
    assert lists(tokens_of(["a b", document, ""])) == [["a", "b"], expected.split(), []]


@given(st.lists(st.text("酒店很好a ,", max_size=10), max_size=6), st.text("酒店很好", min_size=1, max_size=4))
def test_a_keyword_without_spaces_is_found_as_a_substring(documents: list[str], keyword: str) -> None:
    (term,) = split_terms([keyword])
    assert spelled(term) == keyword
    found = count_terms(tokens_of(documents), [term]).toarray().ravel().tolist()
    assert found == [sum(document.startswith(keyword, at) for at in range(len(document))) for document in documents]


def test_a_word_is_cut_before_anything_reads_it() -> None:
    tokens = tokens_of(["ho" + "x" * 5_000_000, "ho" + "x" * 198, "a hockey game"])
    assert tokens.words.str.len_chars().to_list() == [200, 1, 6, 4]
    assert lists(tokens)[0] == lists(tokens)[1]


def test_a_word_is_cut_whatever_stands_beside_it() -> None:
    beside = ["", "酒店", "é", "’"]
    assert [lists(tokens_of(["x" * 300 + " " + other]))[0][0] for other in beside] == ["x" * 200] * 4


@pytest.mark.parametrize("other", ["café", "don’t", "❤️ ok", "“quoted”", "naïve—or not", "酒", "a\u0338b", "←\u0338 b"])
def test_ascii_and_other_documents_keep_their_order(other: str) -> None:
    documents = ["A_b 9, a", other, "", "b " + other + " a", "last A"]
    tokens = tokens_of(documents)
    alone = [lists(tokens_of([document]))[0] for document in documents]
    assert lists(tokens) == alone
    assert tokens.words.to_list() == list(dict.fromkeys(word for words in alone for word in words))


def test_composed_and_decomposed_letters_are_one_word() -> None:
    assert tokens_of(["Café", "cafe\u0301"]).words.to_list() == ["café"]


@pytest.mark.parametrize("tokenizer", [list, str, iter, lambda document: (c for c in document)])
def test_own_tokenizer(tokenizer: tokens.Tokenizer) -> None:
    assert lists(tokens_of(["Ab", "", "b"], tokenizer=tokenizer)) == [["A", "b"], [], ["b"]]


@pytest.mark.parametrize("rubbish", [None, 5, [1], ["a", 1], [None], ["a", None], [["a"]], [b"a"]])
def test_tokenizer_that_returns_rubbish(rubbish: Any) -> None:
    with pytest.raises(SettingError, match="tokenizer must return an iterable of str"):
        tokens_of(["one", "two"], tokenizer=lambda _: rubbish)


@given(SMALL_DOCUMENTS)
def test_word_counts(documents: list[str]) -> None:
    tokens = tokens_of(documents)
    before = tokens.codes.tolist(), tokens.starts.tolist(), tokens.words.to_list()
    counts = count_words(tokens)
    assert (tokens.codes.tolist(), tokens.starts.tolist(), tokens.words.to_list()) == before
    assert counts.has_canonical_format
    expected = [[Counter(document.split())[word] for word in tokens.words] for document in documents]
    assert counts.toarray().tolist() == expected


def slow_count(document: list[str], term: Term) -> int:
    return sum(tuple(document[place : place + len(term)]) == term for place in range(len(document)))


@given(SMALL_DOCUMENTS, TERMS)
def test_term_counts(documents: list[str], terms: list[Term]) -> None:
    counts = count_terms(tokens_of(documents), terms)
    assert counts.shape == (len(documents), len(terms))
    assert counts.toarray().tolist() == [[slow_count(d.split(), term) for term in terms] for d in documents]


def test_phrases_overlap_but_stay_in_their_document() -> None:
    tokens = tokens_of(["a a a b", "b a", "a"])
    assert count_terms(tokens, [("a", "a"), ("a", "b"), ("b", "a"), ("a", "x")]).toarray().tolist() == [
        [2.0, 1.0, 0.0, 0.0],
        [0.0, 0.0, 1.0, 0.0],
        [0.0, 0.0, 0.0, 0.0],
    ]


@given(st.lists(SMALL_WORDS), st.lists(st.sampled_from("abcdxy"), unique=True))
def test_locate(words: list[str], vocabulary: list[str]) -> None:
    rows = locate(pl.Series(words, dtype=pl.String), pl.Series(vocabulary, dtype=pl.String))
    assert rows.tolist() == [vocabulary.index(word) if word in vocabulary else -1 for word in words]


@given(SMALL_DOCUMENTS, st.lists(st.sampled_from("abcdxy"), unique=True))
def test_align(documents: list[str], vocabulary: list[str]) -> None:
    aligned = align(tokens_of(documents), pl.Series(vocabulary, dtype=pl.String))
    assert aligned.words.to_list() == vocabulary
    assert lists(aligned) == [[word for word in document.split() if word in vocabulary] for document in documents]


@pytest.mark.parametrize(
    "documents",
    [
        ["a", "", "b"],
        (document for document in ("a", "", "b")),
        np.array(["a", "", "b"]),
        np.array(["a", "", "b"], dtype=object),
        pl.Series("body", ["a", "", "b"]),
        pl.Series(["a", "", "b"], dtype=pl.Categorical),
        dict.fromkeys(["a", "", "b"]).keys(),
    ],
)
def test_documents_of_many_kinds(documents: object) -> None:
    series = as_documents(documents)
    assert series.to_list() == ["a", "", "b"]
    assert series.name == "text"
    assert series.dtype == pl.String


@pytest.mark.parametrize(
    "documents",
    [
        ("a", None, None),
        (document for document in ("a", float("nan"), None)),
        np.array(["a", None, np.nan], dtype=object),
        pl.Series("body", ["a", None, None]),
    ],
)
def test_missing_documents_are_counted_and_empty(documents: object) -> None:
    with pytest.warns(
        KeysiftWarning, match=r"^2 of 3 documents are missing \(None or NaN\) and count as empty\.$"
    ) as said:
        assert as_documents(documents).to_list() == ["a", "", ""]
    assert len(said) == 1


@pytest.mark.parametrize("dtype", ["string", "object", "category", "list"])
@pytest.mark.parametrize("missing", [None, "NA", "NaT"])
def test_what_pandas_leaves_missing_is_missing(dtype: str, missing: str | None) -> None:
    pd = pytest.importorskip("pandas")
    values = ["a", None if missing is None else getattr(pd, missing), float("nan")]
    with pytest.warns(KeysiftWarning, match=r"^2 of 3 documents are missing"):
        assert as_documents(values if dtype == "list" else pd.Series(values, dtype=dtype)).to_list() == ["a", "", ""]


@pytest.mark.parametrize("make", [pl.DataFrame, lambda columns: pytest.importorskip("pandas").DataFrame(columns)])
def test_a_table_asks_for_a_column(make: Callable[[dict[str, list[str]]], object]) -> None:
    with pytest.raises(
        InputError, match=r"got a table with the columns 'id', 'text': .* example documents\['text'\]\."
    ):
        as_documents(make({"id": ["1"], "text": ["a goal"]}))
    with pytest.raises(InputError, match=r"got a table with the columns 'body': .* example documents\['body'\]\."):
        as_documents(make({"body": ["a goal"]}))


def test_names_of_documents_are_no_documents() -> None:
    with pytest.raises(InputError, match="got a LazyFrame: collect it"):
        as_documents(pl.LazyFrame({"text": ["a"]}))
    with pytest.raises(InputError, match="got dict: hand in its values"):
        as_documents({"a": "a goal"})


@pytest.mark.parametrize(
    ("index", "expected"),
    [([7, 3], [7, 3]), (["x", "y"], ["x", "y"]), ([0, 1], None), ([0, "b"], ["0", "b"]), ([1, 0], [1, 0])],
)
def test_the_index_of_a_series(index: list[Any], expected: list[Any] | None) -> None:
    pandas = pytest.importorskip("pandas")
    found = index_of(pandas.Series(["a goal", "rain"], index=index))
    assert (found if found is None else found.to_list()) == expected
    assert index_of(pl.Series(["a goal"])) is None


def test_half_a_character_does_no_harm() -> None:
    assert as_documents(["cut \ud800 off", ""]).to_list() == ["cut ? off", ""]


@pytest.mark.parametrize("nothing", [[], (), pl.Series([], dtype=pl.String), pl.Series([]), np.array([], dtype=str)])
def test_no_documents(nothing: object) -> None:
    assert as_documents(nothing).to_list() == []


@pytest.mark.parametrize(
    ("documents", "message"),
    [
        ("one tokens", "got str. Put a single document into a list"),
        (5, "got int"),
        (None, "got NoneType"),
        (["a", 5], "document 1 is int: 5"),
        (["a", b"b"], "document 1 is bytes"),
        (["a", 1.5], "document 1 is float"),
        ([["a"]], "document 0 is list"),
        (pl.Series([1, 2]), "got a series of Int64"),
    ],
)
def test_documents_that_are_none(documents: object, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        as_documents(documents)


def test_split_terms() -> None:
    assert split_terms(["New  York", "R&D", "...", "été"]) == [("new", "york"), ("r", "d"), (), ("été",)]
    assert split_terms(["ab"], tokenizer=list) == [("a", "b")]
    assert split_terms([]) == []


@given(SMALL_DOCUMENTS, st.lists(st.sampled_from("abcdxy"), unique=True))
def test_recolumn_is_counting_after_align(documents: list[str], vocabulary: list[str]) -> None:
    tokens, words = tokens_of(documents), pl.Series(vocabulary, dtype=pl.String)
    moved = recolumn(count_words(tokens), locate(tokens.words, words), len(words))
    expected = count_words(align(tokens, words))
    assert moved.toarray().tolist() == expected.toarray().tolist()
    assert moved.has_sorted_indices
