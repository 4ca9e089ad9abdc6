"""Documents to tokens to sparse counts, with no Python loop over words."""

import itertools
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.errors import InputError, SettingError

__all__ = [
    "SPACELESS",
    "Term",
    "Tokenizer",
    "Tokens",
    "align",
    "as_documents",
    "count_terms",
    "count_words",
    "locate",
    "recolumn",
    "split_terms",
    "stop_word_set",
    "tokenize",
]

Tokenizer = Callable[[str], Iterable[str]]
"""From one document to its tokens, in order."""

Term = tuple[str, ...]
"""One word, or the words of a phrase."""

WORD = r"\w+"
SPACELESS = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
"""Thai, Lao, Burmese, Khmer, Japanese and Chinese, which put no spaces between words."""
BATCH_BYTES = 4_000_000
"""Documents are tokenised in batches of about this size, so that memory stays bounded."""


@dataclass(frozen=True)
class Tokens:
    """Every token of every document, as a number.

    The tokens of document i are `words[codes[starts[i]:starts[i + 1]]]`.
    """

    codes: NDArray[np.int32]
    starts: NDArray[np.int64]
    words: pl.Series

    @property
    def lengths(self) -> NDArray[np.int64]:
        """How many tokens each document has."""
        return np.diff(self.starts)

    @property
    def owners(self) -> NDArray[np.int32]:
        """The document that each token belongs to."""
        return np.repeat(np.arange(len(self.starts) - 1, dtype=np.int32), self.lengths)

    def __len__(self) -> int:
        return len(self.starts) - 1


def as_documents(documents: object) -> pl.Series:
    """Turn any iterable of str into a series of strings; a missing document becomes an empty one.

    >>> as_documents(["one", None, "three"]).to_list()
    ['one', '', 'three']
    """
    if isinstance(documents, str) or not isinstance(documents, Iterable):
        raise InputError(
            f"Documents must be a list or another iterable of str; got {type(documents).__name__}."
            " Put a single document into a list."
        )
    if isinstance(documents, pl.Series):
        if documents.dtype not in (pl.String, pl.Null, pl.Categorical, pl.Enum):
            raise InputError(f"Documents must be str; got a series of {documents.dtype}.")
        return documents.cast(pl.String).fill_null("").rename("text")
    values = list(documents)
    try:
        return pl.Series("text", values, dtype=pl.String, strict=True).fill_null("")
    except (TypeError, UnicodeEncodeError, pl.exceptions.PolarsError):
        whole = [_mended(row, value) for row, value in enumerate(values)]
    return pl.Series("text", whole, dtype=pl.String)


def _mended(row: int, value: object) -> str:
    """A document that is missing or holds half a character, as text; or an error that says which is no text."""
    if _is_missing(value):
        return ""
    if not isinstance(value, str):
        raise InputError(f"Documents must be str; document {row} is {type(value).__name__}: {value!r:.60}.")
    return value.encode("utf-8", "replace").decode()


def _is_missing(value: object) -> bool:
    # None, and the not-a-number that data frames use for a missing text.
    return value is None or (isinstance(value, float) and value != value) or type(value).__name__ == "NAType"


def tokenize(
    documents: pl.Series,
    tokenizer: Tokenizer | None = None,
    progress: Callable[[float], None] | None = None,
) -> Tokens:
    """Split documents into lower-cased Unicode words, or with a tokenizer of your own.

    `progress` is told the share of the documents that is done.

    >>> tokens = tokenize(pl.Series(["Good food, good mood.", "", "Été à Paris"]))
    >>> tokens.words.to_list()
    ['good', 'food', 'mood', 'été', 'à', 'paris']
    >>> tokens.codes.tolist(), tokens.starts.tolist()
    ([0, 1, 0, 2, 3, 4, 5], [0, 4, 4, 7])
    """
    # One dictionary for all batches; a fresh one, because the default one is shared by the whole process.
    dictionary = pl.Categorical(pl.Categories.random())
    alive = pl.Series([], dtype=dictionary)  # polars forgets a dictionary as soon as no series uses it
    codes: list[NDArray[np.int32]] = []
    lengths: list[NDArray[np.int64]] = []
    words: list[pl.Series] = []
    known = done = 0
    for batch in _batches(documents):
        lists = _split_words(batch) if tokenizer is None else _split_with(tokenizer, batch)
        lengths.append(lists.list.len().to_numpy().astype(np.int64))
        flat = lists.explode(empty_as_null=False)
        batch_codes = flat.cast(dictionary).to_physical().to_numpy().astype(np.int32)
        codes.append(batch_codes)
        fresh = np.flatnonzero(batch_codes >= known)
        if len(fresh):
            size = int(batch_codes.max()) + 1
            first = np.zeros(size - known, dtype=np.int64)
            first[batch_codes[fresh[::-1]] - known] = fresh[::-1]  # the first place of a word is assigned last
            words.append(flat.gather(first))
            known = size
        done += len(batch)
        if progress is not None:
            progress(done / max(1, len(documents)))
    del alive
    return Tokens(
        codes=np.concatenate([np.empty(0, np.int32), *codes]),
        starts=np.concatenate([[0], np.cumsum(np.concatenate([np.empty(0, np.int64), *lengths]))]),
        words=pl.concat([pl.Series("word", [], dtype=pl.String), *(part.rename("word") for part in words)]),
    )


def _batches(documents: pl.Series) -> Iterator[pl.Series]:
    size = documents.str.len_bytes().cast(pl.Int64).cum_sum().to_numpy()
    batch = size // BATCH_BYTES
    edges = [0, *(np.flatnonzero(np.diff(batch)) + 1).tolist(), len(documents)]
    for start, stop in itertools.pairwise(edges):
        yield documents[start:stop]


def _split_words(batch: pl.Series) -> pl.Series:
    # A letter followed by a combining accent and the same letter in one character must be one word.
    accented = batch.str.contains(r"\p{M}")
    if accented.any():
        batch = batch.str.normalize("NFC").zip_with(accented, batch)
    lower = pl.col(batch.name).str.to_lowercase().str.extract_all(WORD)
    # The streaming engine uses all cores and keeps the order.
    return batch.to_frame().lazy().select(lower).collect(engine="streaming").to_series()


def _split_with(tokenizer: Tokenizer, batch: pl.Series) -> pl.Series:
    outputs = [tokenizer(document) for document in batch]
    try:
        lists = pl.Series(batch.name, [list(output) for output in outputs], dtype=pl.List(pl.String), strict=True)
        if lists.explode(empty_as_null=False).null_count():
            raise TypeError("a token is None")
    except (TypeError, pl.exceptions.PolarsError) as error:
        raise SettingError("The tokenizer must return an iterable of str for every document.") from error
    return lists


def count_words(tokens: Tokens) -> sp.csr_array:
    """Count each word of `tokens.words` in each document.

    >>> count_words(tokenize(pl.Series(["a b a", "b"]))).toarray().tolist()
    [[2.0, 1.0], [0.0, 1.0]]
    """
    # Copies, because adding up the repeats happens in place; half as wide wherever that is wide enough.
    width = np.int32 if len(tokens.codes) < 2**31 else np.int64
    counts = sp.csr_array(
        (np.ones(len(tokens.codes), dtype=np.float32), tokens.codes.astype(width), tokens.starts.astype(width)),
        shape=(len(tokens), len(tokens.words)),
    )
    counts.sum_duplicates()
    return counts


def locate(words: pl.Series, vocabulary: pl.Series) -> NDArray[np.int64]:
    """Row of each word in a vocabulary without repeats, -1 where it is not there.

    >>> locate(pl.Series(["b", "x", "a"]), pl.Series(["a", "b"])).tolist()
    [1, -1, 0]
    """
    places = vocabulary.rename("word").to_frame().with_row_index("row").with_columns(pl.col("row").cast(pl.Int64))
    found = words.rename("word").to_frame().join(places, on="word", how="left", maintain_order="left")
    return found["row"].fill_null(-1).to_numpy()


def align(tokens: Tokens, vocabulary: pl.Series) -> Tokens:
    """The same documents in the words of another vocabulary; other words are left out.

    >>> aligned = align(tokenize(pl.Series(["a b c", "c"])), pl.Series(["c", "a"]))
    >>> aligned.codes.tolist(), aligned.starts.tolist()
    ([1, 0, 0], [0, 2, 3])
    """
    codes = locate(tokens.words, vocabulary).astype(np.int32)[tokens.codes]
    kept = codes >= 0
    before = np.concatenate([[0], np.cumsum(kept)])
    return Tokens(codes=codes[kept], starts=before[tokens.starts], words=vocabulary)


def recolumn(counts: sp.csr_array, columns: NDArray[np.int64], size: int) -> sp.csr_array:
    """The same counts with each column moved to its place among `size` others; those of place -1 are left out.

    >>> counts = sp.csr_array(np.array([[1.0, 2.0, 3.0], [0.0, 0.0, 4.0]]))
    >>> recolumn(counts, np.array([1, -1, 0]), 2).toarray().tolist()
    [[3.0, 1.0], [4.0, 0.0]]
    """
    places = columns.astype(np.int32)[counts.indices]
    kept = places >= 0
    before = np.concatenate([[0], np.cumsum(kept)]).astype(counts.indptr.dtype)
    moved = sp.csr_array((counts.data[kept], places[kept], before[counts.indptr]), shape=(counts.shape[0], size))
    moved.sort_indices()
    return moved


def count_terms(tokens: Tokens, terms: Sequence[Term]) -> sp.csr_array:
    """Count words and phrases: a phrase is there when its words stand side by side in one document.

    >>> tokens = tokenize(pl.Series(["machine learning", "learning machine", "deep machine learning"]))
    >>> count_terms(tokens, [("machine", "learning"), ("deep",)]).toarray().tolist()
    [[1.0, 0.0], [0.0, 0.0], [1.0, 1.0]]
    """
    flat = locate(pl.Series("word", [word for term in terms for word in term], dtype=pl.String), tokens.words)
    ends = np.cumsum([len(term) for term in terms], dtype=np.int64)
    coded = [flat[end - len(term) : end] for term, end in zip(terms, ends, strict=True)]
    term_of_word = np.full(len(tokens.words) + 1, -1)  # the last place is for words that no document has
    for column, codes in enumerate(coded):
        if len(codes) == 1:
            term_of_word[codes[0]] = column
    term_of_word[-1] = -1
    term_of_place = term_of_word[tokens.codes]
    places = [np.flatnonzero(term_of_place >= 0)]
    columns = [term_of_place[places[0]]]
    for column, codes in enumerate(coded):
        if len(codes) > 1:
            places.append(_phrase_places(tokens, codes))
            columns.append(np.full(len(places[-1]), column))
    owners = np.searchsorted(tokens.starts, np.concatenate(places), side="right") - 1
    ones = np.ones(len(owners), dtype=np.float32)
    return sp.csr_array(sp.coo_array((ones, (owners, np.concatenate(columns))), shape=(len(tokens), len(terms))))


def _phrase_places(tokens: Tokens, phrase: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where in the flat token array a phrase starts and ends in the same document."""
    if (phrase < 0).any():
        return np.empty(0, np.int64)
    places = np.flatnonzero(tokens.codes == phrase[0])
    for step, code in enumerate(phrase[1:], start=1):
        places = places[places + step < len(tokens.codes)]
        places = places[tokens.codes[places + step] == code]
    owners = np.searchsorted(tokens.starts, places, side="right") - 1
    return places[places + len(phrase) <= tokens.starts[owners + 1]]


def split_terms(texts: Sequence[str], tokenizer: Tokenizer | None = None) -> list[Term]:
    """Split keywords the way documents are split, so that they can be found in them.

    >>> split_terms(["Machine-Learning", "R"])
    [('machine', 'learning'), ('r',)]
    """
    tokens = tokenize(pl.Series("text", list(texts), dtype=pl.String), tokenizer)
    flat = tokens.words.gather(tokens.codes).to_list()
    return [tuple(flat[start:stop]) for start, stop in itertools.pairwise(tokens.starts)]


def stop_word_set(stop_words: str | Collection[str] | None) -> frozenset[str]:
    """Stop words by name ("english", "none") or as a list of your own.

    >>> "the" in stop_word_set("english"), sorted(stop_word_set(["und", "oder"]))
    (True, ['oder', 'und'])
    """
    if stop_words is None or stop_words == "none":
        return frozenset()
    if stop_words == "english":
        from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

        return frozenset(ENGLISH_STOP_WORDS)
    if isinstance(stop_words, str):
        raise SettingError(f"stop_words must be 'english', 'none' or a list of words; got {stop_words!r}.")
    return frozenset(word.lower() for word in stop_words)
