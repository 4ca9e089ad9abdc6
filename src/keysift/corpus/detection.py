"""Which encoding bytes are in, where nobody says."""

import codecs
import re

AUTO = "auto"
MARKS = {  # that of UTF-32 begins like that of UTF-16
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
BEYOND_ASCII = re.compile(rb"[^\n]*[\x80-\xff][^\n]*\n?")
SAMPLE = 50_000
"""Bytes that the detector is shown; of lines that have a letter beyond ASCII, for all others are the same in most."""
LATIN = {"cp1250", "cp1252", "cp1254", "iso8859_2", "iso8859_9", "iso8859_15", "latin_1"}
"""Encodings of Latin letters."""
ACCENTS = re.compile(rb"(?<=[\x00-\x7f])[\x80-\xff](?=[\x00-\x7f])")
"""A byte beyond ASCII between two of it, as an accent in a word is."""
USUAL = "cp1252"
"""What most files that are not UTF-8 are in; it wins where a detector finds nothing better."""
NEEDED = 10
"""So many letters beyond ASCII must be right for each that is wrong, to call it UTF-8 with an error."""


def utf_mark(data: bytes) -> str | None:
    """The encoding that a byte order mark of UTF-16 or UTF-32 tells.

    >>> utf_mark("a goal".encode("utf-16")), utf_mark(b"a goal")
    ('utf-16', None)
    """
    return next((encoding for mark, encoding in MARKS.items() if data.startswith(mark)), None)


def mostly_utf8(data: bytes) -> bool:
    r"""Whether nearly all letters beyond ASCII are right in UTF-8, so that the others are errors.

    >>> mostly_utf8("é".encode() * 10 + b"\xe9"), mostly_utf8(b"caf\xe9")
    (True, False)
    """
    text = data.decode("utf-8", "ignore")
    right = len(text) - len(text.encode("ascii", "ignore"))
    wrong = len(data) - len(text.encode())  # in bytes
    return right >= NEEDED * wrong


def mended(data: bytes) -> bytes:
    r"""UTF-8 with what is wrong replaced, and without a byte order mark.

    >>> mended(b"caf\xe9").decode()
    'caf�'
    """
    return data.decode("utf-8", "replace").encode().removeprefix(codecs.BOM_UTF8)


def detect(data: bytes) -> str | None:
    r"""The encoding that bytes seem to be in; None if they do not look like text.

    >>> detect("Das Café öffnet früh, und die Tür ist grün.".encode("cp1252"))
    'cp1252'
    >>> detect(b"PK\x03\x04\x00\xff") is None
    True
    """
    if b"\0" in data:
        return None
    from charset_normalizer import from_bytes

    sample = bytearray()
    for line in BEYOND_ASCII.finditer(data):
        sample += line[0][:SAMPLE]
        if len(sample) > SAMPLE:
            break
    found = from_bytes(bytes(sample))
    best = found.best()
    names = [] if best is None else [best.encoding]
    if best is not None and any(
        USUAL in other.could_be_from_charset and other.chaos <= best.chaos and other.coherence >= best.coherence
        for other in found
    ):
        names.insert(0, USUAL)
    beyond = len(data) - len(data.translate(None, bytes(range(0x80, 0x100))))
    if names and names[0] not in LATIN and len(ACCENTS.findall(data)) >= beyond / 2:
        names.insert(0, USUAL)  # of a few accents a detector makes Chinese and worse
    for name in (*names, USUAL):
        try:
            data.decode(name)
        except UnicodeError:
            continue
        return name
    return None
