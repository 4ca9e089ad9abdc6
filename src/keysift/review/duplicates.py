"""Documents that say the same, so that a person answers one of them.

Two documents are the same if they differ in case and white space only. They are nearly the same if their shingles, the
runs of three words side by side, have a Jaccard similarity of at least 0.95: of the runs that are in either, so many
are in both. One other word changes three runs, so where a text is shorter than 115 words no word may differ, and only
what is the same is a duplicate. (With 0.9, papers with different titles and the same abstract would be one.)

Pairs to compare are found by MinHash: of each document's shingles the smallest hash by each of many hash functions.
Some of these together are a band, and documents that share a band are compared by all of their shingles. A pair at the
limit is missed once in 30 million cases, one above it less often.

Likeness is no equality: A may be like B, and B like C, but A not like C. So each group has a first member, which every
other one is compared with: the first document that is like no first member before it.
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from keysift.errors import SettingError, shortened
from keysift.text.tokens import Tokens, tokenize

SIMILARITY = 0.95
RUN = 3
"""Words of a shingle."""
BANDS = 16
SHARED = 0.55
"""A pair at the limit shares a band with about this chance."""
WIDEST = 8
"""Hash functions of a band, at most."""
ROUNDS = 50
"""So often first members are looked for. In a large crowd that is alike, but not enough, each is one after the other,
and those that are left stay alone."""
BLOCK = 1 << 20
"""Shingles that are hashed or compared at a time."""


def groups(texts: pl.Series, similarity: float = SIMILARITY) -> NDArray[np.int64]:
    """The group of each document: the place of its first member.

    >>> groups(pl.Series(["Call me  now", "a tax law", "call me now", "call me not"])).tolist()
    [0, 1, 0, 3]
    >>> long = " ".join(map(str, range(200)))
    >>> groups(pl.Series([long, long + " or so", "other words before " + long + " and after it"])).tolist()
    [0, 0, 2]
    """
    given: object = similarity
    if not (isinstance(given, int | float | np.floating) and 0 < given <= 1):
        raise SettingError(f"similarity must be above 0 and at most 1, like 0.95; got {shortened(similarity)}.")
    same = _same(texts.cast(pl.String).fill_null(""))
    if similarity == 1 or not len(same):
        return same
    rows = np.flatnonzero(same == np.arange(len(same)))
    tokens = tokenize(texts.gather(rows).fill_null(""))
    long = np.flatnonzero(tokens.lengths >= fewest_words(similarity))
    rows = rows[long]
    shingles = _shingles(tokens, long)
    first = _first_members(shingles, similarity)
    leader = np.arange(len(same))
    leader[rows] = rows[first]
    return leader[same]


def fewest_words(similarity: float) -> int:
    """How long a text is that stays as similar with one other word; n + 2 shingles lose three, and get three others.

    >>> fewest_words(0.9), fewest_words(0.95)
    (55, 115)
    """
    return int(np.ceil((1 + 5 * similarity) / (1 - similarity) - 1e-9))


def _same(texts: pl.Series) -> NDArray[np.int64]:
    """The first document that differs in case and white space only."""
    plain = pl.col("text").str.normalize("NFC").str.to_lowercase().str.replace_all(r"\s+", " ").str.strip_chars()
    frame = texts.rename("text").to_frame().select(plain, place=pl.int_range(pl.len(), dtype=pl.Int64))
    return frame.select(pl.col("place").min().over("text")).to_series().to_numpy().copy()


@dataclass(frozen=True, eq=False)
class Shingles:
    """The different shingles of every document, in ascending order: those of document i are from edge i to i + 1."""

    hashes: NDArray[np.uint64]
    edges: NDArray[np.int64]

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many each document has."""
        return np.diff(self.edges)

    def of(self, rows: NDArray[np.int64]) -> NDArray[np.uint64]:
        """Those of some documents, one after another."""
        sizes = self.sizes[rows]
        inside = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        return np.asarray(self.hashes[np.repeat(self.edges[rows], sizes) + inside])


def _shingles(tokens: Tokens, rows: NDArray[np.int64]) -> Shingles:
    """Of some documents; each is padded at its beginning and end, so that every word is in three."""
    lengths, pad = tokens.lengths[rows], RUN - 1
    starts = np.concatenate([[0], np.cumsum(lengths + 2 * pad)])
    words = np.zeros(starts[-1], dtype=np.uint64)
    inside = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    words[np.repeat(starts[:-1] + pad, lengths) + inside] = (
        tokens.codes[np.repeat(tokens.starts[rows], lengths) + inside].astype(np.uint64) + 1
    )
    hashes = np.zeros(max(0, len(words) - pad), dtype=np.uint64)
    for place in range(RUN):
        hashes = _mixed(hashes ^ words[place : place + len(hashes)])
    owners = np.repeat(np.arange(len(rows)), lengths + 2 * pad)[: len(hashes)]
    whole = np.arange(len(hashes)) - starts[owners] < lengths[owners] + pad  # not over the end of a document
    hashes, owners = hashes[whole], owners[whole]
    order = np.lexsort((hashes, owners))
    hashes, owners = hashes[order], owners[order]
    fresh = np.ones(len(hashes), dtype=bool)
    fresh[1:] = (hashes[1:] != hashes[:-1]) | (owners[1:] != owners[:-1])
    edges = np.concatenate([[0], np.cumsum(np.bincount(owners[fresh], minlength=len(rows)))])
    return Shingles(hashes[fresh], edges)


def _mixed(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Each number as another one that looks random (splitmix64)."""
    values = values + np.uint64(0x9E3779B97F4A7C15)
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


def _bands(shingles: Shingles, similarity: float) -> NDArray[np.uint64]:
    """A column a band: one number for all of its smallest hashes."""
    width = int(np.clip(np.round(np.log(SHARED) / np.log(similarity)), 1, WIDEST))
    # Multiplied by an odd number, hashes come in another order, which their high bits decide.
    factors = _mixed(np.arange(BANDS * width, dtype=np.uint64)).astype(np.uint32) | np.uint32(1)
    bands = np.zeros((len(shingles.sizes), BANDS), dtype=np.uint64)
    for part in _parts(shingles.sizes):
        hashes = shingles.hashes[shingles.edges[part.start] : shingles.edges[part.stop]].astype(np.uint32)
        starts = shingles.edges[part] - shingles.edges[part.start]
        for function, factor in enumerate(factors):
            smallest = np.minimum.reduceat(hashes * factor, starts).astype(np.uint64)
            bands[part, function % BANDS] = _mixed(bands[part, function % BANDS] ^ smallest)
    return bands


def _first_members(shingles: Shingles, similarity: float) -> NDArray[np.int64]:
    """The first member of each document's group.

    A document that is the first one in each of its bands has nobody before it to be compared with: it is a first
    member, and those like it are its group. Without them, others are first.
    """
    bands = _bands(shingles, similarity)
    first = np.arange(len(bands))
    open_ = np.arange(len(bands))
    for _ in range(ROUNDS):
        if len(open_) < 2:
            break
        before = np.stack([_first_of_each(band) for band in bands[open_].T], axis=1)
        leads = (before == np.arange(len(open_))[:, None]).all(axis=1)
        places = np.broadcast_to(np.arange(len(open_))[:, None], before.shape)
        asked = leads[before] & (before != places)
        pairs = np.stack(np.divmod(np.unique(places[asked] * len(open_) + before[asked]), len(open_)), axis=1)
        for part in _parts(shingles.sizes[open_[pairs]].sum(axis=1)):
            alike = pairs[part][_jaccard(shingles, open_[pairs[part]]) >= similarity - 1e-12]
            np.minimum.at(first, open_[alike[:, 0]], open_[alike[:, 1]])
        open_ = open_[~leads & (first[open_] == open_)]
    return first


def _first_of_each(values: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Where each value is for the first time."""
    _, place, which = np.unique(values, return_index=True, return_inverse=True)
    return np.asarray(place[which])


def _jaccard(shingles: Shingles, pairs: NDArray[np.int64]) -> NDArray[np.float64]:
    sizes = shingles.sizes[pairs]
    hashes = np.concatenate([shingles.of(pairs[:, 0]), shingles.of(pairs[:, 1])])
    owners = np.concatenate([np.repeat(np.arange(len(pairs)), sizes[:, side]) for side in (0, 1)])
    order = np.lexsort((hashes, owners))
    hashes, owners = hashes[order], owners[order]
    twice = (hashes[1:] == hashes[:-1]) & (owners[1:] == owners[:-1])
    both = np.bincount(owners[1:][twice], minlength=len(pairs))
    return np.asarray(both / (sizes.sum(axis=1) - both))


def _parts(sizes: NDArray[np.int64]) -> Iterator[slice]:
    """Runs of rows with about as many shingles as fit a block."""
    block = np.cumsum(sizes) // BLOCK
    edges = [0, *(np.flatnonzero(np.diff(block)) + 1).tolist(), len(sizes)]
    for start, stop in itertools.pairwise(edges):
        if start < stop:
            yield slice(start, stop)
