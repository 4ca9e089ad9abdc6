"""Pages in a real browser, at the width of a desk and of a phone; skipped where there is none."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from keysift.audit.measures import measure
from keysift.classifier import KeywordClassifier
from keysift.corpus.documents import Corpus
from keysift.metrics import evaluate, measured_cuts
from keysift.present.audit import write_audit_report
from keysift.present.evaluation import write_evaluation
from keysift.present.report import write_report
from keysift.present.sweep import facts_of, write_sweep
from tests.audit.cases import audit_of, ranking_frame
from tests.light import LIGHT
from tests.present.test_curves import sweep_of

playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed: no page is opened.")
CHROMIUM = shutil.which("chromium")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed: no page is opened.")
SMALLEST = 12
"""Pixels that letters of a picture have at least, at both widths."""
LONG = "x" * 90
"""A word that fits no phone."""
SEEN = """() => {
    const seen = (name) => [...document.querySelectorAll(name)].filter((one) => one.checkVisibility());
    const size = (one) => parseFloat(getComputedStyle(one).fontSize);
    const wider = (one) => one.scrollWidth > one.clientWidth + 1;
    return {
        beside: document.documentElement.scrollWidth - innerWidth,
        pictures: seen("svg").length,
        letters: Math.min(...seen("svg text").map((one) => size(one) * one.getScreenCTM().a)),
        unseen: [...document.querySelectorAll("td")].filter((one) => one.textContent && !one.checkVisibility()).length,
        hidden: seen(".scroll").filter(wider).length,
        spilled: seen(".tile, article, td").filter(wider).map((one) => one.textContent),
        named: seen(".scroll").every((one) => one.getAttribute("aria-label") && one.tabIndex === 0),
        requests: performance.getEntriesByType("resource").length,
        background: getComputedStyle(document.body).backgroundColor,
    };
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as started:
        opened = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory, texts: list[str]) -> dict[str, Path]:
    """A page of every kind."""
    folder = tmp_path_factory.mktemp("pages")
    series = pl.Series("text", [*texts, *(text.upper() for text in texts), f"hockey <script>alert(1)</script> {LONG}"])
    ids = pl.Series("id", [f"{LONG}{number}" for number in range(len(series))])
    corpus = Corpus(ids, series, series.to_frame(), f"{LONG}.csv")
    clf = KeywordClassifier(f"hockey, baseball, {LONG}", **LIGHT)
    ranking = clf.fit_rank(series)
    write_report(folder / "report.html", clf, corpus, ranking)
    audit = audit_of(ranking_frame())
    write_audit_report(folder / "audit.html", audit, measure(audit), source="r.csv")
    write_sweep(folder / "sweep.html", facts_of(sweep_of(20_000), 120, "a test", "0.5"), source="r.csv")
    labels, scores = [1, 0, 1, 0], [4.0, 3.0, 2.0, 1.0]
    metrics = evaluate(labels, scores, [1, 1, 0, 0])
    write_evaluation(folder / "evaluation.html", metrics, measured_cuts(labels, scores), source="r.csv")
    return {path.stem: path for path in folder.iterdir()}


@pytest.mark.parametrize("name", ["report", "audit", "sweep", "evaluation"])
@pytest.mark.parametrize("width", [390, 1280])
def test_everything_can_be_read(browser: Any, pages: dict[str, Path], name: str, width: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": 800})
    page.goto(pages[name].as_uri())
    seen = page.evaluate(SEEN)
    page.close()
    assert seen["beside"] == 0
    assert seen["pictures"] == 1  # of the two, one
    assert seen["letters"] >= SMALLEST
    assert seen["unseen"] == 0  # of the cells that say something
    assert (seen["hidden"], seen["spilled"]) == (0, [])
    assert seen["named"]
    assert seen["requests"] == 0


def test_paper_is_white_whatever_the_screen(browser: Any, pages: dict[str, Path]) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 800}, color_scheme="dark")
    page.goto(pages["report"].as_uri())
    assert page.evaluate(SEEN)["background"] != "rgb(255, 255, 255)"
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate(SEEN)["background"] == "rgb(255, 255, 255)"
    page.close()


def test_no_script_runs(browser: Any, pages: dict[str, Path]) -> None:
    page, told = browser.new_page(), []

    def answer(dialog: Any) -> None:
        told.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", answer)
    page.goto(pages["report"].as_uri())
    assert "<script>alert(1)</script>" in page.inner_text("body")
    assert page.locator("script").count() == 0
    assert told == []
    page.close()
