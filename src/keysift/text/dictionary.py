"""Words to numbers, in the order in which they first appear, with no Python loop over words.

A word of up to 15 bytes is two whole numbers: its bytes, and how many there are. They are looked up in a hash table of
arrays, many words at a time. The few longer words are numbered by a dict, and that number stands for their bytes.
"""

import itertools
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
Keys = NDArray[np.uint64]

PACKED = 15
"""Bytes of a word that two whole numbers hold, beside how many there are."""
AT_ONCE = 1 << 17
"""Words looked up at a time: what is needed on the way stays in the processor's cache."""
ROOM = 2
"""Places of the table for every word that it may have to hold; the fuller it is, the longer words are looked for."""
LONG = np.uint64(2**64 - 1)
"""In place of the second number of a long word; no short one has so many bytes."""
MASKS = np.array([2 ** (8 * size) - 1 for size in range(9)], dtype=np.uint64)
"""What keeps the first bytes of eight."""
BETWEEN = b"\0"
"""Between words, where it is in none of them."""
MIX, MORE = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)
"""Odd numbers whose products spread words over the table."""


@dataclass(frozen=True, eq=False)
class Cut:
    """Words as pieces of one text in UTF-8: word i is `text[starts[i] : starts[i] + lengths[i]]`."""

    text: bytes
    starts: Numbers
    lengths: Numbers


def cut(words: pl.Series) -> Cut:
    """Words one after the other as one text.

    >>> cut(pl.Series(["né", "a"])).starts.tolist()
    [0, 3]
    """
    lengths = words.str.len_bytes().to_numpy().astype(np.int64)
    return Cut(words.str.join("").item().encode() if len(words) else b"", np.cumsum(lengths) - lengths, lengths)


class Dictionary:
    """The words seen so far, each with its number.

    >>> dictionary = Dictionary()
    >>> dictionary.number(Cut(b"a rose is a rose", np.array([0, 2, 7, 10, 12]), np.array([1, 4, 2, 1, 4]))).tolist()
    [0, 1, 2, 0, 1]
    >>> dictionary.words.to_list()
    ['a', 'rose', 'is']
    """

    def __init__(self) -> None:
        self._known = 0
        self._bytes: list[bytes] = []
        self._lengths: list[Numbers] = []
        self._long: dict[bytes, int] = {}
        self._clear(bits=16)

    @property
    def words(self) -> pl.Series:
        """Every word, at the place of its number."""
        return _split(b"".join(self._bytes), np.concatenate([np.zeros(0, dtype=np.int64), *self._lengths]))

    def number(self, cut: Cut) -> NDArray[np.int32]:
        """The number of each word; one that was not seen before gets the next."""
        text = _eights(cut.text)
        spans = [slice(start, start + AT_ONCE) for start in range(0, len(cut.starts), AT_ONCE)]
        parts = [self._number(Cut(cut.text, cut.starts[span], cut.lengths[span]), text) for span in spans]
        return np.concatenate([np.empty(0, dtype=np.int32), *parts])

    def look_up(self, cut: Cut) -> NDArray[np.int32]:
        """The number of each word, -1 where it was not seen before; nothing changes, so that many threads may ask."""
        text = _eights(cut.text)
        spans = [slice(start, start + AT_ONCE) for start in range(0, len(cut.starts), AT_ONCE)]
        parts = [self._look_up(Cut(cut.text, cut.starts[span], cut.lengths[span]), text) for span in spans]
        return np.concatenate([np.empty(0, dtype=np.int32), *parts])

    def _look_up(self, cut: Cut, text: NDArray[np.uint8]) -> NDArray[np.int32]:
        low, high = _pack(text, cut.starts, cut.lengths)
        for place in np.flatnonzero(cut.lengths > PACKED).tolist():
            word = cut.text[cut.starts[place] : cut.starts[place] + cut.lengths[place]]
            low[place], high[place] = self._long.get(word, len(self._long)), LONG
        slots = self._slots(low, high)
        rest = np.flatnonzero((self._low[slots] != low) | (self._high[slots] != high))
        unknown = [np.empty(0, dtype=np.int64)]
        while len(rest):
            held = self._high[slots[rest]] != 0
            unknown.append(rest[~held])
            rest = rest[held]
            slots[rest] = (slots[rest] + 1) % len(self._codes)
            at = slots[rest]
            rest = rest[(self._low[at] != low[rest]) | (self._high[at] != high[rest])]
        codes = self._codes[slots]
        codes[np.concatenate(unknown)] = -1
        return codes

    def _number(self, cut: Cut, text: NDArray[np.uint8]) -> NDArray[np.int32]:
        low, high = _pack(text, cut.starts, cut.lengths)
        for place in np.flatnonzero(cut.lengths > PACKED).tolist():
            word = cut.text[cut.starts[place] : cut.starts[place] + cut.lengths[place]]
            low[place], high[place] = self._long.setdefault(word, len(self._long)), LONG
        self._make_room(len(low))
        slots, fresh = self._find(low, high)
        if len(fresh):
            self._codes[slots[fresh]] = self._known + np.arange(len(fresh))
            self._known += len(fresh)
            starts, lengths = cut.starts[fresh], cut.lengths[fresh]
            ends = np.cumsum(lengths)
            self._bytes.append(text[np.repeat(starts - ends + lengths, lengths) + np.arange(ends[-1])].tobytes())
            self._lengths.append(lengths)
        return self._codes[slots]

    def _find(self, low: Keys, high: Keys) -> tuple[Numbers, Numbers]:
        """The slot of each word, and which words are new here: the first ones of their kind, whose slots have no code.

        A word that finds another one in its slot looks into the next. All words of a kind take the same way, so that
        the first of them is the first to come to an empty slot.
        """
        slots = self._slots(low, high)
        rest = np.flatnonzero((self._low[slots] != low) | (self._high[slots] != high))
        fresh = [np.empty(0, dtype=np.int64)]
        while len(rest):
            at = slots[rest]
            empty = self._high[at] == 0
            takers, taken = rest[empty], at[empty]
            self._codes[taken[::-1]] = takers[::-1]  # the first of them is assigned last
            first = self._codes[taken] == takers
            takers, taken = takers[first], taken[first]
            self._low[taken], self._high[taken] = low[takers], high[takers]
            fresh.append(takers)
            rest = rest[(self._low[at] != low[rest]) | (self._high[at] != high[rest])]
            slots[rest] = (slots[rest] + 1) % len(self._codes)
        return slots, np.sort(np.concatenate(fresh))

    def _slots(self, low: Keys, high: Keys) -> Numbers:
        spread = (high * MIX ^ low) * MORE
        spread ^= spread >> np.uint64(32)
        spread *= MIX
        spread >>= np.uint64(64 - self._bits)
        return spread.view(np.int64)

    def _make_room(self, more: int) -> None:
        needed = ROOM * (self._known + more)
        if needed <= len(self._codes):
            return
        held = self._high != 0
        low, high, codes = self._low[held], self._high[held], self._codes[held]
        self._clear(bits=needed.bit_length())
        self._codes[self._find(low, high)[0]] = codes

    def _clear(self, bits: int) -> None:
        self._bits = bits
        self._low, self._high = np.zeros(1 << bits, dtype=np.uint64), np.zeros(1 << bits, dtype=np.uint64)
        self._codes = np.zeros(1 << bits, dtype=np.int32)


def _split(text: bytes, lengths: Numbers) -> pl.Series:
    """Words of these lengths, which stand one after the other without a space."""
    if not len(lengths) or BETWEEN in text:
        ends = np.cumsum(np.concatenate([[0], lengths])).tolist()
        words = [text[start:end].decode() for start, end in itertools.pairwise(ends)]
        return pl.Series("word", words, dtype=pl.String)
    spaced = np.full(len(text) + len(lengths), ord(BETWEEN), dtype=np.uint8)
    spaced[np.arange(len(text)) + np.repeat(np.arange(len(lengths)), lengths)] = np.frombuffer(text, dtype=np.uint8)
    return pl.Series("word", [spaced[:-1].tobytes().decode()]).str.split(BETWEEN.decode()).explode()


def _eights(text: bytes) -> NDArray[np.uint8]:
    """The text with zeros after it, so that there are whole eights also beyond the last word."""
    padded = np.zeros(-(-len(text) // 8) * 8 + 24, dtype=np.uint8)
    padded[: len(text)] = np.frombuffer(text, dtype=np.uint8)
    return padded


def _pack(text: NDArray[np.uint8], starts: Numbers, lengths: Numbers) -> tuple[Keys, Keys]:
    """The first eight bytes of each word, and the next seven with one more than its length; zeros where it ends."""
    eights = text.view("<u8")
    low = _eight(eights, starts) & MASKS[np.minimum(lengths, 8)]
    high = (lengths.astype(np.uint64) + np.uint64(1)) << np.uint64(56)
    longer = np.flatnonzero(lengths > 8)
    high[longer] |= _eight(eights, starts[longer] + 8) & MASKS[np.minimum(lengths[longer] - 8, 7)]
    return low, high


def _eight(eights: Keys, starts: Numbers) -> Keys:
    """The eight bytes from each place on, out of two neighbouring whole numbers."""
    places, shifts = starts >> 3, ((starts & 7) << 3).astype(np.uint64)
    # In two steps, because a shift by 64 bits is not defined.
    after = eights[places + 1] << np.uint64(1) << (np.uint64(63) - shifts)
    return np.asarray(eights[places] >> shifts | after)
