from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keysift.corpus.reading import read
from keysift.corpus.webpage import page_text, read_html


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<p>a <b>go</b>al</p><p>rain</p>", "a goal\nrain"),
        ("<style>p {}</style>a<script>if (a < b) run('</p>')</script> goal", "a goal"),
        ("<ul><li>a<li>b</ul>", "a\nb"),
        ("caf&eacute; &#8211; &lt;b&gt; &nosuch;", "café – <b> &nosuch;"),
        ("a\n  goal<br/>late<!-- hidden --><hr>rain", "a goal\nlate\nrain"),
        ("<template><p>no</p></template>yes", "yes"),
        ("<p>never closed <b>at all", "never closed at all"),
        ("<<p>odd<//p> & < >", "<\nodd"),
        ("plain text", "plain text"),
        ("a<![endif]>b<![odd [x]>c", "abc"),
        ("<![CDATA[a]]><![OCTYPE html>b", "b"),
        ("a<![odd", "a"),
    ],
)
def test_text(page: str, text: str) -> None:
    assert page_text(page)[1].startswith(text)


def test_the_first_title_is_the_title_and_stands_in_the_text() -> None:
    page = "<html><head><title> A\n goal </title></head><body>Late.<svg><title>a picture</title></svg></body></html>"
    assert page_text(page) == ("A goal", "A goal\nLate.\na picture")


@pytest.mark.parametrize(
    "data",
    [
        "<p>café".encode(),
        '<meta charset="iso-8859-1"><p>café'.encode("latin-1"),
        '<meta http-equiv="Content-Type" content="text/html; charset=windows-1252"><p>café'.encode("cp1252"),
        '<meta charset="klingon"><p>café'.encode(),
        '<meta charset="latin-1"><p>café'.encode(),  # it says one thing and is another
        "<p>café".encode("utf-16"),
        b"\xef\xbb\xbf<p>caf\xc3\xa9",
    ],
)
def test_encodings(data: bytes) -> None:
    assert read_html(data, "a.html")["text"].to_list() == ["café"]


def test_an_encoding_that_is_named_counts(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes('<meta charset="utf-8"><p>хоккей'.encode("koi8-r"))
    assert read(tmp_path / "a.html", encoding="koi8-r").texts.to_list() == ["хоккей"]


@pytest.mark.parametrize("part", ["<a ", "<!--", "<a b='", "</", "<![", "<script>"])
@pytest.mark.parametrize("end", ["", ">"])
def test_markup_that_never_ends_takes_no_time(part: str, end: str) -> None:
    # Without care the library takes minutes for the first.
    assert len(page_text(part * 20_000 + end)[1]) <= len(part) * 20_000


@given(page=st.text(alphabet="<>/!-&;'\"= abpscript\n[]?") | st.text())
def test_no_page_is_too_broken(page: str) -> None:
    title, text = page_text(page)
    assert "\n\n" not in text
    assert "\n" not in title
    assert read_html(page.encode("utf-8", "replace"), "a.html").height == bool(page.encode("utf-8", "replace").strip())
