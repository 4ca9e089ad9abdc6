"""What people do on the page, in the words of a test."""

from pathlib import Path

from playwright.sync_api import Locator, Page, expect

LONG = 120_000
"""Milliseconds for work that takes seconds by itself."""


def at(page: Page, name: str) -> Locator:
    """A part of the page by the name that it has for tests."""
    return page.locator(f"[data-test='{name}']")


def go(page: Page, screen: str) -> None:
    """To another screen, by the bar at the top."""
    at(page, f"step-{screen}").click()
    page.wait_for_selector(f"main.{screen}")


def upload(page: Page, path: Path) -> None:
    """Choose a file, and wait for what is in it."""
    at(page, "file").set_input_files(path)
    at(page, "open").wait_for(timeout=LONG)


def open_documents(page: Page) -> None:
    """Open the file that is looked at."""
    at(page, "open").click()
    at(page, "opened").wait_for(timeout=LONG)


def add(page: Page, keywords: str) -> None:
    """Add keywords, and wait for what they find."""
    before = at(page, "chip").count()
    at(page, "add").fill(keywords)
    at(page, "add").press("Enter")
    expect(at(page, "chip")).not_to_have_count(before)
    expect(at(page, "chip-count").filter(has_text="…")).to_have_count(0)


def learn(page: Page) -> None:
    """Learn from the keywords, and wait until it is done."""
    at(page, "learn").click()
    expect(at(page, "learn")).to_contain_text("Learn again", timeout=LONG)


def number(text: str) -> int:
    """A count as the page writes it.

    >>> number("1,234 documents"), number("12 of 60")
    (1234, 12)
    """
    return int("".join(letter for letter in text.split()[0] if letter.isdigit()))


def drag_cut(page: Page, share: float) -> None:
    """Take the line of the cut to so far from the left of the histogram, and let go."""
    grip = page.locator("[data-test=cut] .grip").bounding_box()
    box = page.locator("svg.histogram").bounding_box()
    assert grip is not None
    assert box is not None
    page.mouse.move(grip["x"] + grip["width"] / 2, grip["y"] + grip["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + share * box["width"], grip["y"] + 40, steps=10)
    page.mouse.up()
