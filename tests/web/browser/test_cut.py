"""The line in the histogram, dragged by hand and moved by keys."""

from playwright.sync_api import Page, expect

from tests.web.browser.acts import at, drag_cut, number
from tests.web.browser.conftest import Visit
from tests.web.browser.served import Served


def test_the_page_of_a_file_with_keywords_opens_on_its_ranking(server: Served, visit: Visit) -> None:
    page = visit(server.url)  # it may still be learning
    page.wait_for_selector("main.ranking [data-test=rows] .row:not(.waiting)")
    assert page.url.endswith("#/ranking")


def test_a_drag_changes_the_figures_at_once_and_is_kept(page: Page) -> None:
    at(page, "cut").wait_for()
    page.wait_for_selector("svg.histogram .with")
    kept: list[str] = []
    page.on("request", lambda request: kept.append(request.url) if request.url.endswith("/api/cut") else None)

    drag_cut(page, 0.15)
    many = number(at(page, "cut-count").inner_text())
    with page.expect_response("**/api/cut") as answer:
        drag_cut(page, 0.97)
    few = number(at(page, "cut-count").inner_text())
    assert few < many
    assert answer.value.ok
    assert len(kept) == 2, "asked for once a drag, not once a frame"
    expect(page.locator(".row.positive")).to_have_count(few)

    page.reload()
    expect(at(page, "cut-count")).to_have_text(str(few))


def test_keys_move_the_cut_from_end_to_end(page: Page) -> None:
    page.wait_for_selector("svg.histogram .with")
    line = at(page, "cut")
    line.focus()
    with page.expect_response("**/api/cut"):
        page.keyboard.press("Home")
    everything = number(at(page, "cut-count").inner_text())
    assert everything == 60
    assert line.get_attribute("aria-valuetext") is not None
    with page.expect_response("**/api/cut"):
        page.keyboard.press("End")
    assert number(at(page, "cut-count").inner_text()) < everything


def test_a_number_of_documents_is_cut_exactly(page: Page) -> None:
    page.get_by_text("Other ways to cut").click()
    at(page, "rule").select_option("top")
    at(page, "rule-value").fill("7")
    at(page, "apply-rule").click()
    expect(at(page, "cut-count")).to_have_text("7")
    expect(page.locator(".row.positive")).to_have_count(7)


def test_a_figure_that_cannot_be_is_refused_with_a_sentence(page: Page) -> None:
    page.get_by_text("Other ways to cut").click()
    at(page, "rule").select_option("precision")
    at(page, "rule-value").fill("400")
    at(page, "apply-rule").click()
    expect(page.locator(".cut .field-problem")).to_contain_text("precision")


def test_what_is_pressed_slowly_is_clicked(page: Page) -> None:
    """Though what is on the screen is asked for, and drawn, again and again."""
    step = at(page, "step-keywords")
    box = step.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    page.mouse.down()
    with page.expect_response("**/api/status"):
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_timeout(100)
    page.mouse.up()
    page.wait_for_selector("main.keywords")
