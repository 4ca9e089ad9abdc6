"""Documents to tokens, with no Python loop over words."""

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from keysift.errors import InputError, SettingError, listed, warn
from keysift.text.dictionary import Cut, Dictionary, cut
from keysift.text.known_words import KnownWords, MoreWords
from keysift.text.scripts import SPACELESS, SPACELESS_CHARACTERS
from keysift.text.tables import column_of_texts

Tokenizer = Callable[[str], Iterable[str]]
"""From one document to its tokens, in order."""
WORD = r"\w+"
RUN = rf"[\w&&[^{SPACELESS_CHARACTERS}]]+|[\w&&[{SPACELESS_CHARACTERS}]]+"
"""A word, or a run of characters of a script that puts no spaces between words."""
ASCII = re.sub(rb"\W", b"\0", bytes(range(256)).lower())
"""From a byte of ASCII to that of its lower case, or to zero where it is no part of a word."""
BEYOND_ASCII = r"[^\x00-\x7F]"
LETTER_BEYOND_ASCII = r"[\w&&[^\x00-\x7F]]"
LONGEST = 200
"""Letters of a word that are kept: what is longer is no word, and stemming a word of 50 MB takes hours."""
MISSING = ("NAType", "NaTType")
"""What pandas calls the types of its missing values; pandas itself is not loaded."""
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

    @property
    def filled(self) -> "Tokens":
        """The same without the documents that have no token; itself where there is none.

        >>> tokens = tokenize(pl.Series(["a goal", "", "a law"]))
        >>> tokens.filled.starts.tolist(), tokens.filled.words.to_list()
        ([0, 2, 4], ['a', 'goal', 'law'])
        """
        held = self.lengths > 0
        return self if held.all() else Tokens(self.codes, np.concatenate([[0], self.starts[1:][held]]), self.words)

    def opening(self, words: int) -> "Tokens":
        """The same with only so many first words of each document; itself where none has more.

        >>> tokens = tokenize(pl.Series(["a goal", "", "a law on tax"])).opening(2)
        >>> tokens.words.gather(tokens.codes).to_list()
        ['a', 'goal', 'a', 'law']
        """
        if self.lengths.max(initial=0) <= words:
            return self
        lengths = np.minimum(self.lengths, words)
        starts = np.concatenate([[0], np.cumsum(lengths)])
        places = np.arange(starts[-1]) + np.repeat(self.starts[:-1] - starts[:-1], lengths)
        return Tokens(self.codes[places], starts, self.words)

    def __len__(self) -> int:
        return len(self.starts) - 1


def as_documents(documents: object) -> pl.Series:
    """Turn any iterable of str into a series of strings; missing documents become empty ones, and are counted.

    >>> import warnings
    >>> with warnings.catch_warnings(record=True, action="always") as said:
    ...     as_documents(["one", None, "three"]).to_list()
    ['one', '', 'three']
    >>> [str(warning.message) for warning in said]
    ['1 of 3 documents is missing (None or NaN) and counts as empty.']
    """
    if isinstance(documents, str | bytes) or not isinstance(documents, Iterable | pl.LazyFrame):
        raise InputError(
            f"Documents must be a list or another iterable of str; got {type(documents).__name__}."
            " Put a single document into a list."
        )
    _refuse_tables(documents)
    if isinstance(documents, pl.Series):
        if documents.dtype not in (pl.String, pl.Null, pl.Categorical, pl.Enum):
            raise InputError(f"Documents must be str; got a series of {documents.dtype}.")
        return _filled(documents.cast(pl.String).rename("text"))
    assert isinstance(documents, Iterable)
    values = list(documents)
    try:
        return _filled(pl.Series("text", values, dtype=pl.String, strict=True))
    except (TypeError, ValueError, pl.exceptions.PolarsError):  # polars says ValueError to what pandas leaves missing
        whole = [_mended(row, value) for row, value in enumerate(values)]
    return _filled(pl.Series("text", whole, dtype=pl.String))


def index_of(documents: object) -> pl.Series | None:
    """The index of a pandas series of documents, named `id`; None where it only counts the rows from 0 on.

    >>> from types import SimpleNamespace
    >>> index_of(SimpleNamespace(index=["x", "y"])).to_list(), index_of(SimpleNamespace(index=[0, 1])), index_of(["a"])
    (['x', 'y'], None, None)
    """
    index = getattr(documents, "index", None)
    if isinstance(documents, pl.Series) or index is None or callable(index) or not isinstance(index, Iterable):
        return None
    names = list(index)
    if names == list(range(len(names))):
        return None
    try:
        return pl.Series("id", names, strict=True)
    except (TypeError, pl.exceptions.PolarsError):
        return pl.Series("id", [str(name) for name in names])


def _refuse_tables(documents: object) -> None:
    """What is iterated by its names, and not by its texts."""
    if isinstance(documents, Mapping):
        raise InputError(
            f"Documents must be a list or another iterable of str; got {type(documents).__name__}: hand in"
            " its values()."
        )
    if isinstance(documents, pl.LazyFrame):
        raise InputError("Documents must be one column of texts; got a LazyFrame: collect it, and hand in a column.")
    columns = getattr(documents, "columns", None)
    if columns is not None and not callable(columns) and isinstance(columns, Iterable):
        names = list(columns)
        raise InputError(
            f"Documents must be one column of texts; got a table with the columns {listed(names)}: hand in its texts,"
            f" for example {column_of_texts(documents, names)}."
        )


def _filled(documents: pl.Series) -> pl.Series:
    """Missing documents as empty ones, with a warning that counts them."""
    if missing := documents.null_count():
        verb = "is missing (None or NaN) and counts" if missing == 1 else "are missing (None or NaN) and count"
        warn(f"{missing:,} of {len(documents):,} documents {verb} as empty.")
    return documents.fill_null("")


def _mended(row: int, value: object) -> str | None:
    """A document that is missing (None) or holds half a character, as text; an error names one that is not text."""
    if _is_missing(value):
        return None
    if not isinstance(value, str):
        raise InputError(f"Documents must be str; document {row} is {type(value).__name__}: {value!r:.60}.")
    return value.encode("utf-8", "replace").decode()


def _is_missing(value: object) -> bool:
    # None, and the not-a-number, not-available and not-a-time that data frames use for a missing text.
    return value is None or (isinstance(value, float) and value != value) or type(value).__name__ in MISSING


def tokenize(
    documents: pl.Series,
    tokenizer: Tokenizer | None = None,
    progress: Callable[[float], None] | None = None,
    known: KnownWords | None = None,
) -> Tokens:
    """Split documents into lower-cased Unicode words, or with a tokenizer of your own.

    Where a script puts no spaces between words, the tokens are its characters and the pairs of neighbouring ones, so
    that a word of any length is a phrase of side-by-side tokens.

    `progress` is called with the share of the documents that is done. Words that are `known` come first in `words`, all
    of them, and those of the documents after them; otherwise these are numbered as they appear.

    >>> tokens = tokenize(pl.Series(["Good food, good mood.", "", "Été à Paris"]))
    >>> tokens.words.to_list()
    ['good', 'food', 'mood', 'été', 'à', 'paris']
    >>> tokens.codes.tolist(), tokens.starts.tolist()
    ([0, 1, 0, 2, 3, 4, 5], [0, 4, 4, 7])
    >>> tokenize(pl.Series(["iPhone手机壳 good"])).words.to_list()
    ['iphone', '手', '手机', '机', '机壳', '壳', 'good']
    """
    dictionary = Dictionary() if known is None else MoreWords(known)
    codes: list[NDArray[np.int32]] = []
    lengths: list[NDArray[np.int64]] = []
    done = 0
    for batch in _batches(documents):
        words, length = _cut_words(batch) if tokenizer is None else _cut_with(tokenizer, batch)
        codes.append(dictionary.number(words))
        lengths.append(length)
        done += len(batch)
        if progress is not None:
            progress(done / max(1, len(documents)))
    return Tokens(
        codes=np.concatenate([np.empty(0, np.int32), *codes]),
        starts=np.concatenate([[0], np.cumsum(np.concatenate([np.empty(0, np.int64), *lengths]))]),
        words=dictionary.words,
    )


def _batches(documents: pl.Series) -> Iterator[pl.Series]:
    size = documents.str.len_bytes().cast(pl.Int64).cum_sum().to_numpy()
    batch = size // BATCH_BYTES
    edges = [0, *(np.flatnonzero(np.diff(batch)) + 1).tolist(), len(documents)]
    for start, stop in itertools.pairwise(edges):
        yield documents[start:stop]


def _cut_words(batch: pl.Series) -> tuple[Cut, NDArray[np.int64]]:
    """The words of all documents, and how many each has; ASCII is cut byte by byte, which is twice as fast."""
    plain = _is_ascii(batch)
    if not plain.all():
        batch, plain = _respaced(batch, plain)
    words, own = _cut_ascii(batch.filter(pl.Series(plain)))
    if plain.all():
        return words, own
    flat, rest = _split_words(batch.filter(pl.Series(~plain)))
    others = cut(flat)
    lengths = np.empty(len(batch), dtype=np.int64)
    lengths[plain], lengths[~plain] = own, rest
    of_plain = np.repeat(plain, lengths)
    starts, sizes = np.empty((2, len(of_plain)), dtype=np.int64)
    starts[of_plain], starts[~of_plain] = words.starts, others.starts + len(words.text)
    sizes[of_plain], sizes[~of_plain] = words.lengths, others.lengths
    return Cut(words.text + others.text, starts, sizes), lengths


def _respaced(batch: pl.Series, plain: NDArray[np.bool_]) -> tuple[pl.Series, NDArray[np.bool_]]:
    """More documents in ASCII: quotation marks and emoji end a word as a space does."""
    others = np.flatnonzero(~plain)
    others = others[~batch.gather(others).str.contains(LETTER_BEYOND_ASCII).to_numpy()]
    places, plain = np.arange(len(batch)), plain.copy()
    places[others], plain[others] = len(batch) + np.arange(len(others)), True
    return pl.concat([batch, batch.gather(others).str.replace_all(BEYOND_ASCII, " ")]).gather(places), plain


def _is_ascii(batch: pl.Series) -> NDArray[np.bool_]:
    return (batch.str.len_bytes() == batch.str.len_chars()).to_numpy()


def _cut_ascii(batch: pl.Series) -> tuple[Cut, NDArray[np.int64]]:
    """What `_split_words` finds in documents of ASCII."""
    text = "".join(("\n", batch.str.join("\n").item(), "\n")) if len(batch) else "\n"
    words = text.encode().translate(ASCII)
    inside = np.frombuffer(words, dtype=np.uint8) != 0
    edges = np.flatnonzero(inside[1:] != inside[:-1]) + 1  # a word begins and ends by turns
    starts, lengths = edges[0::2], np.minimum(edges[1::2] - edges[0::2], LONGEST)
    ends = 1 + np.cumsum(batch.str.len_bytes().to_numpy().astype(np.int64) + 1)
    return Cut(words, starts, lengths), np.diff(np.searchsorted(starts, ends), prepend=0)


def _split_words(batch: pl.Series) -> tuple[pl.Series, NDArray[np.int64]]:
    """The tokens of all documents, and how many each has."""
    # A letter followed by a combining accent and the same letter in one character must be one word.
    if (marked := batch.str.contains(r"\p{M}")).any():
        batch = batch.str.normalize("NFC").zip_with(marked, batch)
    pattern = RUN if batch.str.contains(SPACELESS.pattern).any() else WORD
    lower = pl.col(batch.name).str.to_lowercase().str.extract_all(pattern)
    # The streaming engine uses all cores and keeps the order.
    flat, lengths = _flat(batch.to_frame().lazy().select(lower).collect(engine="streaming").to_series())
    if pattern == WORD and (flat.str.len_bytes() > LONGEST).any():
        flat = flat.str.head(LONGEST)
    return (flat, lengths) if pattern == WORD else _pair_characters(flat, lengths)


def _pair_characters(runs: pl.Series, lengths: NDArray[np.int64]) -> tuple[pl.Series, NDArray[np.int64]]:
    """Each run without spaces as its characters, and between them the pairs of neighbours; words stay whole."""
    spaceless = runs.str.contains(SPACELESS.pattern).to_numpy()
    dense = runs.filter(pl.Series(spaceless))
    sizes = dense.str.len_chars().to_numpy().astype(np.int64)
    characters = dense.str.split("").explode(empty_as_null=False)
    pairs = characters + characters.shift(-1)
    places = np.arange(len(characters))
    inner = np.full(len(characters), True)
    inner[np.cumsum(sizes) - 1] = False  # the last of a run has no neighbour
    both = np.stack([places, places + len(characters)], axis=1).ravel()
    both = both[np.stack([np.full(len(characters), True), inner], axis=1).ravel()]
    tokens_of_run = np.ones(len(runs), dtype=np.int64)
    tokens_of_run[spaceless] = 2 * sizes - 1
    order = np.empty(tokens_of_run.sum(), dtype=np.int64)
    dense_place = np.repeat(spaceless, tokens_of_run)
    order[dense_place] = both
    order[~dense_place] = 2 * len(characters) + np.arange(len(runs) - len(dense))
    before = np.concatenate([[0], np.cumsum(tokens_of_run)])[np.concatenate([[0], np.cumsum(lengths)])]
    words = runs.filter(pl.Series(~spaceless)).str.head(LONGEST)
    return pl.concat([characters, pairs, words]).gather(order), np.diff(before)


def _flat(lists: pl.Series) -> tuple[pl.Series, NDArray[np.int64]]:
    return lists.explode(empty_as_null=False), lists.list.len().to_numpy().astype(np.int64)


def _cut_with(tokenizer: Tokenizer, batch: pl.Series) -> tuple[Cut, NDArray[np.int64]]:
    outputs = [tokenizer(document) for document in batch]
    try:
        lists = pl.Series(batch.name, [list(output) for output in outputs], dtype=pl.List(pl.String), strict=True)
        flat, lengths = _flat(lists)
        if flat.null_count():
            raise TypeError("a token is None")
    except (TypeError, pl.exceptions.PolarsError) as error:
        raise SettingError("The tokenizer must return an iterable of str for every document.") from error
    return cut(flat), lengths
