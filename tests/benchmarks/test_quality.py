import itertools
import json
import time
from pathlib import Path

import numpy as np
import pytest

from benchmarks.paper.datasets import find_data
from benchmarks.paper.results import read
from benchmarks.quality import sentences
from benchmarks.quality.ours import OURS, Variant
from benchmarks.quality.runner import main, plan
from benchmarks.quality.shared import shared, timed
from benchmarks.quality.systems import trials
from benchmarks.quality.tasks import TASKS, Corpus, Problem, Task
from keysift import KeywordClassifier

FOLDER = find_data()
needs_data = pytest.mark.skipif(
    FOLDER is None, reason="the paper's data sets are neither in KEYSIFT_DATA nor in ../shared/data"
)


def test_the_plan_goes_corpus_by_corpus_and_trial_by_trial() -> None:
    names = ["sci.med", "ayi", "sci.space", "ayi/1"]
    keys = plan(names, ["bm25", "corex"])
    assert len(keys) == len(set(keys)) == sum(trials(s, TASKS[n]) for s in ("bm25", "corex") for n in names)
    order = [(TASKS[name].corpus, trial) for name, _, trial in keys]
    assert len([pair for pair, _ in itertools.groupby(order)]) == len(set(order))


def test_slow_systems_have_fewer_trials() -> None:
    assert [trials("trivial", TASKS[name]) for name in ("20ng", "20ng/0", "sci.med")] == [20, 3, 3]
    assert trials("corex", TASKS["20ng"]) < 20


def test_shared_work_is_done_once_and_counted_each_time() -> None:
    calls = []

    @shared
    def slow(value: int) -> int:
        calls.append(value)
        time.sleep(0.05)
        return -value

    @shared
    def slower(value: int) -> int:
        return slow(value) * 2

    results = [timed(lambda: slow(1)), timed(lambda: slow(1)), timed(lambda: slower(1)), timed(lambda: slower(1))]
    assert [value for value, _ in results] == [-1, -1, -2, -2]
    assert all(seconds >= 0.05 for _, seconds in results)
    assert calls == [1]
    assert timed(lambda: None)[1] < 0.05


@needs_data
def test_a_run_goes_on_where_it_was_stopped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "results.jsonl"
    arguments = ["--tasks", "ayi,ayi/2", "--systems", "counting,trivial", "--results", str(path), "--trials"]
    assert main([*arguments, "1"]) == 0
    first = path.read_bytes()
    path.write_bytes(first + first[:50])
    assert main([*arguments, "2"]) == 0
    said = capsys.readouterr().out
    assert "was broken" in said
    assert "8 tasks, 4 of them done before" in said
    assert path.read_bytes().startswith(first)
    lines = read(path)
    assert len(lines) == 8
    assert 55 < lines["ayi", "counting", 0]["auc"] < lines["ayi", "trivial", 0]["auc"] < 80
    assert set(json.loads(first.splitlines()[0])) == {"set", "system", "trial", "auc", "prec100", "seconds"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--family", "six"], "--family must be some of five, other keywords, groups; got 'six'."),
        (["--systems", "SVM"], "--systems must be some of counting"),
        (["--tasks", "imdb"], "--tasks must be some of subj"),
        (["--trials", "0"], "--trials must be 1 or more; got 0."),
    ],
)
def test_wrong_options_are_named(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(arguments)
    assert said in capsys.readouterr().err


VECTORS = {"good": [1.0, 0.0], "bad": [0.0, 1.0], "fine": [0.8, 0.6], "poor": [-0.6, 0.8], "great good": [0.6, 0.8]}


@pytest.fixture
def words(monkeypatch: pytest.MonkeyPatch) -> Problem:
    """Four texts with vectors in the plane instead of MiniLM's, two of them to learn from."""
    texts = ("good", "bad", "fine", "poor")
    monkeypatch.setattr(sentences, "corpus", lambda name: Corpus(texts, np.array(["1", "0", "1", "0"])))
    monkeypatch.setattr(
        sentences, "encode", lambda given: np.array([VECTORS.get(text, [0.0, 1.0]) for text in given], dtype=np.float32)
    )
    monkeypatch.setattr(sentences, "sentence_vectors", lambda name: sentences.encode(texts))
    rows, labels = (np.array([0, 1]), np.array([2, 3])), np.array([1, 0])
    task = TASKS["ayi/1"].__class__("words", "Words", "five", "words", ("great", "good"), "1")
    return Problem(task, 0, *rows, texts[:2], texts[2:], labels, labels)


def test_zero_shot_is_the_cosine_with_the_keywords(words: Problem) -> None:
    assert sentences.zero_shot(words) == pytest.approx([1.4 / 2**0.5, 0.2 / 2**0.5])
    assert sentences.zero_shot_text(words) == pytest.approx([0.96, 0.28])


def test_the_oracle_learns_from_the_labels(words: Problem) -> None:
    scores = sentences.oracle_minilm(words)
    assert scores[0] > 0 > scores[1]


def test_vectors_are_encoded_once_and_kept_by_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def encode(texts: tuple[str, ...]) -> np.ndarray:
        calls.append(texts)
        return np.eye(len(texts), dtype=np.float32)

    texts: tuple[str, ...] = ("one", "two")
    monkeypatch.setattr(sentences, "encode", encode)
    monkeypatch.setattr(sentences, "corpus", lambda name: Corpus(texts, np.array(["1", "0"])))
    assert sentences.sentence_vectors("this", tmp_path).tolist() == [[1, 0], [0, 1]]
    assert sentences.sentence_vectors("same texts", tmp_path).tolist() == [[1, 0], [0, 1]]
    assert calls == [texts]
    texts = ("one", "two", "three")
    assert len(sentences.sentence_vectors("other texts", tmp_path)) == 3
    sentences.sentence_vectors.cache_clear()


TRAIN = tuple(
    f"{subject} {verb} {place}"
    for subject, verb, place in itertools.product(
        ("the hockey team", "a baseball pitcher", "the judge", "parliament", "a chef"),
        ("won the game", "heard the case", "baked the bread", "left early"),
        ("in the stadium", "at home", "before the season", "in court"),
    )
)


def _problem(*keywords: str) -> Problem:
    rows, labels = np.arange(len(TRAIN)), np.zeros(len(TRAIN), dtype=np.int64)
    return Problem(Task("t", "T", "five", "t", keywords, "1"), 0, rows, rows, TRAIN, TRAIN, labels, labels)


def test_tasks_that_share_their_documents_score_as_fits_of_their_own() -> None:
    variant = OURS["keysift without encoder"]
    assert isinstance(variant, Variant)
    for keywords in (["hockey", "game"], ["judge", "case"]):
        scores, line = variant(_problem(*keywords))
        alone = KeywordClassifier(keywords, **variant.arguments).fit(TRAIN)
        assert scores.tolist() == alone.decision_function(TRAIN).tolist()
        assert set(line) == {"quality"}
