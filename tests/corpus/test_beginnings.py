import io
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keysift.corpus.beginnings import binary_kind, textual_kind
from keysift.corpus.reading import read
from keysift.errors import InputError, KeysiftWarning
from tests.corpus.made_files import FILES, TEXTS, mail, page
from tests.corpus.small_pdf import small_pdf


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"\xef\xbb\xbfTY  - JOUR\r\n", "ris"),
        (b"\n\nPMID- 123\nOWN - NLM\n", "nbib"),
        (b"From a@b.c Mon Jan  6 10:00:00 2020\nX-Mail: y\n z\n\nA goal.\n", "mbox"),
        (b"Return-Path: <a@b.c>\r\nX-Spam: no\r\n yes\r\nSubject: A goal\r\n\r\nLate.\r\n", "eml"),
        (b"<?xml version='1.0'?>\n<!DOCTYPE PubmedArticleSet>\n", "xml"),
        (b"<PubmedArticleSet><PubmedArticle>", "xml"),
        (b"<?xml version='1.0'?>\n<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML'>", "html"),
        (b"<!-- saved -->\n<HTML lang='en'>", "html"),
        (b"<!doctype html>", "html"),
        (b"From here on it rains.\nNobody minds: it is May.\n", None),
        (b"From: Ann, a goal\nRain, again\n", None),
        (b"Note: a goal\nSubject: rain\n\n", None),
        (b"<p>A goal</p>\n<p>Rain</p>\n", None),
        (b"TYPES - of rain\n", None),
        (b"PMID,text\n1,a goal\n", None),
        (b"", None),
    ],
)
def test_text_by_its_beginning(data: bytes, kind: str | None) -> None:
    assert textual_kind(data) == kind


def test_bytes_by_their_beginning() -> None:
    assert binary_kind(small_pdf("a goal")) == "pdf"
    assert binary_kind(b"PK\x03\x04 no zip") is None


@given(data=st.binary())
def test_any_bytes_have_a_kind_or_none(data: bytes) -> None:
    for start in (b"", b"PK\x03\x04", b"<?xml", b"From ", b"To: a\n"):
        assert binary_kind(start + data) in (None, "xlsx", "pdf", "parquet")
        assert textual_kind(start + data) in (None, "ris", "nbib", "mbox", "eml", "xml", "html")


PIPED = ["zotero.ris", "endnote.ris", "pubmed.nbib", "pubmed.xml", "inbox.mbox", "sheet.xlsx", "typed.parquet"]


@pytest.mark.filterwarnings("ignore:standard input looks like")
@pytest.mark.parametrize("name", PIPED)
def test_a_file_is_the_same_on_standard_input(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / name
    next(made for made in FILES if made.name == name).make(path)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))
    assert read("-").texts.to_list() == read(path).texts.to_list()


@pytest.mark.parametrize(
    ("data", "note"),
    [
        (mail("A goal", TEXTS[8]), "looks like eml and was read so; if each line is a document, choose format='txt'"),
        (page("A goal", TEXTS[8]), "looks like html and was read so"),
        (page("A goal", TEXTS[8]).decode().encode("utf-16"), "looks like html and was read so"),
        (small_pdf(TEXTS[0]), None),
    ],
)
def test_a_single_document_on_standard_input(data: bytes, note: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    if note is None:
        assert TEXTS[0] in read("-").texts.item()
        return
    with pytest.warns(KeysiftWarning, match=note) as said:
        assert TEXTS[8] in read("-").texts.item().replace("\n", " ")
    assert len(said) == 1


def test_lines_on_standard_input_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a goal\nrain\n")))
    with pytest.warns(
        KeysiftWarning, match="standard input was read as lines, each a document; .*with format="
    ) as said:
        assert read("-").texts.to_list() == ["a goal", "rain"]
    assert len(said) == 1
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a goal\nrain\n")))
    assert read("-", format="txt").texts.to_list() == ["a goal", "rain"]


def test_references_have_a_header_by_nature(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"%PDF-1.7\n")))
    with pytest.raises(InputError, match="standard input is read as pdf, which has no header"):
        read("-", no_header=True)
