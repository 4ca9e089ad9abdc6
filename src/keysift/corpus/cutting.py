"""Where a large text file may be cut into pieces: only between rows, never within quotes."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

CHUNK = 1 << 24
"""Bytes looked at together."""


@dataclass(frozen=True)
class Piece:
    """Some whole rows of a file, by their bytes, and the line that they begin in."""

    start: int
    stop: int
    line: int


def cut_rows(path: Path, size: int, *, start: int = 0, line: int = 1, quoted: bool = False) -> Iterator[Piece]:
    r"""Pieces of about `size` bytes from `start` on, each of whole rows; a row that is longer is a piece of its own.

    A line break ends a row unless the number of quotes before it is odd and quotes have a meaning (`quoted`).

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "a.csv"
    ...     _ = path.write_bytes(b'a,"b\nc"\nd\ne')
    ...     [(piece.start, piece.stop, piece.line) for piece in cut_rows(path, 3, quoted=True)]
    [(0, 8, 1), (8, 11, 3)]
    """
    begun, first, inside = start, line, False
    with path.open("rb") as file:
        file.seek(start)
        place = start
        while chunk := file.read(CHUNK):
            done = 0  # bytes of the chunk whose quotes and lines are counted
            while (cut := _next_break(chunk, max(done, begun + size - 1 - place), done, inside, quoted)) is not None:
                line += chunk.count(b"\n", done, cut)
                inside, done = False, cut
                yield Piece(begun, place + cut, first)
                begun, first = place + cut, line
            line += chunk.count(b"\n", done)
            if quoted:
                inside ^= bool(chunk.count(b'"', done) % 2)
            place += len(chunk)
    if place > begun:
        yield Piece(begun, place, first)


def _next_break(chunk: bytes, least: int, done: int, inside: bool, quoted: bool) -> int | None:
    """The end of the first row that ends at `least` or after; None where none does."""
    if least >= len(chunk):
        return None
    place = chunk.find(b"\n", least)
    odd = inside
    while place >= 0:
        if not quoted:
            return place + 1
        odd ^= bool(chunk.count(b'"', done, place) % 2)
        if not odd:
            return place + 1
        done, place = place, chunk.find(b"\n", place + 1)
        # Within a long quoted field every line break is looked at once: go on from the quote that closes it.
        if place >= 0 and (closing := chunk.find(b'"', done)) > place:
            place = chunk.find(b"\n", closing)
    return None
