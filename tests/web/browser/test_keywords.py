"""Keywords on the page: counts, weights, exclusions, undo, versions and what changed between them."""

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.acts import add, at, go, learn
from tests.web.browser.conftest import Visit
from tests.web.browser.served import Served

pytestmark = pytest.mark.long


def words(page: Page) -> list[str]:
    """Those of the chips."""
    return [chip.get_attribute("data-word") or "" for chip in at(page, "chip").all()]


def test_keywords_change_and_are_learned_again(page: Page) -> None:
    go(page, "keywords")
    expect(at(page, "chip")).to_have_count(2)
    expect(at(page, "versions").locator("li")).to_have_count(1)
    add(page, "goalie:2, -tax")
    assert words(page) == ["hockey", "baseball", "goalie", "tax"]
    expect(page.locator("tr[data-word=goalie] [data-test=weight]")).to_have_value("2")
    expect(page.locator("tr[data-word=tax] [data-test=exclude]")).to_be_checked()
    expect(page.locator("aside")).to_contain_text("The keywords have changed since the ranking was made")

    learn(page)
    expect(at(page, "standing")).to_contain_text("goalie:2")
    expect(at(page, "versions").locator("li")).to_have_count(2)
    name = at(page, "version-name").first
    name.fill("with the goalie")
    name.press("Tab")
    expect(name).to_have_value("with the goalie")
    page.reload()
    expect(at(page, "version-name").first).to_have_value("with the goalie")

    at(page, "compare").click()
    expect(at(page, "changes")).to_contain_text("with the goalie")
    expect(at(page, "changes")).to_contain_text("correlation of the ranks")


def test_a_change_is_undone_and_done_again(page: Page) -> None:
    go(page, "keywords")
    at(page, "chip").first.wait_for()
    before = words(page)
    add(page, "stadium")
    page.locator("[data-word=stadium] .remove").click()
    expect(at(page, "chip")).to_have_count(len(before))
    at(page, "message").get_by_role("button", name="Undo").click()
    expect(at(page, "chip")).to_have_count(len(before) + 1)
    at(page, "undo").click()
    expect(at(page, "chip")).to_have_count(len(before))
    assert words(page) == before
    page.keyboard.press("Control+Shift+Z")
    expect(page.locator("[data-test=chip][data-word=stadium]")).to_be_visible()


def test_keywords_that_were_not_learned_yet_survive_a_reload(page: Page) -> None:
    go(page, "keywords")
    at(page, "chip").first.wait_for()
    if "soup" not in words(page):
        add(page, "soup")
    page.reload()
    expect(page.locator("[data-test=chip][data-word=soup]")).to_be_visible()


def test_a_ranking_of_other_keywords_says_so(page: Page) -> None:
    expect(at(page, "changed")).to_be_hidden()
    go(page, "keywords")
    at(page, "chip").first.wait_for()
    add(page, "stadium")
    go(page, "ranking")
    expect(at(page, "changed")).to_contain_text("Your keywords have changed")
    at(page, "changed").get_by_role("link").click()
    learn(page)
    go(page, "ranking")
    page.wait_for_selector("[data-test=rows] .row:not(.waiting)")
    expect(at(page, "changed")).to_be_hidden()


def test_what_went_wrong_is_gone_when_one_goes_on(page: Page) -> None:
    go(page, "keywords")
    at(page, "chip").first.wait_for()
    while at(page, "chip").count():
        before = at(page, "chip").count()
        at(page, "chip").first.get_by_role("button").last.click()
        expect(at(page, "chip")).to_have_count(before - 1)
    add(page, "zebra")
    at(page, "learn").click()
    expect(at(page, "error")).to_contain_text("No document holds any of 'zebra'")
    expect(at(page, "error")).not_to_contain_text("keysift keywords")
    add(page, "hockey")
    expect(at(page, "error")).to_be_visible()  # until it is of no use
    learn(page)
    expect(at(page, "error")).to_have_count(0)


def test_a_keyword_that_cannot_be_read_is_refused_and_stays_in_the_field(page: Page) -> None:
    go(page, "keywords")
    at(page, "add").fill('"ice hockey')
    at(page, "add").press("Enter")
    expect(page.locator("#add-problem")).to_contain_text("is not closed")
    expect(at(page, "add")).to_have_value('"ice hockey')


def test_a_keyword_that_is_there_already_is_not_counted_twice(page: Page) -> None:
    go(page, "keywords")
    at(page, "chip").first.wait_for()
    before = words(page)
    weight = page.locator("tr[data-word=hockey] [data-test=weight]")
    at(page, "add").fill("Hockey")
    at(page, "add").press("Enter")
    expect(page.locator("#add-problem")).to_contain_text("hockey is a keyword already")
    expect(at(page, "add")).to_have_value("")
    expect(weight).to_have_value("1")
    assert words(page) == before
    at(page, "add").fill("hockey:3")
    at(page, "add").press("Enter")
    expect(page.locator("#add-problem")).to_contain_text("hockey has the weight 3 now")
    expect(weight).to_have_value("3")


def test_two_browsers_see_what_the_other_did(server: Served, visit: Visit) -> None:
    one, other = visit(f"{server.url}#/keywords"), visit(f"{server.url}#/review")
    at(one, "chip").first.wait_for()
    at(other, "tally").wait_for()
    add(one, "striker")
    learn(one)
    expect(at(other, "standing")).to_contain_text("striker")

    go(one, "review")
    shown = at(one, "shown").locator("h2")
    expect(at(other, "shown").locator("h2")).to_have_text(shown.inner_text())
    before = shown.inner_text()
    one.keyboard.press("y")
    expect(shown).not_to_have_text(before)
    expect(at(other, "shown").locator("h2")).to_have_text(shown.inner_text())
    expect(at(other, "tally")).to_contain_text("✓ 1 relevant")


def test_what_another_browser_has_answered_is_not_answered_twice(server: Served, visit: Visit) -> None:
    one, other = visit(f"{server.url}#/review"), visit(f"{server.url}#/review")
    at(one, "tally").wait_for()
    at(other, "tally").wait_for()
    before = at(other, "tally").text_content() or ""
    other.route("**/api/status", lambda route: route.abort())  # it has not heard of it yet
    one.keyboard.press("n")
    expect(at(one, "tally")).not_to_have_text(before)
    other.keyboard.press("y")
    expect(at(other, "error")).to_be_visible()
    expect(at(other, "tally")).to_have_text(at(one, "tally").text_content() or "")
