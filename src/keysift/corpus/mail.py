"""Mails: subject and body as text, whatever state they are in."""

from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import polars as pl

from keysift.corpus.decoding import decode
from keysift.corpus.webpage import decode_page, page_text
from keysift.errors import InputError

if TYPE_CHECKING:
    from email.message import Message

HEADERS = ("subject", "from", "to", "date", "message_id")
"""Columns, named after the headers they are from."""
SCHEMA = dict.fromkeys((*HEADERS, "text"), pl.String)


def read_eml(data: bytes, source: str) -> pl.DataFrame:
    r"""A mail as one document.

    >>> frame = read_eml(b"Subject: =?utf-8?q?A_g=C3=B6al?=\nFrom: Ann <a@b.c>\n\nLate.\n", "a.eml")
    >>> frame.select("subject", "from", "text").row(0)
    ('A göal', 'Ann <a@b.c>', 'A göal\nLate.')
    """
    if not data.strip():
        return pl.DataFrame()
    return pl.DataFrame([_columns(data)], schema=SCHEMA)


def read_mbox(data: bytes, source: str) -> pl.DataFrame:
    r"""The mails of a mailbox, one document each.

    >>> box = b"From a\nSubject: one\n\nA goal.\n\nFrom b\nSubject: two\n\nRain.\n"
    >>> read_mbox(box, "a.mbox")["text"].to_list()
    ['one\nA goal.', 'two\nRain.']
    """
    from mailbox import mbox

    if not data.strip():
        return pl.DataFrame()
    with TemporaryDirectory() as folder:
        file = Path(folder) / "mbox"  # the library reads files only
        file.write_bytes(data.replace(b"\r\n", b"\n"))
        box = mbox(file, create=False)
        try:
            mails = [_columns(box.get_bytes(key)) for key in box.keys()]  # noqa: SIM118, not a dict
        finally:
            box.close()
    if not mails:
        raise InputError(
            f"{source}: it is no mailbox, because no line begins with 'From '; export it as mbox again, or choose"
            " another format with format=."
        )
    return pl.DataFrame(mails, schema=SCHEMA)


def _columns(data: bytes) -> dict[str, str | None]:
    from email import message_from_bytes, policy

    mail = message_from_bytes(data, policy=policy.compat32)
    headers = {name.lower(): value for name, value in reversed(list(mail.raw_items()))}
    row = {name: _header(headers.get(name.replace("_", "-"))) for name in HEADERS}
    body = _body(mail)
    return {**row, "text": "\n".join(filter(None, (row["subject"], body.strip())))}


def _header(raw: str | None) -> str | None:
    """A header as people read it; as it stands where its coding is broken."""
    from email.errors import MessageError
    from email.header import decode_header, make_header

    if raw is None:
        return None
    text = _characters(raw)
    with suppress(MessageError, ValueError, LookupError):
        text = str(make_header(decode_header(text)))
    return " ".join(_characters(text).split())


def _characters(text: str) -> str:
    """Bytes beyond ASCII, which the parser hides in surrogates, as characters."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return decode(text.encode("utf-8", "surrogatepass" if _is_half(text) else "surrogateescape")).text
    return text


def _is_half(text: str) -> bool:
    """Whether a half of a character is in it that stands for no byte."""
    return any("\ud800" <= character <= "\udfff" and not "\udc80" <= character <= "\udcff" for character in text)


def _body(mail: "Message") -> str:
    """The plain text of a mail, or that of its page where it has no other; attachments are left out."""
    plain, pages = [], []
    for part in mail.walk():
        if part.is_multipart() or "attachment" in str(part.get("content-disposition", "")).lower():
            continue
        match part.get_content_type():
            case "text/plain":
                plain.append(_content(part))
            case "text/html":
                pages.append(page_text(_content(part))[1])
    return "\n".join(plain if any(text.strip() for text in plain) else pages)


def _content(part: "Message") -> str:
    """The text of a part, by its charset where that is right."""
    try:
        payload = part.get_payload(decode=True)
    except (ValueError, LookupError):
        payload = None
    if not isinstance(payload, bytes):
        return ""
    with suppress(ValueError, LookupError):
        charset = part.get_content_charset()
        if charset:
            return payload.decode(charset)
    return decode_page(payload) if part.get_content_type() == "text/html" else decode(payload).text
