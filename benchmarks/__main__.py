"""Print every figure of the README: name, value, yardstick, ratio. With --readme, write them into it as well."""

import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

from benchmarks.line import Line, markdown, show
from benchmarks.paper.datasets import find_data
from benchmarks.paper.figures import paper_figures
from benchmarks.speed.networks import network_figures
from benchmarks.speed.newsgroups import newsgroups_figures
from benchmarks.speed.risk import risk_figures
from benchmarks.speed.session import session_figures
from benchmarks.speed.tweets import tweets_figures
from keysift.errors import KeysiftWarning

README = Path(__file__).resolve().parents[1] / "README.md"
START, END = "<!-- figures: make bench -->", "<!-- end of figures -->"


def _all_figures() -> Iterator[Line]:
    yield from risk_figures()
    yield from tweets_figures()
    folder = find_data(download=True)
    if folder is None:
        print("Skipped: the figures on the paper's data sets. Put them into a folder and name it in KEYSIFT_DATA.")
        return
    yield from newsgroups_figures(folder)
    yield from session_figures(folder)
    yield from network_figures(folder)
    yield from paper_figures(folder)


def main() -> None:
    """Measure, print, and with --readme write the table."""
    warnings.simplefilter("ignore", KeysiftWarning)  # a keyword may be missing from one of the trials
    lines = []
    for line in _all_figures():
        show(line)
        lines.append(line)
    if "--readme" in sys.argv:
        before, _, rest = README.read_text(encoding="utf-8").partition(START)
        after = rest.partition(END)[2]
        README.write_text(f"{before}{START}\n{markdown(lines)}\n{END}{after}", encoding="utf-8")
        print(f"Wrote the table into {README.name}.")


if __name__ == "__main__":
    main()
