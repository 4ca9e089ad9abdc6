"""Answers by keys, and that none is lost: not by a reload, and not when the server is killed."""

import polars as pl
import pytest
from playwright.sync_api import Page, expect

from tests.cli.light import answers
from tests.web.browser.acts import at, go
from tests.web.browser.conftest import Visit
from tests.web.browser.served import Served


def press(page: Page, key: str) -> None:
    """Answer, and wait for the next document."""
    before = at(page, "tally").text_content() or ""
    page.keyboard.press(key)
    expect(at(page, "tally")).not_to_have_text(before)


def test_ten_answers_by_keys_survive_a_reload_and_a_kill(server: Served, page: Page, visit: Visit) -> None:
    go(page, "review")
    at(page, "tally").wait_for()
    for key in "yynyu":
        press(page, key)
    page.keyboard.press("o")
    page.keyboard.type("look again")
    page.keyboard.press("Escape")
    expect(at(page, "message")).to_contain_text("Saved the note")
    noted = at(page, "shown").locator("h2").inner_text()

    page.reload()
    expect(at(page, "tally")).to_contain_text("✓ 3 relevant")
    expect(at(page, "note")).to_have_value("look again")
    for key in "nyn":
        press(page, key)

    server.kill()
    expect(at(page, "banner")).to_contain_text("nothing is lost")
    server.come_back()
    expect(at(page, "banner")).to_be_hidden()
    expect(at(page, "tally")).to_contain_text("✓ 4 relevant")
    for key in "yn":
        press(page, key)
    expect(at(page, "tally")).to_contain_text("✓ 5 relevant")
    expect(at(page, "tally")).to_contain_text("✕ 4 not")
    expect(at(page, "tally")).to_contain_text("? 1 unsure")

    other = visit(f"{server.url}#/export")
    with other.expect_download() as download:
        at(other, "answers.csv").click()
    table = pl.read_csv(download.value.path())
    assert sorted(table["answer"]) == ["n"] * 4 + ["unsure"] + ["y"] * 5
    assert dict(zip(table["id"].cast(str), table["note"], strict=True))[noted] == "look again"


def test_an_answer_is_taken_back_by_a_key(page: Page) -> None:
    go(page, "review")
    at(page, "tally").wait_for()
    shown = at(page, "shown").locator("h2")
    before, asked = at(page, "tally").text_content() or "", shown.inner_text()
    press(page, "n")
    press(page, "b")
    expect(at(page, "tally")).to_have_text(before)
    expect(shown).to_have_text(asked)


def test_evidence_is_behind_a_key(page: Page) -> None:
    go(page, "review")
    at(page, "tally").wait_for()
    expect(at(page, "evidence")).to_be_hidden()
    page.keyboard.press("e")
    expect(at(page, "evidence")).to_contain_text("score")
    page.keyboard.press("e")
    expect(at(page, "evidence")).to_be_hidden()


def test_an_answer_from_the_list_counts_too(page: Page) -> None:
    at(page, "rows").focus()
    page.keyboard.press("End")
    marked = page.locator("#row-59[aria-selected=true]:not(.waiting) .id").inner_text()
    last = page.locator("[data-test=rows] .row").filter(has_text=marked)  # the answer may move it
    expect(last.locator(".badge")).to_have_count(0)
    page.keyboard.press("n")
    expect(last.locator(".badge")).to_contain_text("Not relevant")
    page.keyboard.press("Enter")
    at(page, "document").wait_for()
    page.keyboard.press("o")
    page.keyboard.type("yes or no?")
    page.keyboard.press("Escape")  # leaves the note, not the document
    expect(at(page, "message")).to_contain_text("Saved the note")
    page.keyboard.press("k")
    expect(at(page, "document").locator("h2")).not_to_have_text(marked)
    expect(at(page, "note")).to_have_value("")
    page.keyboard.press("j")
    expect(at(page, "note")).to_have_value("yes or no?")
    page.keyboard.press("Escape")
    page.get_by_label("Answered", exact=True).check()
    expect(page.locator("[data-test=rows] .badge").filter(has_text="Not relevant").first).to_be_visible()


@pytest.mark.usefixtures("chromium")  # without it nobody has answered
def test_a_server_that_stops_leaves_everything_in_the_project(server: Served) -> None:
    server.__exit__()
    assert len(answers(server.project)) >= 10
