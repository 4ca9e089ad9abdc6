"""Measure the page and write docs/web.md: python -m benchmarks.web [--minutes 10] [--only crowd].

What is measured is kept in results.json, figure by figure, so that a part can be measured again.
"""

import argparse
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl
from playwright.sync_api import Browser, sync_playwright

from benchmarks.quality.tasks import corpus
from benchmarks.web.crowd import crowd
from benchmarks.web.hands import count_ms, drag_rate, progress_ms, scrolled
from benchmarks.web.opening import lines_of, opening
from benchmarks.web.page import RESULTS, write_page
from keysift.files.atomic import written_whole
from tests.web.browser.conftest import FLAGS, find_chromium
from tests.web.browser.served import Served

KEYWORDS = "baseball, hockey"
ROWS, SHORT = 100_000, 120
"""Documents of the long list, and letters of each."""


def newsgroups(folder: Path) -> Path:
    """20NG as a file."""
    path = folder / "20ng.parquet"
    pl.DataFrame({"text": corpus("20ng").texts}).write_parquet(path)
    return path


def long_list(folder: Path) -> Path:
    """A hundred thousand short documents, pieces of 20NG."""
    path = folder / "long.parquet"
    texts = corpus("20ng").texts
    pieces = [texts[row % len(texts)][SHORT * (row // len(texts)) :][:SHORT] for row in range(ROWS)]
    pl.DataFrame({"text": [f"{piece} {row}" for row, piece in enumerate(pieces)]}).write_parquet(path)
    return path


def keep(name: str, figures: Any) -> None:
    """Keep what was measured, and show it."""
    known = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {}
    with written_whole(RESULTS) as part:
        part.write_text(json.dumps({**known, name: figures}, indent=1) + "\n", "utf-8")
    print(name, figures, flush=True)


def keep_load(name: str) -> None:
    """Keep how busy the machine was, over the last five minutes."""
    known = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {}
    keep("load", {**known.get("load", {}), name: round(os.getloadavg()[1], 1)})


def ready(browser: Browser, url: str) -> None:
    """Wait until the server has learned."""
    page = browser.new_page()
    page.goto(f"{url}#/ranking")
    page.wait_for_selector("[data-test=rows] .row:not(.waiting)", timeout=3_600_000)
    page.close()


def main() -> int:
    """Measure what is asked for; 2 where there is no browser."""
    given = argparse.ArgumentParser(prog="python -m benchmarks.web")
    given.add_argument("--minutes", type=float, default=10.0)
    given.add_argument("--only", nargs="*", default=["hands", "list", "crowd"])
    asked = given.parse_args()
    chromium = find_chromium()
    if chromium is None:
        print("Chromium is not there; apt-get install chromium has it.", file=sys.stderr)
        return 2

    def with_server(name: str, source: Callable[[Path], Path], work: Callable[[Browser, Served], None]) -> None:
        with TemporaryDirectory() as temporary, sync_playwright() as playwright:
            folder = Path(temporary)
            browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
            with Served(folder / "project", source(folder), "-k", KEYWORDS, "--encoder", "none") as served:
                ready(browser, served.url)
                work(browser, served)
                keep_load(name)
            browser.close()

    def hands(browser: Browser, served: Served) -> None:
        keep("lines", lines_of())
        keep("opening", opening(browser, served.url))
        keep("count", count_ms(browser, served.url))
        keep("progress_ms", progress_ms(browser, served.url))
        keep("drag_per_second", drag_rate(browser, served.url))

    if "hands" in asked.only:
        with_server("hands", newsgroups, hands)
    if "crowd" in asked.only:
        with_server("crowd", newsgroups, lambda _, served: keep("crowd", crowd(served.url, served.pid, asked.minutes)))
    if "list" in asked.only:
        with_server("list", long_list, lambda browser, served: keep("list", scrolled(browser, served.url)))
    write_page()
    return 0


if __name__ == "__main__":
    sys.exit(main())
