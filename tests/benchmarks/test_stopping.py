import json
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from benchmarks.review import runner
from benchmarks.review.page import page
from benchmarks.review.stopping import HEURISTICS, read, stops
from benchmarks.review.stopping_page import section


@pytest.fixture
def relevant() -> NDArray[np.bool_]:
    rng = np.random.default_rng(0)
    return np.concatenate([rng.random(300) < 0.5, rng.random(700) < 0.01])


def test_a_line_holds_what_the_section_shows(relevant: NDArray[np.bool_], tmp_path: Path) -> None:
    line = {"task": "made", **stops(relevant, runs=50)}
    assert line["held"] >= 0.9
    assert line["oracle"] < line["read"] < 1000
    assert line["heuristics"].keys() == HEURISTICS.keys()
    assert line["heuristics"]["half"]["read"] == 500
    path = tmp_path / "lines.jsonl"
    path.write_text(json.dumps(line) + '\n{"task": "bro', encoding="utf-8")
    lines = read(path)
    text = section(lines)
    row = next(row for row in text.splitlines() if row.startswith("| made |"))
    assert f"| {line['oracle']:,} | {100 * line['held']:.1f} % | {line['read']:,.0f} |" in row
    assert f"lowest {100 * line['held']:.1f} %" in text
    assert "Nothing is measured yet." in section({})


def test_the_page_has_the_section() -> None:
    assert section(read()) in page(runner.read(runner.RESULTS), {})
