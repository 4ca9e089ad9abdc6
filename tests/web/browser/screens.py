"""Every screen of the page, and how to come to it when something is learned."""

from collections.abc import Callable

from playwright.sync_api import Page

from tests.web.browser.acts import LONG, at


def _show(page: Page, url: str, screen: str) -> None:
    if page.locator("dialog[open]").count():
        page.keyboard.press("Escape")
    page.goto(f"{url}#/{screen}")
    page.wait_for_selector(f"main.{screen}")


def documents(page: Page, url: str) -> None:
    """Step 1, with what is in the file."""
    _show(page, url, "documents")
    if not at(page, "open").count() and at(page, "project-file").count():
        at(page, "project-file").first.click()
        at(page, "open").wait_for(timeout=LONG)


def keywords(page: Page, url: str) -> None:
    """Step 2, with the examples of the first keyword."""
    _show(page, url, "keywords")
    first = at(page, "examples").first
    first.wait_for()
    if first.get_attribute("aria-expanded") == "false":
        first.click()
    page.wait_for_selector("tr.examples")


def ranking(page: Page, url: str) -> None:
    """Step 3, with the histogram."""
    _show(page, url, "ranking")
    page.wait_for_selector("[data-test=rows] .row:not(.waiting)")
    page.wait_for_selector("svg.histogram .with")


def one_document(page: Page, url: str) -> None:
    """A document as a whole."""
    ranking(page, url)
    page.locator("[data-test=rows] .row").nth(1).click()
    at(page, "document").wait_for()


def the_map(page: Page, url: str) -> None:
    """The map, made where it is not."""
    _show(page, url, "map")
    page.wait_for_selector(".method:not(:empty), .cover:not([hidden]) button")
    if at(page, "make-map").is_visible():
        at(page, "make-map").click()
    page.wait_for_selector(".method:not(:empty)", timeout=LONG)
    at(page, "in-view").click()
    page.wait_for_selector("[data-test=rows] .row:not(.waiting)")


def ask(page: Page, url: str) -> None:
    """Twenty documents drawn at random."""
    _show(page, url, "ask")
    page.wait_for_selector("[data-test=asked] .text")


def review(page: Page, url: str) -> None:
    """Step 4, with the evidence."""
    _show(page, url, "review")
    at(page, "tally").wait_for()
    if at(page, "evidence").is_hidden():
        page.keyboard.press("e")
    at(page, "evidence").wait_for()


def export(page: Page, url: str) -> None:
    """Step 5."""
    _show(page, url, "export")
    at(page, "shell").wait_for()


def keys(page: Page, url: str) -> None:
    """The list of keys."""
    export(page, url)
    page.keyboard.press("?")
    at(page, "keys").wait_for()


SCREENS: dict[str, Callable[[Page, str], None]] = {
    "documents": documents,
    "keywords": keywords,
    "ranking": ranking,
    "document": one_document,
    "map": the_map,
    "ask": ask,
    "review": review,
    "export": export,
    "keys": keys,
}
