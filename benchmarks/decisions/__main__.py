"""Run what is missing of every part and write docs/decisions.md: python -m benchmarks.decisions."""

import sys
from pathlib import Path

from benchmarks.decisions import audits, curves, priors

PAGE = Path(__file__).resolve().parents[2] / "docs" / "decisions.md"

HEAD = """# How many, where to cut, and how sure?

`make decisions` writes this page from the results in `benchmarks/decisions`. `src/keysift/decide/prior.py` tells how
the prior is estimated, `src/keysift/audit` how the intervals of an audit are made.
"""


def main() -> int:
    """Every part in turn; 2 where the data are missing."""
    for run in (priors.main, audits.main, curves.main):
        code = run([])
        if code:
            return code
    write()
    return 0


def write() -> None:
    """The page from the results that are there."""
    sections = (priors.section(), audits.section(), curves.section())
    PAGE.write_text("\n".join((HEAD, *sections)).rstrip() + "\n", encoding="utf-8")
    print(f"Wrote {PAGE.name}.")


if __name__ == "__main__":
    sys.exit(main())
