import re
from dataclasses import replace
from html.parser import HTMLParser
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import UndefinedError

from keysift.present.drawing import Band, Bar, Curve, Dot, Drawing, Label, Line
from keysift.present.facts import Document, Fact, Listing, Page, Section, Sentence, Table, TextPiece
from keysift.present.html import environment, render


class Reader(HTMLParser):
    """All tags, names of attributes and texts of a page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def read(page: Page) -> Reader:
    reader = Reader()
    reader.feed(render(page))
    reader.close()
    return reader


def page_with(text: str) -> Page:
    """A page with the text in every place that takes one."""
    drawing = Drawing(
        9,
        9,
        text,
        grid=(Line(0, 0, 1, 1, "grid"),),
        bands=(Band(((0, 0), (1, 1)), "band"),),
        bars=(Bar(0, 0, 1, 1, "with", text),),
        curves=(Curve(((0, 0), (1, 1)), "curve"),),
        lines=(Line(0, 0, 1, 1, "axis"),),
        dots=(Dot(1, 1, 1),),
        labels=(Label(0, 0, text),),
    )
    drawing = replace(drawing, narrow=drawing)
    section = Section(
        text,
        (Sentence(text, lead=text),),
        drawing,
        Table((text,), ((text,),)),
        (Listing(text, (text,)),),
        (Sentence(text),),
        (Document(text, text, text, True, (TextPiece(text), TextPiece(text, "keyword")), text, text),),
    )
    wide = Section(text, table=Table((text,) * 30, ((text,) * 30,)))  # a phone shows it as a list
    facts = (Fact(text, text, text),)
    return Page(text, text, text, (section, wide), facts, Sentence(text, lead=text), (Sentence(text),))


HARMLESS = read(page_with("x"))
PLACES = render(page_with("xyzzy")).count("xyzzy")


@pytest.mark.parametrize(
    "attack",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "'\"><svg onload=alert(1)>",
        '" onmouseover="alert(1)',
        "</title></style></script><b>",
        "{{ 7 * 7 }}{% raw %}",
        "<!-- &lt;b&gt; &amp;",
    ],
)
def test_text_never_becomes_markup(attack: str) -> None:
    reader = read(page_with(attack))
    assert reader.tags == HARMLESS.tags
    assert [name for name, _ in reader.attributes] == [name for name, _ in HARMLESS.attributes]
    shown = "".join(reader.texts).count(attack) + sum(value == attack for _, value in reader.attributes)
    assert shown == PLACES


@given(st.text())
def test_no_text_at_all_becomes_markup(text: str) -> None:
    reader = read(page_with(f"<i>{text}"))
    assert reader.tags == HARMLESS.tags
    assert len(reader.attributes) == len(HARMLESS.attributes)


def test_control_characters_and_lone_surrogates_are_replaced_everywhere() -> None:
    html = render(page_with("a\x00b\x1bc\x7fd\x9be\ud800"))
    assert html.count("a b c d e?") == PLACES
    html.encode("utf-8")
    assert not set(html) & {chr(code) for code in (*range(9), 11, 12, *range(14, 32), *range(127, 160))}


def test_a_page_runs_and_loads_nothing() -> None:
    assert ("content", "default-src 'none'; style-src 'unsafe-inline'") in HARMLESS.attributes
    assert not {"script", "img", "link", "iframe", "a"} & set(HARMLESS.tags)
    assert not {"src", "href", "style"} & {name for name, _ in HARMLESS.attributes}
    assert "http" not in render(page_with("x")).replace("http-equiv", "")


def test_what_is_empty_is_not_shown() -> None:
    reader = read(Page("t", "h", "s", (Section("only a title"),)))
    assert not {"svg", "table", "dl", "article", "b"} & set(reader.tags)
    assert reader.tags.count("p") == 1  # the source


def test_escaping_is_never_switched_off_and_a_missing_value_is_an_error() -> None:
    for name in environment().list_templates():
        if name.endswith(".j2"):
            text = files("keysift.present").joinpath("templates", name).read_text(encoding="utf-8")
            assert not re.search(r"\|\s*safe", text), name
            assert "autoescape" not in text, name
    with pytest.raises(UndefinedError):
        environment().from_string("{{ missing }}").render()
