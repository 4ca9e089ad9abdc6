"""Run what is missing of every part and write docs/decisions.md: python -m benchmarks.decisions."""

import sys
from pathlib import Path

from benchmarks.decisions import asking, audits, curves, priors
from benchmarks.worker import become_worker

PAGE = Path(__file__).resolve().parents[2] / "docs" / "decisions.md"

HEAD = """# How many, where to cut, and how sure?

`make decisions` writes this page from the results in `benchmarks/decisions`. `src/keysift/decide` tells what is said of
a prior and a cut, `src/keysift/audit` how the intervals of an audit are made. `python -m benchmarks.decisions.calibrate
--scores FOLDER` takes what is usual from labelled rankings.
"""
BEGIN, END = "<!-- asking: written by make decisions -->", "<!-- asking: end -->"


def main() -> int:
    """Every part in turn; 2 where the data are missing."""
    for run in (priors.main, asking.main, audits.main, curves.main):
        code = run([])
        if code:
            return code
    write()
    return 0


def write() -> None:
    """The page from the results that are there."""
    sections = (priors.section(), asking.section(), audits.section(), curves.section())
    PAGE.write_text("\n".join((HEAD, *sections)).rstrip() + "\n", encoding="utf-8")
    readme = PAGE.parents[1] / "README.md"
    before, _, rest = readme.read_text(encoding="utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    told = f"{priors.sentence()} {asking.sentence()}"
    readme.write_text(f"{before}{BEGIN}\n{told}\n{END}{after}", encoding="utf-8")
    print(f"Wrote {PAGE.name} and the figures of the README.")


if __name__ == "__main__":
    become_worker("benchmarks.decisions")
    sys.exit(main())
