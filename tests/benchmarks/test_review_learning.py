import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.review import learning
from benchmarks.review.learning import ANSWERS, ORDERS, asked, ceiling, curve, logistic_scores
from benchmarks.review.learning_page import section
from benchmarks.suite.tasks import Listed
from keysift.features.prepared import Prepared
from keysift.pipeline import Learned, Matches, learn, match, prepare
from tests.benchmarks.test_review import made

Fitted = tuple[Prepared, Matches, Learned]


@pytest.fixture(scope="module")
def fitted() -> Fitted:
    prepared = prepare(made().texts, encoder=None)
    matches = match(prepared, "hockey")
    return prepared, matches, learn(prepared, matches)


def test_logistic_regression_needs_both_kinds(fitted: Fitted) -> None:
    prepared, _, learned = fitted
    assert learned.fitted is not None
    answers = np.full(len(prepared), -1, dtype=np.int8)
    answers[1:5] = 0
    assert not logistic_scores(learned.fitted, prepared, answers).any()
    answers[0] = 1
    assert logistic_scores(learned.fitted, prepared, answers).any()


def test_equal_texts_are_in_the_same_half_and_seeds_differ() -> None:
    texts = [f"document {number}" for number in range(400)]
    half = asked(texts * 2, 0)
    assert (half[:400] == half[400:]).all()
    assert 0.4 < half.mean() < 0.6
    assert (asked(texts, 1) != asked(texts, 0)).mean() > 0.3


@pytest.mark.parametrize("order", ORDERS)
def test_labels_of_the_half_that_judges_are_never_asked(order: str, fitted: Fitted) -> None:
    """Turned round, they turn the AUC round and change no answer."""
    task = made()
    half = asked(task.texts, 0)
    found = curve(*fitted, task.relevant, half, order, 0)
    turned = curve(*fitted, np.where(half, task.relevant, ~task.relevant), half, order, 0)
    assert found["found"] == turned["found"]
    assert np.array(turned["keysift"]) == pytest.approx(100 - np.array(found["keysift"]), abs=0.01)
    assert found["keysift"][2] > 90
    assert found["found"][-1] == task.relevant[half].sum()  # the half has fewer documents than the last number


def test_all_labels_reach_more_than_chance(fitted: Fitted) -> None:
    task = made()
    learned = fitted[2]
    assert learned.fitted is not None
    assert ceiling(learned.fitted, fitted[0], task.relevant, asked(task.texts, 0)) > 90


def a_line(gain: float, theirs: float, **more: Any) -> dict[str, Any]:
    keysift = [80.0 + gain] * len(ANSWERS)
    return {
        "kind": "topic",
        "keywords": 80.0,
        "keysift": keysift,
        "logistic": [theirs] * len(ANSWERS),
        "found": [3] * len(ANSWERS),
        **more,
    }


def test_the_section_says_what_is_met_for_each_order() -> None:
    lines = {
        ("one", 0, "random"): a_line(9.0, 90.0, **{"all labels": 92.0}),
        ("one", 1, "random"): a_line(7.0, 90.0),
        ("kitchenham", 0, "random"): a_line(-0.6, 70.0, **{"all labels": 86.0}),
        ("one", 0, "mix"): a_line(6.0, 70.0),
    }
    text = section(lines)
    assert "- random, 20 answers: +3.70 over the keywords; wanted +3: met." in text
    assert "- random, 100 answers: +3.70 over the keywords; wanted +6: missed." in text
    assert "at any number of answers: missed on 1 of 2 tasks: kitchenham." in text
    assert "- random, 200 answers, not worse than logistic regression: missed on 1 of 2 tasks: one (-2.0)." in text
    assert "- mix, 100 answers: +6.00 over the keywords; wanted +6: met." in text
    assert "- mix, 200 answers, not worse than logistic regression: met." in text
    assert "- All labels, 2 tasks: +9.00 over the keywords." in text
    assert "| one * | 2 | 80.0 | 88.0 / 90.0 |" in text
    assert "| random | over keywords, tasks without a say: mean (lowest) | +8.00 (+8.0) |" in text
    assert "Nothing is measured yet." in section({})


def test_a_run_goes_on_where_it_was(tmp_path: Path) -> None:
    task, file, path = made(120), tmp_path / "made.csv", tmp_path / "learning.jsonl"
    rows = [f"{text},{'yes' if one else 'no'}" for text, one in zip(task.texts, task.relevant, strict=True)]
    file.write_text("\n".join(["text,label", *rows]), encoding="utf-8")
    tasks = {"rare": Listed("rare", "suite", "made", ("hockey",), "en", "screening", ("yes",), file)}
    learning.run(tasks, [0], ["random"], path)
    first = path.read_text(encoding="utf-8")
    assert json.loads(first)["all labels"] > 50
    learning.run(tasks, [0], ["random"], path)
    assert path.read_text(encoding="utf-8") == first
    path.write_text(first + '{"task": "rare", "se', encoding="utf-8")
    assert list(learning.read(path)) == [("rare", 0, "random")]
    assert learning.main(["--tasks", "nothing", "--results", str(path)]) == 2
