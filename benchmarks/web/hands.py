"""How soon the page answers to hands: a keyword, the button to learn, the line of the cut, the bar of a long list."""

from statistics import median
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Browser, Page, Request

__all__ = ["count_ms", "drag_rate", "progress_ms", "scrolled"]

WORDS = ("team", "season", "puck", "league", "players", "playoffs", "pitcher", "coach", "goal", "stanley")
PATIENCE = 600_000
TYPED = """word => { window.from = window.to = 0;
  const typed = event => { if (event.key === "Enter") window.from ||= performance.now() };
  addEventListener("keydown", typed, { capture: true });
  const place = `[data-test=chip][data-word="${word}"] [data-test=chip-count]`;
  new MutationObserver((_, watch) => {
    if (!/[0-9]/.test(document.querySelector(place)?.textContent ?? "")) return;
    watch.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(() => window.to = performance.now()));
  }).observe(document.body, { subtree: true, childList: true, characterData: true }) }"""
LEARNED = """() => { window.from = window.to = 0;
  const button = document.querySelector("[data-test=learn]");
  button.addEventListener("click", () => window.from = performance.now(), { capture: true, once: true });
  new MutationObserver((_, watch) => {
    if (!document.querySelector("[data-test=progress]")) return;
    watch.disconnect();
    requestAnimationFrame(() => window.to = performance.now());
  }).observe(document.body, { subtree: true, childList: true });
  button.click() }"""
DRAGGED = """seconds => new Promise(done => {
  const picture = document.querySelector("svg.histogram"), box = picture.getBoundingClientRect();
  const shown = () => ["cut", "cut-count", "precision", "recall"].map(name => {
    const part = document.querySelector(`[data-test=${name}]`);
    return part.getAttribute("transform") ?? part.textContent }).join();
  let last = shown(), drawn = 0, begun = 0;
  const frame = now => {
    begun ||= now;
    if (shown() !== last) { drawn++; last = shown() }
    const past = now - begun;
    if (past >= 1000 * seconds) return done(1000 * drawn / past);
    const share = 0.1 + 0.8 * Math.abs(1 - (past / 1000) % 2);  // to and fro, a second each way
    picture.dispatchEvent(new PointerEvent("pointermove",
      { clientX: box.x + share * box.width, clientY: box.y + box.height / 2, bubbles: true, buttons: 1 }));
    requestAnimationFrame(frame) };
  requestAnimationFrame(frame) })"""
DRAG = 4
"""Seconds of it."""


def open_page(browser: Browser, url: str) -> Page:
    """The page at a screen; reading and learning may take a while."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.set_default_timeout(PATIENCE)
    page.goto(url)
    return page


def count_ms(browser: Browser, url: str) -> dict[str, float]:
    """From the Enter behind a keyword to its count on the screen."""
    page = open_page(browser, f"{url}#/keywords")
    page.wait_for_selector("[data-test=chip]")
    page.wait_for_timeout(500)
    taken = []
    for word in WORDS:
        page.fill("[data-test=add]", word)
        page.evaluate(TYPED, word)
        page.press("[data-test=add]", "Enter")
        taken.append(_taken(page))
        page.wait_for_timeout(200)
    page.close()
    return {"median_ms": median(taken), "slowest_ms": max(taken)}


def progress_ms(browser: Browser, url: str) -> float:
    """From a click on Learn to progress on the screen; learning is cancelled then."""
    page = open_page(browser, f"{url}#/keywords")
    page.wait_for_selector("[data-test=learn]:not([disabled])")
    page.evaluate(LEARNED)
    taken = _taken(page)
    page.click("[data-test=cancel]")
    page.wait_for_selector("[data-test=learn]:not([disabled])")
    page.close()
    return taken


def _taken(page: Page) -> float:
    """Milliseconds between what was done and what was seen of it."""
    while not page.evaluate("window.to"):
        page.wait_for_timeout(50)
    return float(page.evaluate("window.to - window.from"))


def drag_rate(browser: Browser, url: str) -> float:
    """Places of the cut that were drawn in a second while it was dragged, with its figures.

    The line is taken by the mouse, and moved by the page itself, once a frame: every move of Playwright's mouse waits
    until the browser has answered it, so that the mouse would be measured.
    """
    page = open_page(browser, f"{url}#/ranking")
    page.wait_for_selector("svg.histogram .with")
    box = page.locator("svg.histogram").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 0.95 * box["width"], box["y"] + box["height"] / 2)
    page.mouse.down()
    rate = float(page.evaluate(DRAGGED, DRAG))
    page.mouse.up()
    page.close()
    return rate


def scrolled(browser: Browser, url: str) -> dict[str, int]:
    """Rows in the list, rows that were asked for on the way to its end and back, and rows that are elements at most."""
    asked = []

    def note(request: Request) -> None:
        address = urlsplit(request.url)
        if address.path == "/api/ranking":
            asked.append(int(parse_qs(address.query)["n"][0]))

    page = open_page(browser, f"{url}#/ranking")
    page.on("request", note)
    page.wait_for_selector("[data-test=rows] .row:not(.waiting)")
    rows = page.locator("[data-test=rows]")
    most = 0
    for share in [*(step / 50 for step in range(51)), *(1 - step / 50 for step in range(51))]:
        rows.evaluate("(list, share) => list.scrollTop = share * list.scrollHeight", share)
        page.wait_for_timeout(40)
        most = max(most, page.locator("[data-test=rows] .row").count())
    rows.evaluate("list => list.scrollTop = list.scrollHeight")
    page.wait_for_selector("[data-test=rows] .row.waiting", state="detached")
    last = page.locator("[data-test=rows] .row .rank b").last.inner_text()
    page.close()
    return {"rows": int(last.replace(",", "")), "asked": sum(asked), "elements": most}
