import gzip
from pathlib import Path

import pytest

from keysift.corpus import contents
from keysift.errors import InputError


def test_gzip_is_known_by_its_first_bytes(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(gzip.compress(b"goal"))
    assert contents.fetch(path, "a.txt") == b"goal"


@pytest.mark.parametrize(
    "data",
    [b"plain", gzip.compress(b"goal" * 99)[:-9], gzip.compress(b"g")[:-5] + b"12345"],
    ids=["plain", "cut short", "wrong check sum"],  # gzip writes the time, and a name must not change with it
)
def test_damaged_gzip(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.txt.gz"
    path.write_bytes(data)
    with pytest.raises(InputError, match=r"Cannot read a.txt.gz: it is not gzip, or it is damaged"):
        contents.fetch(path, "a.txt.gz")


def test_no_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(InputError, match=r"Cannot read a.txt: permission denied; "):
        contents.fetch(tmp_path / "a.txt", "a.txt")


@pytest.mark.parametrize("encoding", ["klingon", "hex", "rot13", ""])
def test_unknown_encoding(encoding: str) -> None:
    with pytest.raises(InputError, match=f"'{encoding}' is unknown; .*encoding="):
        contents.check_encoding(encoding)


@pytest.mark.parametrize("encoding", ["utf-8", "UTF8", "utf-8-sig", "utf-16", "utf-32", "cp1252", "latin-1"])
def test_every_encoding_becomes_utf8_without_a_mark(encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contents, "CHUNK", 3)
    assert contents.as_utf8("é goal\r\nü".encode(encoding), encoding, "f") == "é goal\r\nü".encode()


def test_a_byte_order_mark_is_dropped() -> None:
    assert contents.as_utf8(b"\xef\xbb\xbfgoal", "utf-8", "f") == b"goal"


def test_bytes_that_do_not_decode(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contents, "CHUNK", 3)
    with pytest.raises(InputError, match=r"f: line 7 is not valid utf-8 \(byte 0xe9\); .*encoding='latin-1'\."):
        contents.as_utf8(b"\xc3\xa9\n" * 6 + b"caf\xe9\n", "utf-8", "f")
