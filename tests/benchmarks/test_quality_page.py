from pathlib import Path

import pytest

from benchmarks.quality.ours import OURS, WAYS
from benchmarks.quality.page import FIVE, PAGE, README, Lines, blocks, fill, mean


@pytest.fixture
def lines() -> Lines:
    """Three trials of every variant on the five sets; the half is best on the first set, the tenth on the others."""
    found = {}
    for name in FIVE:
        best = "believe a half" if name == FIVE[0] else "believe a tenth"
        for system in OURS:
            for trial in range(3):
                auc = 90.0 if system == best else 89.0 if system == "keysift" else 80.0
                found[name, system, trial] = {"auc": auc, "prec100": 95.0, "seconds": 2.0, "quality": auc - 20}
    return found


def test_the_mean_is_over_trials_first_and_then_over_tasks() -> None:
    lines: Lines = {
        ("subj", "keysift", 0): {"auc": 80.0},
        ("subj", "keysift", 1): {"auc": 90.0},
        ("ayi", "keysift", 0): {"auc": 65.0},
    }
    assert mean(lines, "keysift", ["subj", "ayi"]) == 75.0


def test_regret_is_what_the_best_single_way_has_more(lines: Lines) -> None:
    choice = blocks(lines)["choice"]
    assert "Mean regret 1.00 points of AUC over 10 fits, the worst 1.00." in choice
    assert all(way in choice for way in WAYS)


def test_a_set_that_is_left_out_has_no_say(lines: Lines) -> None:
    rows = blocks(lines)["left out"].splitlines()[2:]
    assert len(rows) == len(FIVE)
    # The four others have the tenth ahead; with the first set among them, the blend is better on the average.
    assert "| believe a tenth | 80.0 | 89.0 |" in rows[0]
    assert all("| keysift | 89.0 |" in row for row in rows[1:])


def test_what_is_not_measured_yet_is_an_empty_cell() -> None:
    parts = blocks({})
    assert "nan" not in parts["peers"]
    assert "nan" not in parts["groups"]


def test_only_what_stands_between_the_marks_is_written(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- one: make quality -->\nold\n<!-- end -->\nafter\n", encoding="utf-8")
    fill(page, {"one": "new", "other": "nowhere"})
    assert page.read_text(encoding="utf-8") == "before\n<!-- one: make quality -->\nnew\n<!-- end -->\nafter\n"


def test_a_mark_without_an_end_is_an_error(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("<!-- one: make quality -->\n", encoding="utf-8")
    with pytest.raises(ValueError, match="has no <!-- end -->"):
        fill(page, {"one": "new"})


def test_the_pages_have_a_place_for_every_part() -> None:
    marked = PAGE.read_text(encoding="utf-8") + README.read_text(encoding="utf-8")
    assert all(f"<!-- {name}: make quality -->" in marked for name in blocks({}))
