"""What it takes to open the page: first paint, requests, bytes, lines."""

from pathlib import Path
from statistics import median

from playwright.sync_api import Browser

from benchmarks.paper.datasets import ROOT

__all__ = ["lines_of", "opening"]

VISITS = 9
STATIC = ROOT / "src" / "keysift" / "web" / "static"
PAINTED = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"


def opening(browser: Browser, url: str) -> dict[str, float]:
    """Median of some visits, each with an empty cache."""
    painted, sizes, seen = [], [0], [0]
    for _ in range(VISITS):
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        page = context.new_page()
        watch = context.new_cdp_session(page)
        watch.send("Network.enable")
        sizes.append(0)
        seen.append(0)

        def finished(event: dict[str, float]) -> None:
            sizes[-1] += int(event["encodedDataLength"])
            seen[-1] += 1

        watch.on("Network.loadingFinished", finished)
        page.goto(f"{url}#/ranking")
        page.wait_for_selector("[data-test=rows] .row:not(.waiting)")
        page.wait_for_timeout(400)
        painted.append(float(page.evaluate(PAINTED)))
        context.close()
    return {"first_paint_ms": median(painted), "requests": seen[-1], "kB": sizes[-1] / 1e3}


def lines_of(folder: Path = STATIC) -> dict[str, int]:
    """Lines of the page by kind."""
    kinds = ("js", "css", "html")
    return {kind: sum(len(file.read_text("utf-8").splitlines()) for file in folder.glob(f"*.{kind}")) for kind in kinds}
