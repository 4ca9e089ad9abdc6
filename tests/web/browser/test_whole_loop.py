"""From a file to a finished export on a real set: what numpy says of its functions."""

from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest
from playwright.sync_api import Page, expect

import keysift
from keysift import demo
from tests.web.browser.acts import LONG, add, at, drag_cut, go, learn, number, open_documents, upload
from tests.web.browser.conftest import Visit
from tests.web.browser.served import Served

KEYWORDS = "polynomial, coefficients, roots"


@pytest.fixture(scope="module")
def docstrings(folder: Path) -> Path:
    """The docstrings of numpy, with the module that each is from in its id."""
    path = folder / "numpy.csv"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(demo, "PACKAGES", ("numpy",))
        corpus = demo.collect_docstrings()
    pl.DataFrame([corpus.ids, corpus.texts]).write_csv(path)
    return path


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Served]:
    """A server with nothing in it."""
    with Served(folder / "project", "--encoder", "none") as served:
        yield served


def take(page: Page, name: str, folder: Path) -> Path:
    """Click on an export, and keep it."""
    with page.expect_download(timeout=LONG) as download:
        at(page, name).click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def test_from_upload_to_export(server: Served, visit: Visit, docstrings: Path, tmp_path: Path) -> None:
    page = visit(server.url)
    documents = len(pl.read_csv(docstrings))

    expect(at(page, "standing")).to_contain_text("No documents are open")
    upload(page, docstrings)
    expect(at(page, "counts")).to_contain_text(f"{documents:,}")
    expect(at(page, "counts")).to_contain_text("English")
    open_documents(page)

    at(page, "next").click()
    add(page, KEYWORDS)
    learn(page)
    expect(at(page, "suggestion").first).to_be_visible()

    at(page, "next").click()
    rows = page.locator("[data-test=rows] .row:not(.waiting)")
    expect(rows.first).to_contain_text("numpy.polynomial")
    expect(at(page, "total")).to_have_text(f"{documents:,} documents")
    page.wait_for_selector("svg.histogram .with")
    with page.expect_response("**/api/cut"):
        drag_cut(page, 0.5)
    page.get_by_label("Without a keyword").check()
    expect(rows.first.locator(".tag")).to_have_text("no keyword")
    rows.first.click()
    expect(at(page, "document")).to_contain_text("holds no keyword")
    page.keyboard.press("Escape")
    at(page, "pasted").fill("Evaluate a Chebyshev polynomial with these coefficients.")
    at(page, "score").click()
    expect(at(page, "scored")).to_contain_text("Above the cut")

    go(page, "review")
    for answer in "yyyn":
        before = at(page, "tally").text_content() or ""
        page.keyboard.press(answer)
        expect(at(page, "tally")).not_to_have_text(before)
    expect(at(page, "tally")).to_contain_text("✓ 3 relevant")

    go(page, "export")
    table = pl.read_csv(take(page, "ranking.csv", tmp_path))
    assert len(table) == documents
    assert sum(name.startswith("numpy.polynomial") for name in table["id"].head(20)) >= 15
    assert pl.read_excel(take(page, "ranking.xlsx", tmp_path))["id"].to_list() == table["id"].to_list()
    assert pl.read_parquet(take(page, "ranking.parquet", tmp_path))["id"].to_list() == table["id"].to_list()
    assert pl.read_ndjson(take(page, "ranking.jsonl", tmp_path))["id"].to_list() == table["id"].to_list()
    said = pl.read_csv(take(page, "answers.csv", tmp_path))
    assert sorted(said["answer"]) == ["n", "y", "y", "y"]
    model = keysift.load(take(page, "model.keysift", tmp_path))
    assert model.decision_function(["roots of a polynomial"])[0] > model.decision_function(["a list of files"])[0]
    report = take(page, "report.html", tmp_path).read_text(encoding="utf-8")
    assert "polynomial" in report
    assert "<script src" not in report

    go(page, "ranking")
    page.wait_for_selector("svg.histogram .with")
    above = number(at(page, "cut-count").inner_text())
    assert abs(int(table["decision"].sum()) - above) <= 4, "the cut of the page, but for what was answered otherwise"


def test_the_page_gives_a_command_and_lines_of_python(server: Served, visit: Visit) -> None:
    page = visit(server.url)
    go(page, "export")
    shell = at(page, "shell").locator("code").inner_text()
    assert shell.startswith("keysift rank ")
    assert KEYWORDS in shell
    assert "--encoder none" in shell
    compile(at(page, "python").locator("code").inner_text(), "page", "exec")


def test_an_option_of_the_command_is_never_broken_over_two_lines(server: Served, visit: Visit) -> None:
    page = visit(f"{server.url}#/export", viewport={"width": 390, "height": 844})
    at(page, "shell").wait_for()
    lines = page.evaluate(
        """() => { const code = document.querySelector("[data-test=shell] code"), range = document.createRange();
        const found = [], walk = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
        for (let node = walk.nextNode(); node; node = walk.nextNode())
          for (const { index, 0: option } of node.data.matchAll(/(?<!\\S)--[a-z-]+/g)) {
            range.setStart(node, index); range.setEnd(node, index + option.length);
            found.push(new Set([...range.getClientRects()].map(box => box.top)).size) }
        return found }"""
    )
    assert lines
    assert set(lines) == {1}


def test_cancelled_learning_leaves_the_ranking_as_it_was(server: Served, visit: Visit) -> None:
    page = visit(f"{server.url}#/ranking")
    best = page.locator("[data-test=rows] .row:not(.waiting) .id").first.inner_text()
    go(page, "keywords")
    expect(at(page, "chip")).to_have_count(3)
    add(page, "fitting")
    at(page, "learn").click()
    at(page, "cancel").click()
    expect(at(page, "message").filter(has_text="Cancelled")).to_be_visible(timeout=LONG)
    expect(at(page, "standing")).not_to_contain_text("fitting")
    expect(at(page, "chip")).to_have_count(4)  # what was typed stays
    go(page, "ranking")
    expect(page.locator("[data-test=rows] .row:not(.waiting) .id").first).to_have_text(best)
