from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from keysift.corpus import cutting
from keysift.corpus.cutting import cut_rows


def slow_ends(data: bytes, quoted: bool) -> set[int]:
    """Where rows end, byte by byte."""
    ends, inside = {len(data)}, False
    for place, byte in enumerate(data):
        inside ^= quoted and byte == ord('"')
        if byte == ord("\n") and not inside:
            ends.add(place + 1)
    return ends


@given(st.text('a,"\n', max_size=60), st.integers(1, 12), st.booleans(), st.integers(1, 9))
def test_pieces_are_whole_rows_and_all_of_the_file(text: str, size: int, quoted: bool, chunk: int) -> None:
    data = text.encode()
    with TemporaryDirectory() as folder, patch.object(cutting, "CHUNK", chunk):
        path = Path(folder) / "a.csv"
        path.write_bytes(data)
        pieces = list(cut_rows(path, size, quoted=quoted))
    assert b"".join(data[piece.start : piece.stop] for piece in pieces) == data
    assert {piece.stop for piece in pieces} <= slow_ends(data, quoted)
    assert [piece.line for piece in pieces] == [1 + data[: piece.start].count(b"\n") for piece in pieces]
    ends = sorted(slow_ends(data, quoted))
    for piece in pieces[:-1]:  # no longer than the row that reaches the size
        assert piece.stop == next(end for end in ends if end >= piece.start + size)


def test_a_row_longer_than_a_piece_is_one(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"x" * 50 + b"\nshort\n")
    assert [(piece.start, piece.stop) for piece in cut_rows(path, 10)] == [(0, 51), (51, 57)]
