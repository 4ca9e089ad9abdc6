"""docs/web.md from the results that are there: python -m benchmarks.web.page."""

import json
from typing import Any

from benchmarks.paper.datasets import ROOT
from keysift.files.atomic import written_whole

__all__ = ["PAGE", "RESULTS", "page", "write_page"]

PAGE = ROOT / "docs" / "web.md"
RESULTS = ROOT / "benchmarks" / "web" / "results.json"

INTRODUCTION = """# The workbench, measured

Written by `make web` from `benchmarks/web/results.json`; do not edit it by hand.

`keysift serve` on the 20 newsgroups (without the sentence encoder, which has its say before the page is used), visited
by Chromium over loopback on the same machine: two cores for server, browser and whatever else runs. Each figure is
beside what was wanted of it before it was measured.

![The ranking with the cut as a line to drag](workbench-ranking.png)

![Keywords as chips with their counts, and what each of them finds](workbench-keywords.png)
"""

HOW = """
The cut is taken by the mouse and then moved by the page itself, once in every frame; counted are the frames with
another place of the line or another figure beside it. A browser that is steered from outside answers each move of the
mouse before the next one is sent: that measured the mouse, not the page, and gave 23, 31 and 44 a second in three runs.
"""

CHOICE = """## Why FastAPI and a page written by hand

The keyword screen was built twice: with NiceGUI, and with FastAPI and plain JavaScript. The column of NiceGUI is that
one screen; the other column is what became of the second, all five screens and the map.

| | NiceGUI, one screen | FastAPI and a page by hand, all screens |
|---|--:|--:|
"""

REASONS = """
Both survive a restart of the server. The page by hand is more to write and keep. It was chosen because a page that
shows texts of strangers should forbid inline scripts and `eval`, which NiceGUI needs; because a drag of the cut is
drawn in the browser, without a message to the server for every frame; and because it is a fifth of what is installed.
"""


def page(known: dict[str, Any]) -> str:
    """The whole page; a figure that was not measured yet is not shown."""
    rows = "".join(f"| {name} | {value} | {wanted} | {met} |\n" for name, value, wanted, met in _figures(known))
    load = ", ".join(f"{value:g} ({name})" for name, value in known.get("load", {}).items())
    busy = (
        f"\nThe load of the machine, which has two cores: {load}. Above two, what is timed waits for others.\n"
        if load
        else ""
    )
    table = f"| figure | measured | wanted | met |\n|---|--:|--:|---|\n{rows}{busy}{HOW}"
    return f"{INTRODUCTION}\n{table}\n{CHOICE}{_choice(known)}{REASONS}"


def _figures(known: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    found = []

    def figure(name: str, value: float, unit: str, most: float, wanted: str, at_least: bool = False) -> None:
        met = value >= most if at_least else value <= most
        found.append((name, f"{value:,.{0 if value >= 10 else 2}f} {unit}", wanted, "yes" if met else "**no**"))

    if opening := known.get("opening"):
        figure(
            "first paint of a started server, empty cache, median of 9", opening["first_paint_ms"], "ms", 1000, "1 s"
        )
    if count := known.get("count"):
        figure("a keyword is typed: its count is on the screen, median of 10", count["median_ms"], "ms", 300, "300 ms")
        figure("the slowest of them", count["slowest_ms"], "ms", 300, "300 ms")
    if "progress_ms" in known:
        figure("a click on Learn: progress is on the screen", known["progress_ms"], "ms", 1000, "1 s")
    if "drag_per_second" in known:
        rate = known["drag_per_second"]
        figure("the cut is dragged: figures drawn in a second", rate, "/ s", 30, "30 / s or more", at_least=True)
    if rows := known.get("list"):
        name = f"a list of {rows['rows']:,} rows is scrolled to its end and back: rows asked for"
        figure(name, rows["asked"], "rows", rows["rows"] / 4, "not all")
        figure("rows of it that are elements of the page at a time, at most", rows["elements"], "rows", 200, "few")
    if crowd := known.get("crowd"):
        work = f"{crowd['requests']:,} requests, {crowd['learned']} times learned"
        name = f"20 clients ask and one learns ({work}): the slowest request"
        figure(name, crowd["slowest_s"], "s", 2, "2 s")
        grown = crowd["memory_last_MB"] / crowd["memory_first_MB"]
        name = (
            f"memory over {crowd['minutes']:g} minutes of that: most of the last third over the third before"
            f" ({crowd['memory_first_MB']:,.0f} to {crowd['memory_last_MB']:,.0f} MB)"
        )
        figure(name, grown, "", 1.05, "flat: 1.05")
    return found


def _choice(known: dict[str, Any]) -> str:
    opening = known.get("opening", {"first_paint_ms": float("nan"), "requests": 0, "kB": 0.0})
    lines = known.get("lines", {"js": 0, "css": 0, "html": 0})
    rows = (
        ("packages that are installed", "35", "14"),
        ("MB that are installed", "82", "17"),
        ("first paint", "1.0 to 2.6 s", f"{opening['first_paint_ms'] / 1000:.2f} s"),
        ("requests of a visit", "19", f"{opening['requests']}"),
        ("kB of a visit", "544", f"{opening['kB']:.0f}"),
        ("content-security policy", "`unsafe-inline` and `unsafe-eval`", "`'self'` alone"),
        ("lines", "199 of Python", f"{lines['js']:,} of JavaScript, {lines['css']:,} of CSS, {lines['html']} of HTML"),
    )
    return "".join(f"| {name} | {one} | {other} |\n" for name, one, other in rows)


def write_page() -> None:
    """Write it."""
    with written_whole(PAGE) as part:
        part.write_text(page(json.loads(RESULTS.read_text("utf-8"))), "utf-8")
    print(f"Written to {PAGE}.")


if __name__ == "__main__":
    write_page()
