from email.message import EmailMessage
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keysift.corpus.mail import read_eml, read_mbox
from keysift.corpus.reading import read
from keysift.errors import InputError


def mail(body: str = "Late.", subject: str = "A goal") -> EmailMessage:
    message = EmailMessage()
    message["Subject"], message["From"], message["To"] = subject, "Jörg <joerg@example.org>", "ann@example.org"
    message["Date"], message["Message-ID"] = "Mon, 06 Jan 2020 10:00:00 +0000", "<1@example.org>"
    message.set_content(body)
    return message


def test_headers_are_columns_and_subject_and_body_the_text(tmp_path: Path) -> None:
    (tmp_path / "a.eml").write_bytes(bytes(mail("Das späte Tor.", "Größe")))
    corpus = read(tmp_path / "a.eml")
    assert corpus.texts.to_list() == ["Größe\nDas späte Tor."]
    assert corpus.columns.drop("text").row(0) == (
        "Größe",
        "Jörg <joerg@example.org>",
        "ann@example.org",
        "Mon, 06 Jan 2020 10:00:00 +0000",
        "<1@example.org>",
    )


def test_a_page_is_read_only_where_there_is_no_plain_text_and_attachments_never() -> None:
    both = mail("plain")
    both.add_alternative("<p>a page</p>", subtype="html")
    both.add_attachment("attached", filename="notes.txt")
    assert read_eml(bytes(both), "a.eml")["text"].to_list() == ["A goal\nplain"]
    page = EmailMessage()
    page.set_content("<style>p {}</style><p>only <b>a</b> page</p>", subtype="html")
    assert read_eml(bytes(page), "a.eml")["text"].to_list() == ["only a page"]
    forwarded = EmailMessage()
    forwarded["Subject"] = "Fwd"
    forwarded.set_content("see below")
    forwarded.add_attachment(mail("inner body"))
    assert "see below" in read_eml(bytes(forwarded), "a.eml")["text"].item()


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"Subject: caf\xe9\n\nna\xefve", "café\nnaïve"),
        ("Subject: schöne Grüße\n\nGrüße".encode(), "schöne Grüße\nGrüße"),
        (b"Subject: =?klingon?q?x?=\nContent-Type: text/plain; charset=klingon\n\nlate", "=?klingon?q?x?=\nlate"),
        (b"Subject: =?utf-8?b?not base64!?=\n\nlate", None),
        (b"Content-Type: text/plain; charset=utf-8\n\ncaf\xe9", "café"),
        (b"Content-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/plain\n\ncut off", "cut off"),
        (b"Content-Type: multipart/mixed\n\nno boundary", None),
        (b"Content-Transfer-Encoding: base64\n\n????", None),
        (b"just a line", None),
        (b"Subject: two\n lines\n\nbody", "two lines\nbody"),
    ],
)
def test_broken_mails(data: bytes, text: str | None) -> None:
    found = read_eml(data, "a.eml")["text"].item()
    assert text is None or found == text


@given(data=st.binary(min_size=1) | st.text("=?:;\n utf-8qbA/Ccontent-type multipart/mixed boundary").map(str.encode))
def test_nothing_is_too_broken(data: bytes) -> None:
    for head in (b"", b"Subject: ", b"Content-Type: ", b"Content-Type: text/html; charset="):
        frame = read_eml(head + data, "a.eml")
        assert frame.height <= 1
        frame.write_ndjson()


def test_a_mailbox(tmp_path: Path) -> None:
    mails = [b"From ann Mon Jan  6 10:00:00 2020\n" + bytes(mail(f"Body {n}\n>From here\n")) + b"\n" for n in range(3)]
    for ends in (b"\n", b"\r\n"):
        (tmp_path / "a.mbox").write_bytes(b"".join(mails).replace(b"\n", ends))
        corpus = read(tmp_path / "a.mbox")
        assert corpus.texts.to_list() == [f"A goal\nBody {n}\n>From here" for n in range(3)]
        assert corpus.ids.to_list() == [1, 2, 3]


def test_what_is_no_mailbox() -> None:
    with pytest.raises(InputError, match=r"a\.mbox: it is no mailbox, because no line begins with 'From '"):
        read_mbox(b"Subject: a mail\n\nbody", "a.mbox")
    assert read_mbox(b"\n", "a.mbox").is_empty()
    assert read_eml(b"", "a.eml").is_empty()
