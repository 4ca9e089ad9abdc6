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
LOOKED_AT = 1 << 16
"""Bytes that tell whether it is UTF-16."""
HALF, SOME, ENOUGH = 0.5, 0.05, 20
"""NUL is half of each Latin letter in UTF-16, and of each space: of all halves this share, or this one and so many."""
NEEDED = 10
"""So many letters beyond ASCII must be right for each that is wrong, to call it UTF-8 with an error."""


def utf_mark(data: bytes) -> str | None:
    """The encoding that a byte order mark of UTF-16 or UTF-32 tells.

    >>> utf_mark("a goal".encode("utf-16")), utf_mark(b"a goal")
    ('utf-16', None)
    """
    return next((encoding for mark, encoding in MARKS.items() if data.startswith(mark)), None)


def unmarked_utf16(data: bytes) -> str | None:
    r"""The byte order of UTF-16 without a mark: NULs stand at every second place; None for anything else.

    >>> unmarked_utf16("a goal".encode("utf-16-le")), unmarked_utf16("a goal".encode("utf-16-be"))
    ('utf-16-le', 'utf-16-be')
    >>> unmarked_utf16(b"a goal"), unmarked_utf16(b"\x89PNG\r\n\x1a\n\0\0\0\r")
    (None, None)
    """
    head = data[:LOOKED_AT]
    if len(data) % 2 or b"\0" not in head:
        return None
    first, second = head[::2].count(0), head[1::2].count(0)
    most, least = max(first, second), min(first, second)
    share = most / (len(head) / 2)
    if least > most / 4 or not (share >= HALF or (share >= SOME and most >= ENOUGH)):
        return None
    encoding = "utf-16-le" if second > first else "utf-16-be"
    # A pair of halves may be cut at the end of the sample; what is no text has characters that nobody prints.
    text = head.decode(encoding, "ignore")
    printed = sum(character.isprintable() or character.isspace() for character in text)
    return encoding if printed >= 0.99 * len(text) and _decodes(data, encoding) else None


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
    return next((name for name in (*names, USUAL) if _decodes(data, name)), None)


def _decodes(data: bytes, encoding: str) -> bool:
    try:
        data.decode(encoding)
    except UnicodeError:
        return False
    return True
