from benchmarks.quality.measured import Lines
from benchmarks.quality.page import END, FIVE, PAGE, START, block, fill

LINES: Lines = {
    **{(name, "bm25", trial): {"auc": 60.0 + trial} for name in FIVE for trial in range(2)},
    ("ayi", "keysift", 0): {"auc": 93.0},
}


def test_every_cell_has_its_mean_and_its_trials() -> None:
    rows = block(LINES).splitlines()
    assert rows[2] == "| BM25 (bm25s) |" + " 60.5 (2) |" * len(FIVE)
    assert "93.0 (1)" in rows[3]
    assert len(rows) == 4


def test_only_what_stands_between_the_marks_is_written_anew() -> None:
    page = PAGE.read_text(encoding="utf-8")
    filled = fill(page, "a table")
    assert f"{START}\na table\n{END}" in filled
    assert filled.split(START)[0] == page.split(START)[0]
    assert filled.split(END)[1] == page.split(END)[1]
