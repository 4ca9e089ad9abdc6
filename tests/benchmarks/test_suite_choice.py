from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.suite.choice import SYSTEM, complete, leave_one_out
from benchmarks.suite.lines import Key, mean

points = st.floats(0, 100).map(lambda value: round(value, 4))
tasks = st.lists(
    st.tuples(st.sampled_from("abcd"), st.sampled_from(["suite", "five"]), points, points), min_size=1, max_size=12
)

Lines = dict[Key, dict[str, Any]]


def _lines(made: list[tuple[str, str, float, float]], system: str) -> Lines:
    return {
        (str(number), system): {"corpus": corpus, "family": family, "auc": auc, "ap": ap}
        for number, (corpus, family, auc, ap) in enumerate(made)
    }


@given(tasks)
def test_of_one_variant_it_is_the_plain_mean(made: list[tuple[str, str, float, float]]) -> None:
    lines = _lines(made, "keysift")
    choice = leave_one_out(lines, ["keysift"])
    assert set(choice.chosen.values()) == {"keysift"}
    assert {task for task, _ in choice.lines} == {task for task, _ in lines}
    for family, value in choice.families().items():
        names = [task for (task, _), line in lines.items() if line["family"] == family]
        assert value == pytest.approx(mean(lines, "keysift", names))
    # Slowly: the mean of each corpus, then of the corpora.
    for field, column in (("auc", 2), ("ap", 3)):
        of_corpus = [np.mean([row[column] for row in made if row[0] == corpus]) for corpus in {row[0] for row in made}]
        assert mean(choice.lines, SYSTEM, [task for task, _ in lines], field) == pytest.approx(np.mean(of_corpus))


@given(tasks, st.data())
def test_a_corpus_has_no_say_in_its_own_choice(made: list[tuple[str, str, float, float]], data: st.DataObject) -> None:
    other = [(corpus, family, data.draw(points), data.draw(points)) for corpus, family, _, _ in made]
    left_out = made[0][0]
    changed = [(row[0], row[1], 100.0, 100.0) if row[0] == left_out else row for row in other]
    first = leave_one_out(_lines(made, "old") | _lines(other, "new"), ["old", "new"])
    second = leave_one_out(_lines(made, "old") | _lines(changed, "new"), ["old", "new"])
    assert first.chosen[left_out] == second.chosen[left_out]


def test_every_corpus_weighs_the_same_however_many_tasks_it_has() -> None:
    # Corpus a has three tasks where the new one wins by 2, corpus b one task where the old one wins by 3.
    old = [("a", "suite", 80.0, 50.0)] * 3 + [("b", "suite", 83.0, 50.0), ("c", "suite", 80.0, 50.0)]
    new = [("a", "suite", 82.0, 50.0)] * 3 + [("b", "suite", 80.0, 50.0), ("c", "suite", 80.0, 50.0)]
    choice = leave_one_out(_lines(old, "old") | _lines(new, "new"), ["old", "new"])
    assert choice.chosen == {"a": "old", "b": "new", "c": "old"}
    assert choice.families() == {"suite": 80.0}


def test_average_precision_has_a_say() -> None:
    old = [("a", "suite", 80.0, 50.0), ("b", "suite", 80.0, 50.0)]
    new = [("a", "suite", 79.0, 52.0), ("b", "suite", 79.0, 52.0)]
    choice = leave_one_out(_lines(old, "old") | _lines(new, "new"), ["old", "new"])
    assert set(choice.chosen.values()) == {"new"}
    assert (choice.families(), choice.families("ap")) == ({"suite": 79.0}, {"suite": 52.0})


def test_a_variant_that_lacks_a_task_is_not_compared() -> None:
    lines = _lines([("a", "suite", 80.0, 50.0), ("b", "suite", 80.0, 50.0)], "keysift")
    lines |= _lines([("a", "suite", 99.0, 99.0)], "half done")
    assert complete(lines, ["half done", "not begun"], "keysift") == ["keysift"]
    assert complete({}, ["half done"], "keysift") == []
    assert leave_one_out(lines, []).families() == {}
