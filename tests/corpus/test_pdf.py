import sys
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keysift.corpus.pdf import read_pdf
from keysift.corpus.reading import read
from keysift.errors import InputError
from tests.corpus.small_pdf import small_pdf


def test_all_text_is_one_document(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(small_pdf("A goal (late) in the café"))
    corpus = read(tmp_path / "a.pdf")
    assert corpus.texts.to_list() == ["A goal (late) in the café"]


def test_without_pypdf_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pypdf", None)
    with pytest.raises(InputError, match=r"Cannot read a\.pdf: for \.pdf .*; pip install 'keysift\[pdf\]'\.$"):
        read_pdf(small_pdf("a goal"), "a.pdf")


def test_encrypted() -> None:
    with pytest.raises(InputError, match=r"Cannot read a\.pdf: it is encrypted; save it without a password"):
        read_pdf(small_pdf("a goal", encrypted=True), "a.pdf")


@pytest.mark.parametrize("data", [b"%PDF-1.4", b"no pdf at all", b"\0" * 100, small_pdf("a goal")[:200]])
def test_damaged(data: bytes, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InputError, match=r"Cannot read a\.pdf: it is damaged, or no \.pdf \(.*\); create or") as caught:
        read_pdf(data, "a.pdf")
    assert "\n" not in str(caught.value)
    assert capfd.readouterr() == ("", "")


@settings(max_examples=50)
@given(place=st.integers(0, len(small_pdf("a goal")) - 1), byte=st.integers(0, 255))
def test_a_changed_byte_gives_a_text_or_a_sentence(place: int, byte: int) -> None:
    data = bytearray(small_pdf("a goal"))
    data[place] = byte
    with suppress(InputError):
        assert read_pdf(bytes(data), "a.pdf").columns == ["text"]


def test_nothing_in_it() -> None:
    assert read_pdf(b"", "a.pdf").is_empty()
