import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keysift.corpus.decoding import decode, is_binary

GERMAN = "Der Torwart hielt spät, und die Zuschauer jubelten über das schöne Spiel. Grüße aus Köln!"
ENGLISH = "A café game of hockey was won by the naïve goalie in the last minute."
POLISH = "Drużyna hokejowa wygrała mecz w ostatniej minucie, a kibice świętowali zwycięstwo na ulicach."
JAPANESE = "ホッケーチームが最後の試合に勝ちました。ファンは街で祝いました。"
RUSSIAN = "Хоккейная команда выиграла матч в последнюю минуту, и болельщики долго праздновали победу на улицах."


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (GERMAN, "cp1252"),
        (GERMAN, "latin-1"),
        (ENGLISH, "latin-1"),
        (POLISH, "cp1250"),
        (RUSSIAN, "cp1251"),
        (RUSSIAN, "koi8-r"),
        (JAPANESE, "shift_jis"),
        (GERMAN, "utf-16"),
        (GERMAN, "utf-16-le"),
        (GERMAN, "utf-16-be"),
    ],
)
def test_other_encodings_are_found(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)).text == text


def test_utf8_with_a_flaw_stays_utf8() -> None:
    flawed = GERMAN.encode() * 3 + b"\xff" + GERMAN.encode()
    decoded = decode(flawed)
    assert decoded.text == GERMAN * 3 + "\ufffd" + GERMAN
    assert not decoded.sure


def test_an_encoding_that_is_named_is_taken_at_its_word() -> None:
    assert decode("é".encode(), "latin-1").text == "Ã©"
    wrong = decode(b"caf\xe9", "ascii")
    assert (wrong.text, wrong.sure) == ("caf\ufffd", False)


def test_a_mark_is_no_text() -> None:
    assert decode(codecs.BOM_UTF8 + b"a").text == "a"
    assert decode("a".encode("utf-16")).text == "a"


@given(data=st.binary())
def test_anything_becomes_text_that_can_be_written(data: bytes) -> None:
    decode(data).text.encode()


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", True),
        (b"PK\x03\x04\x14\0\0\0", True),
        (b"GIF89a\x01\x02\x03\x04\x05\x06", True),
        (b"", False),
        (b"a goal\n", False),
        ("日本語".encode("shift_jis"), False),
        ("a goal".encode("utf-16"), False),
        ("a goal".encode("utf-16-le"), False),
        (bytes(range(256)) * 4, True),
        (b"\1\0\2\0\3\0\4\0", True),
        (b"a page\x0cand a bell\x07 and \x1b[1mbold", False),
    ],
)
def test_is_binary(data: bytes, expected: bool) -> None:
    assert is_binary(data) == expected
