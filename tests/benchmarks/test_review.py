import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.review import asreview
from benchmarks.review.given import first_two
from benchmarks.review.measured import measure
from benchmarks.review.page import main, page
from benchmarks.review.runner import read, run
from benchmarks.suite.tasks import Listed, SuiteTask


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
    json.dumps(line, allow_nan=False)


def a_command(path: Path, body: str) -> str:
    """A program that takes the place of ASReview on the command line."""
    path.write_text(f"#!{sys.executable}\n{body}", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


STANDING_IN = """
import csv, sqlite3, sys, zipfile
if sys.argv[1] == "--version":
    print("asreview 9.9")
    sys.exit()
given = [int(place) for place in sys.argv[sys.argv.index("--prior-idx") + 1 :]]
rows = list(csv.DictReader(open(sys.argv[2], encoding="utf-8")))
relevant = [place for place, row in enumerate(rows) if row["included"] == "1" and place not in given]
state = sqlite3.connect(sys.argv[2] + ".db")
state.execute("CREATE TABLE record (record_id INTEGER, dataset_row INTEGER)")
state.execute("CREATE TABLE results (record_id INTEGER)")
state.executemany("INSERT INTO record VALUES (?, ?)", [(place + 7, place) for place in range(len(rows))])
state.executemany("INSERT INTO results VALUES (?)", [(place + 7,) for place in given + relevant])
state.commit()
with zipfile.ZipFile(sys.argv[sys.argv.index("-o") + 1], "w") as packed:
    packed.write(sys.argv[2] + ".db", "results.db")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="a script is no command there")
def test_another_program_reads_the_same_records_with_the_same_two_labels(tmp_path: Path) -> None:
    """One that knows all labels loses nothing; one that takes too long is given up."""
    task = made(60)
    line = asreview.measure(a_command(tmp_path / "knows", STANDING_IN), task, 3)
    assert line["given"] == first_two(task.relevant, 3) == first_two(task.relevant, 3)
    assert task.relevant[line["given"]].tolist() == [True, False]
    assert line["loss"] == 0.0
    assert line["work_saved"] == pytest.approx(0.95 - 5 / 58, abs=1e-4)
    slow = asreview.measure(a_command(tmp_path / "slow", "import time; time.sleep(30)"), task, 3, patience=0.2)
    assert slow["loss"] is None


def test_without_asreview_it_is_skipped_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("KEYSIFT_ASREVIEW", str(tmp_path / "nowhere"))
    assert asreview.main(["--results", str(tmp_path / "none.jsonl")]) == 0
    assert asreview.SKIPPED in capsys.readouterr().err
    assert asreview.main(["--tasks", "nothing"]) == 2


def peer_line(**values: Any) -> dict[str, Any]:
    return {"loss": 0.1, "work_saved": 0.5, "version": "3.0", **values}


def test_the_page_says_whether_the_aims_are_met(line: dict[str, Any], tmp_path: Path) -> None:
    lines = {
        ("kitchenham", 0): {**line, "loss": 0.07, "given": {**line["given"], "loss": 0.07, "work_saved": 0.56}},
        ("kitchenham", 1): {**line, "loss": 0.08, "given": {**line["given"], "loss": 0.09, "work_saved": 0.56}},
        ("made", 0): line,
    }
    peer = {("kitchenham", 0): peer_line(), ("made", 0): peer_line(loss=None, work_saved=None)}
    text = page(lines, peer)
    kitchenham = next(row for row in text.splitlines() if row.startswith("| kitchenham | 26 of 260 | 2 |"))
    assert "| 0.075 | 0.080 | 0.100 | 1 |" in kitchenham
    assert "0.75 of ASReview's with its two; wanted at most 1.1: met." in text
    assert "0.80 of ASReview's with its two; wanted at most 0.8: met." in text
    assert "+6.0 points of work saved; wanted at least +5: met." in text
    assert "Given up after a while: made." in text
    assert "of ASReview's" not in page(lines, {})
    assert "Nothing is measured yet." in page({}, {})
    target = tmp_path / "review.md"
    main(tmp_path / "none.jsonl", tmp_path / "none.jsonl", target)
    assert target.read_text(encoding="utf-8") == page({}, {})


def test_a_run_goes_on_where_it_was(tmp_path: Path) -> None:
    file = tmp_path / "made.csv"
    task = made(80)
    labels = np.where(task.relevant, "yes", "no")
    rows = [
        f"{text},{label},{'yes' if place % 2 else 'no'}"
        for place, (text, label) in enumerate(zip(task.texts, labels, strict=True))
    ]
    file.write_text("\n".join(["text,label,other", *rows]), encoding="utf-8")
    rare = Listed("rare", "suite", "made", ("hockey",), "en", "screening", ("yes",), file)
    common = Listed("common", "suite", "made", ("hockey",), "en", "topic", ("no",), file)
    path = tmp_path / "results.jsonl"
    run({"rare": rare, "common": common}, 1, path)
    first = path.read_text(encoding="utf-8")
    assert list(read(path)) == [("rare", 0)]
    run({"rare": rare}, 1, path)
    assert path.read_text(encoding="utf-8") == first
    run({"rare": rare}, 2, path)
    assert list(read(path)) == [("rare", 0), ("rare", 1)]
    path.write_text(first + '{"task": "rare", "se', encoding="utf-8")
    assert list(read(path)) == [("rare", 0)]
