from pathlib import Path
from typing import Any

import pytest

from benchmarks.suite.lines import Key
from benchmarks.suite.page import END, PAGE, START, block, fill

CORPORA = {
    "mail": ("spam", "suite", 900.0),
    "tweets": ("abuse", "suite", 80.0),
    "abstracts": ("screening", "suite", 1400.0),
    "subj": ("five", "five", 120.0),
}
AUC = {"counting": 60.0, "mean difference": 70.0, "yardstick without sentences": 80.0, "keysift": 85.0, "labels": 95.0}


@pytest.fixture
def lines() -> dict[Key, dict[str, Any]]:
    """One task of each corpus; keysift is behind on tweets, and a variant is better everywhere."""
    found: dict[Key, dict[str, Any]] = {}
    for corpus, (kind, family, length) in CORPORA.items():
        for system, auc in {**AUC, "never self-trained": 86.0}.items():
            behind = 8.0 if (corpus, system) == ("tweets", "keysift") else 0.0
            line = {"corpus": corpus, "kind": kind, "family": family, "length": length, "auc": auc - behind, "ap": 50.0}
            found[f"{corpus}-1", system] = line | {
                "seconds": 2.0,
                "documents": 100,
                "positives": 10,
                "f1_true_share": 70.0,
            }
        stated = {"estimate": 0.3, "low": 0.1, "high": 0.6}
        found[f"{corpus}-1", "keysift"] |= {"prior": stated, "f1": 65.0}
    return found


def test_the_headline_is_what_the_other_corpora_choose(lines: dict[Key, dict[str, Any]]) -> None:
    headline = block(lines).partition("\n\n")[0]
    assert "| AUC / average precision | 3 corpora | 3 tasks | five sets |" in headline
    assert "| **keysift, chosen by the other corpora** | 86.0 / 50.0 | 86.0 / 50.0 | 86.0 / 50.0 |" in headline
    assert "| keysift, as installed | 82.3 / 50.0 | 82.3 / 50.0 | 85.0 / 50.0 |" in headline
    assert "The other corpora choose: never self-trained (4 corpora)." in block(lines)


def test_tables_by_kind_and_length(lines: dict[Key, dict[str, Any]]) -> None:
    text = block(lines)
    assert "| abuse | 1 | 60.0 / 50.0 | 70.0 / 50.0 | 80.0 / 50.0 | 86.0 / 50.0 | 95.0 / 50.0 |" in text
    assert [row.split(" | ")[0] for row in text.splitlines() if row.startswith(("| short", "| medium", "| long"))] == [
        "| short",
        "| medium",
        "| long",
    ]


def test_tasks_behind_the_yardstick_are_flagged(lines: dict[Key, dict[str, Any]]) -> None:
    text = block(lines)
    assert "| tweets-1 | abuse | short | 80.0 / 50.0 | 77.0 / 50.0 | -3.0 **behind** |" in text
    assert "| mail-1 | spam | medium | 80.0 / 50.0 | 85.0 / 50.0 | +5.0 |" in text
    assert "more than 2 points of AUC: 1 of 3 tasks." in text


def test_what_is_said_stands_beside_the_truth(lines: dict[Key, dict[str, Any]]) -> None:
    text = block(lines)
    assert "| prior | 0.200 | 100 % | 0.50 | 3 |" in text
    assert "Macro F1 at its cut 65.0, at a cut at the true share 70.0 (mean of 3 tasks)." in text


def test_what_a_variant_is_worth(lines: dict[Key, dict[str, Any]]) -> None:
    assert "| never self-trained | 86.0 / 50.0 | +3.0 / +0.0 | 4 | 2.0 |" in block(lines)


def test_a_mean_of_some_of_the_tasks_says_so(lines: dict[Key, dict[str, Any]]) -> None:
    del lines["mail-1", "labels"]
    assert "| logistic regression with all labels | 95.0 / 50.0 (2 of 3) |" in block(lines)
    assert "nan" not in block({key: line for key, line in lines.items() if key[1] == "counting"})


def test_the_whole_yardstick_replaces_the_lesser_one(lines: dict[Key, dict[str, Any]]) -> None:
    whole = {(task, "yardstick"): {**line, "auc": 84.0} for (task, by), line in lines.items() if by == "keysift"}
    assert "| yardstick | 84.0 / 50.0 |" in block(lines | whole)
    assert "without sentences" not in block(lines | whole)


def test_only_what_stands_between_the_marks_is_written(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n{START}old\n{END}\nafter\n", encoding="utf-8")
    fill(page, block({}))
    assert page.read_text(encoding="utf-8") == f"before\n{START}Nothing is measured yet.\n{END}\nafter\n"
    page.write_text(START, encoding="utf-8")
    with pytest.raises(ValueError, match="end of suite"):
        fill(page, "new")


def test_the_page_has_a_place() -> None:
    assert PAGE.read_text(encoding="utf-8").partition(START)[2].partition(END)[1]
