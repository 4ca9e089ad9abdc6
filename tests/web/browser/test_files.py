"""Files that are large, wrong, or dropped onto the page."""

import re
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest
from playwright.sync_api import expect

from tests.cli.light import LIGHT
from tests.web.browser.acts import LONG, add, at, open_documents
from tests.web.browser.conftest import Visit
from tests.web.browser.served import Served

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Served]:
    with Served(folder / "project", *LIGHT) as served:
        yield served


def test_wrong_files_are_refused_with_a_sentence(server: Served, visit: Visit, tmp_path: Path) -> None:
    page = visit(f"{server.url}#/documents")
    program = tmp_path / "holiday.exe"
    program.write_bytes(b"MZ\0\0")
    at(page, "file").set_input_files(program)
    expect(at(page, "error")).to_contain_text("'holiday.exe' cannot be read: its name must end in")
    at(page, "error").get_by_label("Close this message").click()

    broken = tmp_path / "broken.xlsx"
    broken.write_bytes(b"this is no spreadsheet")
    at(page, "file").set_input_files(broken)
    expect(at(page, "preview-error")).to_contain_text("broken.xlsx")

    hollow = tmp_path / "hollow.csv"
    hollow.write_bytes(b"")
    at(page, "file").set_input_files(hollow)
    expect(at(page, "preview-error")).to_contain_text("hollow.csv")
    expect(at(page, "standing")).to_contain_text("No documents are open")


def test_steps_that_are_not_possible_yet_say_what_comes_first(server: Served, visit: Visit) -> None:
    page = visit(f"{server.url}#/review")
    expect(at(page, "not-yet")).to_contain_text("No documents are open yet")
    page.keyboard.press("2")
    expect(at(page, "not-yet").get_by_role("link", name="Choose documents")).to_be_visible()


def test_a_dropped_table_is_read_as_its_columns_are_chosen(server: Served, visit: Visit) -> None:
    page = visit(f"{server.url}#/documents")
    table = "key,title,abstract\\na,Ice,The hockey goalie\\nb,Soup,With garlic\\nc,Soup,With garlic\\nd,,\\n"
    page.evaluate(
        f"""() => {{
            const given = new DataTransfer();
            given.items.add(new File(["{table}"], "papers.csv"));
            document.querySelector("[data-test=drop]").dispatchEvent(
                new DragEvent("drop", {{ dataTransfer: given, bubbles: true, cancelable: true }}));
        }}"""
    )
    at(page, "open").wait_for()
    expect(at(page, "counts")).to_contain_text("duplicates")
    chosen = [box.get_attribute("data-key") for box in at(page, "column").all() if box.is_checked()]
    assert chosen == ["column title", "column abstract"]
    with page.expect_response("**/api/preview"):
        page.locator("[data-key='column title']").uncheck()
    expect(page.locator("th.read")).to_have_text(["abstractread"])
    expect(at(page, "open")).to_have_text("Open 4 documents")
    open_documents(page)
    expect(at(page, "open")).to_have_text("Read it again")  # nobody wonders which of two buttons is next
    expect(at(page, "open")).not_to_have_class("primary")


def test_fifty_megabytes_are_read_to_their_end(
    server: Served, visit: Visit, tmp_path: Path, corpus: pl.DataFrame
) -> None:
    page = visit(f"{server.url}#/documents")
    large = tmp_path / "large.csv"
    filler = " ".join(corpus["text"].head(20))
    texts = [f"{text} {number} {filler}" for number in range(700) for text in corpus["text"]]
    pl.DataFrame({"text": texts}).write_csv(large)
    assert large.stat().st_size > 50_000_000
    slowly = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": 20_000_000}
    page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", slowly)
    at(page, "file").set_input_files(large)
    expect(at(page, "copied-share")).to_have_text(re.compile(r"[1-9]\d? %"))
    at(page, "open").wait_for(timeout=LONG)
    expect(at(page, "copied")).to_have_count(0)
    expect(at(page, "counts")).to_contain_text("42,000")
    assert (server.project / "files" / "large.csv").stat().st_size == large.stat().st_size
    at(page, "open").click()
    expect(at(page, "progress").first).to_be_visible()
    at(page, "cancel").click()
    expect(at(page, "message").filter(has_text="Cancelled")).to_be_visible(timeout=LONG)
    expect(at(page, "open")).to_be_enabled()
    at(page, "open").click()
    at(page, "opened").wait_for(timeout=5 * LONG)
    expect(at(page, "standing")).to_contain_text("42,000 documents")
    at(page, "next").click()
    add(page, "hockey")
    expect(at(page, "reach")).to_contain_text("of 42,000 documents hold a keyword")
