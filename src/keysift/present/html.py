"""Pages as HTML: text is escaped whatever it holds, and a page runs no script and loads nothing."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from markupsafe import Markup

from keysift import __version__
from keysift.files.atomic import written_whole
from keysift.present.facts import Page

if TYPE_CHECKING:
    from jinja2 import Environment

CONTROLS = {code: " " for code in (*range(32), *range(127, 160)) if chr(code) not in "\t\n\r"}
"""A page may not hold control characters, and they say nothing to a reader."""


def render(page: Page) -> str:
    """The page as HTML.

    >>> html = render(Page("a <b>", "Ranking", "news.csv", ()))
    >>> "<title>a &lt;b&gt;</title>" in html, "<b>" in html
    (True, False)
    """
    return environment().get_template("page.html.j2").render(page=page, version=__version__)


def render_card(page: Page) -> str:
    """The figures and sentences of a page, as a piece of another page.

    >>> from keysift.present.facts import Sentence
    >>> html = render_card(Page("", "Model", "fitted", (), lead=Sentence("<goal>", lead="Keywords:")))
    >>> "&lt;goal&gt;" in html, "<html" in html
    (True, False)
    """
    return environment().get_template("card.html.j2").render(page=page, version=__version__)


def write_page(path: str | Path, page: Page) -> None:
    """Write a self-contained page, whole or not at all."""
    html = render(page)
    with written_whole(path) as part:
        part.write_text(html, encoding="utf-8")


@cache
def environment() -> "Environment":
    """Where templates come from and how values are put into them."""
    from jinja2 import Environment, PackageLoader, StrictUndefined  # most runs write no page

    return Environment(
        loader=PackageLoader("keysift.present"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_printable,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _printable(value: object) -> object:
    r"""The value as text that a file can hold; what a template made of values is so already.

    >>> _printable("a\x00b\ud800"), _printable(1.5)
    ('a b?', 1.5)
    """
    if isinstance(value, str) and not isinstance(value, Markup):
        return value.translate(CONTROLS).encode("utf-8", "replace").decode()
    return value
