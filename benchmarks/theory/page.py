"""The parts of docs/theory.md that are measured: each stands between two marks and is written anew."""

from collections.abc import Mapping
from pathlib import Path

__all__ = ["fill"]


def fill(page: Path, blocks: Mapping[str, str]) -> None:
    """Put each block between its marks, and leave everything else as it is."""
    text = page.read_text(encoding="utf-8")
    for name, block in blocks.items():
        start, end = f"<!-- {name}: make theory -->\n", "<!-- end -->"
        before, found, rest = text.partition(start)
        _, closed, after = rest.partition(end)
        if not (found and closed):
            raise ValueError(f"{page.name} has no block between {start.strip()} and {end}; put the two lines back.")
        text = f"{before}{start}{block}\n{end}{after}"
    page.write_text(text, encoding="utf-8")
