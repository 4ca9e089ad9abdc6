"""Documents that mean harm: they are shown as what they are, and nothing else happens."""

from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest
from playwright.sync_api import expect

from tests.web.browser.acts import at, go
from tests.web.browser.conftest import SPORTS, Visit
from tests.web.browser.served import Served

SCRIPT = "<script>document.title='owned';alert(1)</script>"
IMAGE = "<img src=https://harm.example/x.png onerror=alert(2)>"
ESCAPES = "\x1b]0;owned\x07\x1b[31mred\x1b[0m"
OVERRIDE = "\u202etxt.exe"
HOSTILE = f"hockey {SCRIPT} goalie {IMAGE} {ESCAPES} {OVERRIDE} </textarea><style>*{{display:none}}</style>"
ID = "<svg onload=alert(3)>"
COLUMN = "<b onmouseover=alert(4)>text</b>"


@pytest.fixture(scope="module")
def server(folder: Path, corpus: pl.DataFrame) -> Iterator[Served]:
    path = folder / "<img src=x onerror=alert(5)>.csv"
    ids = [ID, *(f"d{place}" for place in range(len(corpus)))]
    texts = [f"{HOSTILE} hockey baseball", *corpus["text"]]
    notes = [HOSTILE, *corpus["topic"]]
    pl.DataFrame({"id": ids, "text": texts, COLUMN: notes}).write_csv(path)
    with Served(folder / "project", path, *SPORTS) as served:
        yield served


def test_nothing_runs_on_any_screen(server: Served, visit: Visit) -> None:
    page = visit(f"{server.url}#/ranking?search=script")
    rows = page.locator("[data-test=rows] .row:not(.waiting)")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("<script>")
    expect(rows).to_contain_text(ID)
    rows.click()
    document = at(page, "document")
    expect(document).to_contain_text(SCRIPT)
    expect(document).to_contain_text(IMAGE)
    expect(document).to_contain_text("red")
    document.get_by_text("All columns").click()
    expect(document).to_contain_text(COLUMN)
    held = document.inner_text()
    assert "\x1b" not in held
    assert "\u202e" not in held
    page.keyboard.press("Escape")

    at(page, "pasted").fill(HOSTILE)
    at(page, "score").click()
    expect(at(page, "scored")).to_contain_text(SCRIPT)

    go(page, "keywords")
    at(page, "add").fill(f"{IMAGE}")
    at(page, "add").press("Enter")
    at(page, "examples").first.click()
    expect(page.locator("tr.examples")).to_be_visible()
    go(page, "documents")
    expect(at(page, "opened")).to_contain_text("onerror=alert(5)")
    go(page, "export")
    expect(at(page, "shell")).to_contain_text("onerror")
    go(page, "review")
    at(page, "tally").wait_for()
    page.goto(f"{server.url}#/ranking?filter={SCRIPT}&search=nowhere {IMAGE}")
    page.reload()
    expect(at(page, "rows")).to_contain_text("Nothing found for")

    assert "owned" not in page.title()
    assert page.locator("main script, main img, main style, main svg[onload]").count() == 0


def test_the_report_is_as_harmless(server: Served, visit: Visit) -> None:
    page = visit(f"{server.url}#/export")
    with page.expect_download() as download:
        at(page, "report.html").click()
    path = download.value.path()
    report = page.context.new_page()
    report.goto(f"file://{path}") if path.suffix == ".html" else report.set_content(path.read_text(encoding="utf-8"))
    expect(report.locator("body")).to_contain_text("hockey")
    assert "owned" not in report.title()
    assert report.locator("img[onerror], svg[onload]").count() == 0
