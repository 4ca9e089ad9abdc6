"""Twenty documents drawn at random: answered, left in the middle, used, and what is said of them later."""

from playwright.sync_api import Page, expect

from tests.web.browser.acts import LONG, at, drag_cut
from tests.web.browser.conftest import Visit
from tests.web.browser.served import Served

SPORTS = ("hockey", "baseball", "goalie", "pitcher", "team", "league", "game", "season", "coach", "playoff")


def answer_shown(page: Page) -> None:
    """By a key, as the text has it."""
    text = at(page, "asked").inner_text()
    with page.expect_response("**/api/ask"):
        page.keyboard.press("y" if any(word in text.lower() for word in SPORTS) else "n")


def test_a_sample_is_answered_and_judges_the_ranking_until_it_is_learned(
    server: Served, page: Page, visit: Visit
) -> None:
    expect(at(page, "source")).to_have_text("Precision and recall are modelled from other corpora (90 % intervals).")
    at(page, "ask").click()
    for number in range(1, 8):
        expect(at(page, "ask-where")).to_have_text(f"Document {number} of 20")
        answer_shown(page)
    expect(at(page, "ask-where")).to_have_text("Document 8 of 20")
    eighth = at(page, "asked").locator("h2").inner_text()
    page.reload()
    expect(at(page, "asked").locator("h2")).to_have_text(eighth)
    server.kill()
    server.come_back()
    page.goto(f"{server.url}#/ask")
    page.reload()
    expect(at(page, "ask-where")).to_have_text("Document 8 of 20", timeout=LONG)
    expect(at(page, "asked").locator("h2")).to_have_text(eighth)
    for number in range(8, 21):
        expect(at(page, "ask-where")).to_have_text(f"Document {number} of 20")
        answer_shown(page)
    at(page, "ask-apply").click()
    page.wait_for_selector("main.ranking")
    expect(at(page, "source")).to_contain_text("modelled from 20 answers and other corpora")
    precision = at(page, "precision").inner_text()
    assert precision.endswith("%")

    page.locator("[data-test=rows] .row:not(.waiting)").first.click()
    at(page, "document").wait_for()
    page.keyboard.press("n")  # which is learned, and the sample with it
    page.keyboard.press("Escape")
    advice = page.locator(".cut .advice")
    expect(advice).to_contain_text("has learned from these answers since", timeout=LONG)
    expect(advice).to_contain_text(f"{precision.split()[0]} % (")
    expect(at(page, "source")).to_be_hidden()
    expect(at(page, "precision-interval")).to_have_text("not known yet")


def test_a_cut_that_is_measured_says_so_while_it_is_dragged(page: Page) -> None:
    page.get_by_text("Other ways to cut").click()
    at(page, "rule").select_option("top")
    at(page, "rule-value").fill("7")
    at(page, "apply-rule").click()
    expect(at(page, "cut-count")).to_have_text("7")
    at(page, "ask").click()
    page.wait_for_selector("[data-test=asked] .text, [data-test=ask-apply]")
    while "Document" in at(page, "ask-where").inner_text():
        answer_shown(page)
        page.wait_for_timeout(100)
    at(page, "ask-apply").click()
    page.wait_for_selector("main.ranking")
    expect(at(page, "message")).to_contain_text("Your answers are used. The cut stays as you chose it: the top 7.")
    expect(at(page, "source")).to_contain_text("measured by your 20 answers to a random sample")
    page.wait_for_selector("svg.histogram .with")
    seen = page.evaluate_handle(
        """() => { const seen = []; const part = document.querySelector("[data-test=precision-interval]");
        new MutationObserver(() => seen.push(part.textContent)).observe(part, { childList: true, subtree: true });
        return seen }"""
    )
    with page.expect_response("**/api/cut"):
        drag_cut(page, 0.4)
    expect(at(page, "precision-interval")).to_contain_text("%")
    assert "let go to measure" in seen.json_value()
