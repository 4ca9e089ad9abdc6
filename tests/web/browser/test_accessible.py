"""Every screen as axe-core sees it: wide and narrow, light and dark."""

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.web.browser.acts import at
from tests.web.browser.conftest import Visit
from tests.web.browser.screens import SCREENS
from tests.web.browser.served import Served

pytestmark = pytest.mark.long

AXE = Axe()
"""It is given to the page by the browser, past the policy that keeps other scripts out."""


def violations(page: Page) -> list[str]:
    """What is serious or worse, in words."""
    found: list[dict[str, Any]] = AXE.run(page).response["violations"]
    return [
        f"{one['id']}: {', '.join(node['html'][:150] for node in one['nodes'][:3])}"
        for one in found
        if one["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize(
    ("size", "scheme"),
    [
        pytest.param((1280, 800), "light", id="wide-light"),
        pytest.param((390, 844), "dark", id="narrow-dark"),
        pytest.param((1280, 800), "dark", id="wide-dark"),
        pytest.param((390, 844), "light", id="narrow-light"),
    ],
)
def test_no_serious_violation_on_any_screen(server: Served, visit: Visit, size: tuple[int, int], scheme: str) -> None:
    width, height = size
    viewport = {"width": width, "height": height}
    page = visit(f"{server.url}#/ranking", viewport=viewport, color_scheme=scheme, bypass_csp=True)
    at(page, "rows").wait_for()
    wrong = {}
    for name, show in SCREENS.items():
        show(page, server.url)
        if found := violations(page):
            wrong[name] = found
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name} is wider than the window"
    assert wrong == {}
