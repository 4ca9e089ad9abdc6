import gzip
import io
from pathlib import Path

import pytest

from keysift.corpus import contents
from keysift.errors import InputError, KeysiftWarning


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
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
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


def test_auto_is_utf8_then_a_mark_then_what_a_detector_says() -> None:
    assert contents.as_utf8("é".encode(), "auto", "f") == "é".encode()
    for encoding in ("utf-16", "utf-32", "utf-8-sig"):
        assert contents.as_utf8("é goal".encode(encoding), "auto", "f") == "é goal".encode()
    text = "Der Schnee fällt früh, und die Tür bleibt zu. Größe: 5 €."
    with pytest.warns(
        KeysiftWarning, match=r"f: line 2 is not valid utf-8 \(byte 0xe4\), so it was read as cp1252; .*="
    ):
        assert contents.as_utf8(b"text\n" + text.encode("cp1252"), "auto", "f").decode() == "text\n" + text
    text = "Привет, как дела? Это сообщение на русском языке."
    with pytest.warns(KeysiftWarning, match="read as cp1251"):
        assert contents.as_utf8(text.encode("cp1251"), "auto", "f").decode() == text
    with pytest.raises(InputError, match="f: line 1 is not valid utf-8"):
        contents.as_utf8(text.encode("cp1251"), "utf-8", "f")


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("text", ["id,text\n1,café\n", "Привет, как дела? Это по-русски.\n" * 9, "a 😀 goal " * 9000])
def test_utf16_without_a_mark_is_read_and_said(text: str, encoding: str) -> None:
    with pytest.warns(KeysiftWarning, match=f"f has no byte order mark, .* read as {encoding}; .*encoding="):
        assert contents.as_utf8(text.encode(encoding), "auto", "f").decode() == text
    assert contents.as_utf8(text.encode(encoding), encoding, "f").decode() == text


@pytest.mark.parametrize("data", [b"abc\0def\n", b"a\0\0b", b"goal\0rain\0snow\0\n"])
def test_a_nul_in_utf8_stays_one(data: bytes) -> None:
    assert contents.as_utf8(data, "auto", "f") == data


def test_one_bad_byte_does_not_spoil_the_other_letters() -> None:
    with pytest.warns(KeysiftWarning, match=r"f: line 2 is not valid utf-8 \(byte 0xe9\); such bytes were replaced by"):
        assert contents.as_utf8("é".encode() * 20 + b"\ncaf\xe9", "auto", "f").decode() == "é" * 20 + "\ncaf\ufffd"


def test_bytes_that_are_no_text_are_refused() -> None:
    with pytest.raises(InputError, match="f: line 1 is not valid utf-8"):
        contents.as_utf8(b"PK\x03\x04\x00\xff\xfe", "auto", "f")


def test_unzipping_is_bounded(tmp_path: Path) -> None:
    path = tmp_path / "bomb.txt.gz"
    path.write_bytes(gzip.compress(bytes(range(250)) * 10))
    with pytest.raises(InputError, match=r"bomb: it unzips to more than 2e-06 GB, .*raise the limit, .*max_size="):
        contents.fetch(path, "bomb", 2e-6)
    path.write_bytes(gzip.compress(bytes(3_000_000)))
    with pytest.raises(InputError, match=r"bomb: it unzips to more than 100 times its size"):
        contents.fetch(path, "bomb", 0.02)
    assert len(contents.fetch(path, "bomb", 0.04)) == 3_000_000


def test_reading_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(bytes(2_000))
    with pytest.raises(InputError, match=r"a.txt: it has 2e-06 GB, and the limit is 1e-06 GB"):
        contents.fetch(path, "a.txt", 1e-6)
    with path.open("wb") as file:
        file.truncate(10**13)  # no byte on the disk
    with pytest.raises(InputError, match=r"a.txt: it has 1e\+04 GB"):
        contents.fetch(path, "a.txt")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(bytes(2_000_000))))
    with pytest.raises(InputError, match=r"standard input: it gave more than 0.001 GB"):
        contents.fetch(None, "standard input", 0.001)
    for wrong in (0, -1, float("nan"), float("inf")):
        with pytest.raises(InputError, match="max_size must be a number of gigabytes above 0"):
            contents.fetch(path, "a.txt", wrong)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no such devices")
def test_devices(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="/dev/zero: it is a device that gives bytes without end; name a file"):
        contents.fetch(Path("/dev/zero"), "/dev/zero")
    assert contents.fetch(Path("/dev/null"), "/dev/null") == b""


def test_no_memory_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def starve(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(Path, "open", starve)
    with pytest.raises(InputError, match=r"a.txt: the memory is not enough for it; "):
        contents.fetch(tmp_path / "a.txt", "a.txt")
