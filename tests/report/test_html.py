from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from keysift.report.html import element, render


class Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


@given(st.text(), st.text())
def test_text_never_becomes_markup(before: str, inside: str) -> None:
    reader = Reader()
    reader.feed(render(element("div", f"<script>{before}", element("b", inside), "</div>", title=inside)))
    reader.close()
    assert reader.tags == ["div", "b"]
    assert reader.text.startswith("<script>")
    assert reader.text.endswith("</div>")


def test_control_characters_and_lone_surrogates_are_harmless() -> None:
    assert render(element("p", "a\x00b\x1bc\ud800")) == "<p>a b c?</p>"
