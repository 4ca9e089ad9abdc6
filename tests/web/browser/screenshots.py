"""Pictures of every screen, wide and narrow, light and dark: python -m tests.web.browser.screenshots FOLDER.

They are of the sample corpus, which everybody has. With `--docs`, the two of the documentation are made again.
"""

import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from playwright.sync_api import Browser, Page, sync_playwright

from keysift.demo import KEYWORDS
from tests.web.browser.acts import LONG, at, learn
from tests.web.browser.conftest import FLAGS, find_chromium
from tests.web.browser.screens import SCREENS
from tests.web.browser.served import Served

SIZES = {"wide": (1280, 800), "narrow": (390, 844)}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
DOCS = Path(__file__).parents[3] / "docs"
SHOWN = {"ranking": "ranking-asked", "keywords": "keywords"}
"""Screens that the documentation shows."""
FOUND = "scipy.stats"
"""How the names of the documents begin that the keywords mean."""


def take(browser: Browser, url: str, folder: Path, screens: Mapping[str, Callable[[Page, str], None]]) -> None:
    """Some screens at every size in both schemes."""
    for size, (width, height) in SIZES.items():
        for scheme in SCHEMES:
            context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
            context.set_default_timeout(LONG)
            page = context.new_page()
            page.goto(f"{url}#/ranking")
            page.wait_for_selector("[data-test=rows] .row:not(.waiting)", timeout=LONG)
            for name, show in screens.items():
                show(page, url)
                page.evaluate("scrollTo(0, 0)")
                page.wait_for_timeout(400)  # until what moves has come to rest
                page.screenshot(path=folder / f"{name}-{size}-{scheme}.png", full_page=size == "narrow")
            context.close()


def prepare(browser: Browser, url: str) -> None:
    """Learn twice, answer some documents."""
    page = browser.new_page()
    page.set_default_timeout(LONG)
    page.goto(f"{url}#/ranking")
    page.wait_for_selector("[data-test=rows] .row:not(.waiting)", timeout=600_000)
    page.goto(f"{url}#/keywords")
    at(page, "chip").first.wait_for()
    at(page, "add").fill("random variable:2, -random_state")
    at(page, "add").press("Enter")
    page.wait_for_selector("[data-test=chip][data-word='random variable']")
    learn(page)
    page.goto(f"{url}#/review")
    for key in "yyynyn":
        at(page, "tally").wait_for()
        with page.expect_response("**/api/review/answer"):
            page.keyboard.press(key)
        page.wait_for_timeout(300)
    page.close()


def answer_sample(browser: Browser, url: str) -> None:
    """Answer the twenty documents that are drawn, so that it is known what to expect of the cut."""
    page = browser.new_page()
    page.set_default_timeout(LONG)
    page.goto(f"{url}#/ask")
    page.wait_for_selector("[data-test=asked] .text")
    while "Document" in at(page, "ask-where").inner_text():
        name = at(page, "asked").locator("h2").inner_text()
        with page.expect_response("**/api/ask"):
            page.keyboard.press("y" if name.startswith(FOUND) else "n")
        page.wait_for_timeout(100)
    at(page, "ask-apply").click()
    page.wait_for_selector("main.ranking")
    page.close()


def main() -> int:
    """Make them; 2 where there is no browser."""
    given = [argument for argument in sys.argv[1:] if argument != "--docs"]
    path = find_chromium()
    if path is None:
        print("Chromium is not there; apt-get install chromium has it.", file=sys.stderr)
        return 2
    folder = Path(given[0] if given else "screenshots")
    folder.mkdir(parents=True, exist_ok=True)
    arguments = ("--sample", "-k", ", ".join(KEYWORDS), *given[1:])
    with (
        TemporaryDirectory() as project,
        Served(Path(project) / "project", *arguments) as served,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        prepare(browser, served.url)
        take(browser, served.url, folder, SCREENS)
        answer_sample(browser, served.url)
        take(browser, served.url, folder, {"ranking-asked": SCREENS["ranking"]})
        browser.close()
    if "--docs" in sys.argv:
        for name, screen in SHOWN.items():
            shutil.copyfile(folder / f"{screen}-wide-light.png", DOCS / f"workbench-{name}.png")
    print(f"The pictures are in {folder}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
