"""Print every figure of the README: name, value, yardstick, ratio. With --readme, write them into it as well.

`--only session` measures one part, and with --readme replaces its rows alone.
"""

import argparse
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from benchmarks.line import Line, markdown, replaced, show
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
ALONE: dict[str, Callable[[], Iterator[Line]]] = {"risk": risk_figures, "tweets": tweets_figures}
ON_DATA: dict[str, Callable[[Path], Iterator[Line]]] = {
    "newsgroups": newsgroups_figures,
    "session": session_figures,
    "networks": network_figures,
    "paper": paper_figures,
}
"""Parts that need the paper's data sets."""


def _figures(wanted: Sequence[str]) -> Iterator[Line]:
    for name in ALONE:
        if name in wanted:
            yield from ALONE[name]()
    chosen = [name for name in ON_DATA if name in wanted]
    folder = find_data(download=True) if chosen else None
    if folder is None:
        if chosen:
            print("Skipped: the figures on the paper's data sets. Put them into a folder and name it in KEYSIFT_DATA.")
        return
    for name in chosen:
        yield from ON_DATA[name](folder)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print, and with --readme write the table."""
    parts = (*ALONE, *ON_DATA)
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--readme", action="store_true", help="write the figures into README.md")
    parser.add_argument("--only", nargs="+", choices=parts, default=parts, help="parts to measure; default: all")
    options = parser.parse_args(arguments)
    warnings.simplefilter("ignore", KeysiftWarning)  # a keyword may be missing from one of the trials
    lines = []
    for line in _figures(options.only):
        show(line)
        lines.append(line)
    if options.readme:
        before, _, rest = README.read_text(encoding="utf-8").partition(START)
        table, _, after = rest.partition(END)
        new = markdown(lines) if set(options.only) == set(parts) else replaced(table.strip(), lines)
        README.write_text(f"{before}{START}\n{new}\n{END}{after}", encoding="utf-8")
        print(f"Wrote the table into {README.name}.")


if __name__ == "__main__":
    main()
