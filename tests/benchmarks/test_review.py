import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.review.measured import ANSWERS, logistic_scores, measure
from benchmarks.review.page import ELSEWHERE, main, page
from benchmarks.review.runner import read, run
from benchmarks.suite.tasks import Listed, SuiteTask
from keysift.pipeline import learn, match, prepare


def made(documents: int = 260, seed: int = 0) -> SuiteTask:
    """Relevant documents speak of ice, and half of them say hockey."""
    rng = np.random.default_rng(seed)
    relevant = np.arange(documents) % 10 == 0
    texts = []
    for one in relevant:
        words = rng.choice(
            ["ice", "rink", "puck", "skate"] if one else ["tax", "law", "court", "bread", "oven"], size=3
        )
        more = ["hockey"] if (one and rng.random() < 0.5) or rng.random() < 0.02 else []
        texts.append(" ".join([*words, *rng.choice(["and", "was", "here", "then", "soon"], size=3), *more]))
    return SuiteTask("made", "suite", "made", tuple(texts), relevant, ("hockey",), "en", "screening")


@pytest.fixture(scope="module")
def line() -> dict[str, Any]:
    return measure(made(), 0)


@pytest.mark.filterwarnings("ignore::keysift.errors.KeysiftWarning")
def test_a_line_has_all_that_the_page_shows(line: dict[str, Any]) -> None:
    assert line["relevant"] == 26
    assert 0 <= line["loss"] < 0.2
    for order in ("random", "best first"):
        assert all(len(line[order][way]) == len(ANSWERS) for way in ("keywords", "keysift", "logistic"))
    assert line["random"]["keysift"][2] > 90
    assert line["best first"]["keysift"][-1] is None  # nothing relevant is left
    json.dumps(line, allow_nan=False)


def test_logistic_regression_needs_both_kinds() -> None:
    task = made(60)
    prepared = prepare(task.texts, encoder=None)
    learned = learn(prepared, match(prepared, "hockey"))
    assert learned.fitted is not None
    answers = np.full(60, -1, dtype=np.int8)
    answers[1:5] = 0
    assert not logistic_scores(learned.fitted, prepared, answers).any()
    answers[0] = 1
    assert logistic_scores(learned.fitted, prepared, answers).any()


def test_the_page_says_whether_the_aim_is_met(line: dict[str, Any], tmp_path: Path) -> None:
    lines = {
        ("kitchenham", 0): {**line, "loss": 0.07},
        ("kitchenham", 1): {**line, "loss": 0.08},
        ("ace-final", 0): {**line, "loss": 0.06},
        ("made", 0): line,
    }
    text = page(lines)
    kitchenham = next(row for row in text.splitlines() if row.startswith("| kitchenham | 26 of 260 | 2 |"))
    assert "| 0.075 |" in kitchenham
    assert "| 0.076, met |" in kitchenham
    assert "| 0.054, missed |" in text
    assert text.count("keysift over keywords, mean") == 2
    assert "Nothing is measured yet." in page({})
    target = tmp_path / "review.md"
    main(tmp_path / "none.jsonl", target)
    assert target.read_text(encoding="utf-8") == page({})
    assert set(ELSEWHERE) == {"kitchenham", "ace-final", "ace-abstract", "animal-depression"}


def test_a_run_goes_on_where_it_was_and_leaves_common_tasks_out(tmp_path: Path) -> None:
    file = tmp_path / "made.csv"
    task = made(80)
    labels = np.where(task.relevant, "yes", "no")
    rows = [
        f"{text},{label},{'yes' if place % 2 else 'no'}"
        for place, (text, label) in enumerate(zip(task.texts, labels, strict=True))
    ]
    file.write_text("\n".join(["text,label,other", *rows]), encoding="utf-8")
    rare = Listed("rare", "suite", "made", ("hockey",), "en", "screening", ("yes",), file)
    common = Listed("common", "suite", "made", ("hockey",), "en", "screening", ("no",), file)
    path = tmp_path / "results.jsonl"
    run({"rare": rare, "common": common}, 1, path)
    first = path.read_text(encoding="utf-8")
    assert list(read(path)) == [("rare", 0)]
    run({"rare": rare, "common": common}, 1, path)
    assert path.read_text(encoding="utf-8") == first
    run({"rare": rare}, 2, path)
    assert list(read(path)) == [("rare", 0), ("rare", 1)]
    path.write_text(first + '{"task": "rare", "se', encoding="utf-8")
    assert list(read(path)) == [("rare", 0)]
