import json
from pathlib import Path

import polars as pl
import pytest

from benchmarks.speed import work
from benchmarks.speed.page import page

ROW = {"seconds": 2.0, "cpu": 1.0, "memory": 300.0}


def test_the_page_puts_figures_beside_their_yardsticks() -> None:
    results = [
        {"corpus": "start", "work": "keysift --help", "seconds": 0.2, "cpu": 0.2},
        {"corpus": "20NG", "work": "tokens keysift", **ROW},
        {"corpus": "20NG", "work": "tokens polars", **ROW, "cpu": 0.5},
        {"corpus": "20NG", "work": "score keysift", **ROW},
        {"corpus": "20NG", "work": "score scikit-learn", **ROW, "seconds": 8.0},
        {"corpus": "20NG", "work": "rank BM25", **ROW, "cpu": 3.0, "auc": 0.75},
        {"corpus": "20NG", "work": "rank keysift", **ROW, "auc": 0.99},
    ]
    text = page(results)
    assert "| keysift --help | 0.2 s | 0.4 (wanted) | 0.5 | 1 or less |" in text
    assert "| 20NG: tokenising | 35.9 MB a CPU second | 71.8 (polars' bare extract_all) | 0.5 | 0.6 or more |" in text
    assert "| 4 | 3 or more |" in text
    rows = [line for line in text.splitlines() if line.startswith(("| BM25", "| **keysift**"))]
    assert rows == ["| **keysift** | 99.0 | 2.0 | 1.0 | 1.00 | 300 |", "| BM25 | 75.0 | 2.0 | 3.0 | 3.00 | 300 |"]
    assert "200,000 sentences\n" not in text.partition("## Starting")[2]


@pytest.mark.parametrize("name", ["tokens keysift, counted", "rank keysift", "score keysift", "score scikit-learn"])
def test_work_is_measured_and_judged(name: str, tmp_path: Path) -> None:
    documents = [f"a goal in the hockey game {number}" for number in range(20)]
    others = [f"a tax law of the court {number}" for number in range(30)]
    corpus = pl.DataFrame({"text": documents + others, "relevant": [True] * 20 + [False] * 30})
    corpus.write_parquet(tmp_path / work.CORPUS)
    (tmp_path / work.KEYWORDS).write_text(json.dumps(["hockey", "goal"]))
    if name.startswith("score"):
        work.fit_models(tmp_path)
    measured = work.main(name, tmp_path)
    assert 0 < measured["seconds"] < 600
    assert measured["memory"] > 10
    assert ("auc" in measured) is not name.startswith("tokens")
    assert measured.get("auc", 1.0) == 1.0
