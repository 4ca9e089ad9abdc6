"""The text of a web page, without its markup, scripts and styles."""

import codecs
import re
from html.parser import HTMLParser

import polars as pl

from keysift.corpus.decoding import decode

SILENT = {"script", "style", "template"}
"""Elements that nobody reads."""
INLINE = {"a", "abbr", "b", "bdi", "bdo", "cite", "code", "em", "font", "i", "kbd", "mark", "q", "s", "small", "span"}
INLINE |= {"strong", "sub", "sup", "tt", "u", "var", "wbr"}
"""Elements within a line; any other ends it."""
DECLARED = re.compile(rb"""<meta[^>]+charset\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)
"""Where a page says its encoding."""
HEAD = 4096
"""Bytes in which a page has to say it."""


def read_html(data: bytes, source: str) -> pl.DataFrame:
    r"""A web page as one document: its title, and all its text with the title first.

    >>> read_html(b"<title>A goal</title><p>Late &amp; <b>l</b>ucky.<script>run()</script>", "a.html").rows()
    [('A goal', 'A goal\nLate & lucky.')]
    """
    if not data.strip():
        return pl.DataFrame()
    title, text = page_text(decode_page(data))
    return pl.DataFrame({"title": [title], "text": [text]})


def page_text(page: str) -> tuple[str, str]:
    r"""The title and the text of a page, line by line.

    >>> page_text("<h1>News</h1><p>one<br>two</p>")
    ('', 'News\none\ntwo')
    """
    parser = _Text()
    parser.feed(_closed(page))
    parser.close()
    lines = (" ".join(line.split()) for line in "".join(parser.parts).split("\n"))
    return " ".join("".join(parser.title).split()), "\n".join(filter(None, lines))


def _closed(page: str) -> str:
    """The page without beginnings of markup that never end: the library looks for each end again and again."""
    end = page.rfind("-->") + 1
    page = page[:end] + page[end:].replace("<!--", "&lt;!--")
    end = page.rfind(">") + 1
    return page[:end] + page[end:].replace("<", "&lt;")


def decode_page(data: bytes) -> str:
    r"""The page as characters: UTF-8 where it is, else as it declares, else as it looks.

    >>> decode_page(b'<meta charset="latin-1">caf\xe9')
    '<meta charset="latin-1">café'
    """
    declared = DECLARED.search(data[:HEAD])
    if declared and not data.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        try:
            return data.decode()
        except UnicodeDecodeError:
            pass
        try:
            return data.decode(declared[1].decode())
        except (UnicodeError, LookupError):
            pass
    return decode(data).text


class _Text(HTMLParser):
    """Collects what is read of a page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.title: list[str] = []
        self._silent: list[str] = []
        self._in_title = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in SILENT:
            self._silent.append(tag)
        self._in_title = tag == "title" and not self.title
        self._end_line(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self._silent:
            self._silent.remove(tag)
        self._in_title = False
        self._end_line(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._end_line(tag)

    def handle_data(self, data: str) -> None:
        if self._silent:
            return
        # A line break of the source is a space on the page.
        self.parts.append(data.replace("\n", " "))
        if self._in_title:
            self.title.append(data)

    def parse_marked_section(self, i: int, report: bool = True) -> int:
        """Pass over <![anything]> as browsers do; the library knows a few kinds and fails on others."""
        try:
            return super().parse_marked_section(i, report)
        except AssertionError:
            return self.parse_bogus_comment(i, report)

    def _end_line(self, tag: str) -> None:
        if tag not in INLINE and tag not in SILENT:
            self.parts.append("\n")
