"""What every page has: the head, the style, tables; written whole."""

from importlib.resources import files
from pathlib import Path
from xml.etree import ElementTree as ET

from keysift.atomic import written_whole
from keysift.report.html import Child, element, render

__all__ = ["table", "write_page"]


def write_page(path: str | Path, title: str, body: ET.Element) -> None:
    """Write a self-contained page that runs no script."""
    page = element(
        "html",
        element(
            "head",
            element("meta", charset="utf-8"),
            element("meta", name="viewport", content="width=device-width, initial-scale=1"),
            # Even if a browser were tricked, it would neither run nor fetch anything.
            element(
                "meta",
                content="default-src 'none'; style-src 'unsafe-inline'",
                attributes={"http-equiv": "Content-Security-Policy"},
            ),
            element("title", title),
            element("style", files("keysift.report").joinpath("style.css").read_text(encoding="utf-8")),
        ),
        body,
        lang="en",
    )
    with written_whole(path) as part:
        part.write_text("<!DOCTYPE html>\n" + render(page), encoding="utf-8")


def table(heads: tuple[str, ...], rows: list[tuple[Child, ...]], numbers: tuple[int, ...] = ()) -> ET.Element:
    """A table; the columns `numbers` are set to the right."""

    def cell(tag: str, place: int, content: Child) -> ET.Element:
        return element(tag, content, class_="number" if place in numbers else "text")

    return element(
        "div",
        element(
            "table",
            element("thead", element("tr", *(cell("th", place, head) for place, head in enumerate(heads)))),
            element(
                "tbody",
                *(element("tr", *(cell("td", place, content) for place, content in enumerate(row))) for row in rows),
            ),
        ),
        class_="scroll",
    )
