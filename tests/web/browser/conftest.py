"""A real browser for the page; tests that need it say so where it is missing."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import polars as pl
import pytest
from playwright.sync_api import Browser, BrowserContext, Dialog, Page, expect, sync_playwright

from tests.cli.light import LIGHT
from tests.web.browser.served import Served

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
PATIENCE = 60_000
"""Milliseconds until something that does not come is a failure; a busy machine is none."""
SPORTS = ["--keywords", "hockey, baseball", *LIGHT]
Visit = Callable[..., Page]
expect.set_options(timeout=PATIENCE)


def find_chromium() -> str | None:
    """Where Chromium is."""
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


# Not for the whole session: while Playwright runs, no test in the same process can have an event loop of its own.
@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    path = find_chromium()
    if path is None:
        pytest.skip("Chromium is not there, so the page is not tested in a browser; apt-get install chromium has it")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium: Browser) -> Iterator[Visit]:
    """Opens the page, each time as another browser would; at the end nothing has left the machine and nothing broke."""
    contexts: list[BrowserContext] = []
    hosts: set[str | None] = set()
    wrong: list[str] = []

    def dismiss(dialog: Dialog) -> None:
        wrong.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def watch(page: Page) -> None:
        page.on("pageerror", lambda error: wrong.append(f"error: {error}"))
        page.on("dialog", dismiss)
        page.on(
            "console",
            lambda message: wrong.append(message.text) if "Content Security Policy" in message.text else None,
        )

    def visit(url: str, **how: Any) -> Page:
        context = chromium.new_context(
            **{"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce", **how}
        )
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        context.on("request", lambda request: hosts.add(urlsplit(request.url).hostname))
        context.on("page", watch)
        page = context.new_page()
        page.goto(url)
        page.wait_for_selector("h1")
        return page

    yield visit
    for context in contexts:
        context.close()
    assert wrong == []
    assert hosts <= {"127.0.0.1", None}  # None: what a page makes itself, blob: and data:


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """For what the tests of a module share."""
    return tmp_path_factory.mktemp("served")


@pytest.fixture(scope="module")
def news(folder: Path, corpus: pl.DataFrame) -> Path:
    """The small corpus as a file."""
    path = folder / "news.csv"
    corpus.with_row_index("id", offset=100).write_csv(path)
    return path


@pytest.fixture(scope="module")
def server(folder: Path, news: Path) -> Iterator[Served]:
    """A server that has learned from the small corpus; one for all tests of a module."""
    with Served(folder / "project", news, *SPORTS) as served:
        yield served


@pytest.fixture
def page(server: Served, visit: Visit) -> Page:
    """The page, when the ranking is there."""
    page = visit(f"{server.url}#/ranking")
    page.wait_for_selector("[data-test=rows] .row:not(.waiting)")
    return page
