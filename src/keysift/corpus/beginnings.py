"""What the first bytes of a file tell about its kind."""

import io
import re
import zipfile

from keysift.corpus.parquet import PARQUET_MAGIC

LOOKED_AT = 100_000
"""Bytes that are looked at."""
ZIP_MAGIC = b"PK\x03\x04"
HEADER = re.compile(rb"([!-9;-~]+):(?:[ \t].*)?")
"""A line of a mail's head."""
HEADERS = {b"from", b"to", b"cc", b"subject", b"date", b"message-id", b"received", b"return-path", b"delivered-to"}
HEADERS |= {b"mime-version", b"content-type", b"reply-to", b"sender", b"in-reply-to"}
"""Two of these are in the head of any mail, and of nothing else."""
XML = re.compile(rb"<\?xml\b.*?\?>\s*", re.DOTALL | re.IGNORECASE)
COMMENT = re.compile(rb"(<!--.*?-->\s*)+", re.DOTALL)
PAGE = re.compile(rb"<(!doctype\s+html|html)\b", re.IGNORECASE)
PUBMED = re.compile(rb"<(!DOCTYPE\s+)?Pubmed(Book)?Article(Set)?\b")
RIS_START = re.compile(rb"TY  ?- ?\S")
MEDLINE_START = re.compile(rb"PMID ?- ?\d")


def binary_kind(data: bytes) -> str | None:
    r"""The kind of bytes that are no text: parquet, xlsx or pdf.

    >>> binary_kind(b"%PDF-1.7\n"), binary_kind(b"a goal\n")
    ('pdf', None)
    """
    if data.startswith(PARQUET_MAGIC):
        return "parquet"
    if data.startswith(b"%PDF"):
        return "pdf"
    if data.startswith(ZIP_MAGIC) and _has_sheets(data):
        return "xlsx"
    return None


def textual_kind(data: bytes) -> str | None:
    r"""The kind of references, mails or pages, which begin as nothing else does.

    >>> textual_kind(b"TY  - JOUR\nTI  - A goal\n"), textual_kind(b"PMID- 7\n"), textual_kind(b"<!DOCTYPE html>")
    ('ris', 'nbib', 'html')
    >>> textual_kind(b"From a@b.c\nSubject: one\n\n"), textual_kind(b"From here on it rains.\n")
    ('mbox', None)
    """
    head = data[:LOOKED_AT].lstrip(b"\xef\xbb\xbf \t\r\n")
    if RIS_START.match(head):
        return "ris"
    if MEDLINE_START.match(head):
        return "nbib"
    if head.startswith(b"<"):
        declared = XML.match(head)
        inside = head[declared.end() :] if declared else head
        if comment := COMMENT.match(inside):
            inside = inside[comment.end() :]
        if PAGE.match(inside):
            return "html"
        return "xml" if declared or PUBMED.match(inside) else None
    first, _, rest = head.partition(b"\n")
    if first.startswith(b"From "):
        return "mbox" if _headers(rest) else None
    return "eml" if len(_headers(head) & HEADERS) >= 2 else None


def _headers(data: bytes) -> set[bytes]:
    """The names in the head of a mail, in small letters; none where a line before the first blank one is no header."""
    names: set[bytes] = set()
    for line in data.replace(b"\r\n", b"\n").split(b"\n"):
        if not line:
            break
        if line[:1] in b" \t" and names:
            continue
        header = HEADER.fullmatch(line)
        if header is None:
            return set()
        names.add(header[1].lower())
    return names


def _has_sheets(data: bytes) -> bool:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as file:
            return any(name.startswith("xl/") for name in file.namelist())
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError):
        return False
