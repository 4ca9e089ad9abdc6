import gzip
from pathlib import Path

import pytest

from keysift.corpus.spool import beginning, encoding_of, spool
from keysift.errors import InputError, KeysiftWarning, OutputError


def test_utf16_becomes_utf8_without_a_mark(tmp_path: Path) -> None:
    source, copy = tmp_path / "a.txt", tmp_path / "copy"
    source.write_bytes("é\r\nrain\n".encode("utf-16"))
    assert encoding_of(beginning(source), "auto", "a.txt") == "utf-16"
    spool(source, copy, "a.txt", encoding="utf-16")
    assert copy.read_bytes() == "é\r\nrain\n".encode()


def test_another_encoding_is_said() -> None:
    head = "Das Café öffnet früh, und die Tür ist grün.".encode("cp1252")
    with pytest.warns(KeysiftWarning, match="a.txt is not UTF-8 and was read as cp1252"):
        assert encoding_of(head, "auto", "a.txt") == "cp1252"


def test_damaged_gzip_and_too_much(tmp_path: Path) -> None:
    source, copy = tmp_path / "a.txt.gz", tmp_path / "copy"
    source.write_bytes(gzip.compress(b"rain\n" * 1000)[:-10])
    with pytest.raises(InputError, match="it is not gzip, or it is damaged"):
        spool(source, copy, "a.txt.gz", encoding="utf-8")
    source.write_bytes(gzip.compress(b"rain\n" * 1000))
    with pytest.raises(InputError, match="more than that to read, and the limit is"):
        spool(source, copy, "a.txt.gz", encoding="utf-8", max_size=1e-6)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_told(tmp_path: Path) -> None:
    source = tmp_path / "a.txt"
    source.write_bytes(b"rain\n" * 10**6)
    with pytest.raises(OutputError, match="no space left on device; choose another work folder"):
        spool(source, Path("/dev/full"), "a.txt", encoding="utf-8")
