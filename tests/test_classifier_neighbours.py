"""Neighbourhoods of sentence vectors, from the fit to the model file."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import keysift
from keysift import KeywordClassifier, Session
from keysift.errors import ModelFileError, SettingError
from keysift.files.fields import DamagedPartError
from keysift.learn.quality import Quality
from keysift.learn.scorer import ENCODER_WORD, ViewScorer
from keysift.metrics import auc_between

WORDS = ["goal", "puck", "rink", "skate"]
FILLER = [f"filler{number}" for number in range(60)]
PLAIN = keysift.LearnConfig(few_words=0.0)
"""Words count as in long documents, so that the vectors alone do not tell everything."""
Made = tuple[list[str], NDArray[np.float32], NDArray[np.bool_]]


def made(places: int, seed: int = 0, documents: int = 1200) -> Made:
    """Texts with vectors around some places; in the first one, every second document has one of the keywords.

    With two places the documents lie along one line; with many, whatever is beyond the first on that line is near to
    nothing.
    """
    rng = np.random.default_rng(seed)
    centres = np.eye(places) * 3
    place = np.arange(documents) % places
    vectors = (centres[place] + 0.5 * rng.normal(size=(documents, places))).astype(np.float32)
    texts = []
    for number in range(documents):
        words = list(rng.choice(FILLER, size=6))
        turn = number // places
        if place[number] == 0 and turn % 2 == 0:
            words.append(WORDS[turn // 2 % len(WORDS)])
        texts.append(" ".join(words))
    return texts, vectors, place == 0


@pytest.fixture(scope="module")
def many() -> Made:
    return made(12)


def fitted(case: Made, **arguments: Any) -> KeywordClassifier:
    texts, vectors, _ = case
    return KeywordClassifier(WORDS, encoder=None, **{"learning": PLAIN, **arguments}).fit(texts, embeddings=vectors)


def scorer_of(clf: KeywordClassifier) -> ViewScorer:
    scorer = clf.model_.scorer
    assert isinstance(scorer, ViewScorer)
    return scorer


def quality_of(clf: KeywordClassifier) -> Quality:
    assert clf.quality_ is not None
    return clf.quality_


def test_where_a_topic_gathers_its_neighbourhoods_count(many: Made) -> None:
    texts, vectors, relevant = many
    clf = fitted(many)
    assert quality_of(clf).gathers
    assert scorer_of(clf).neighbours is not None
    without = fitted(many, views=("words", "sentences"))
    assert scorer_of(without).neighbours is None
    found = [one.decision_function(texts, embeddings=vectors) for one in (clf, without)]
    auc = [auc_between(scores[relevant], scores[~relevant]) for scores in found]
    assert auc[0] >= auc[1]


def test_where_they_are_far_behind_they_do_not(many: Made) -> None:
    strict = replace(PLAIN, neighbours_behind=0.0)
    texts, vectors, relevant = made(12, seed=1)
    blurred = vectors + 3 * np.random.default_rng(1).normal(size=vectors.shape).astype(np.float32)
    clf = fitted((texts, blurred, relevant), learning=strict)
    assert quality_of(clf).behind > 0
    assert not quality_of(clf).gathers
    assert scorer_of(clf).neighbours is None


def test_a_saved_model_gives_the_same_scores_to_the_bit(many: Made, tmp_path: Path) -> None:
    texts, vectors, _ = many
    clf = fitted(many)
    clf.save(tmp_path / "made.keysift")
    again = keysift.load(tmp_path / "made.keysift")
    scores = clf.decision_function(texts, embeddings=vectors)
    assert again.decision_function(texts, embeddings=vectors).tolist() == scores.tolist()
    assert again.decision_function(texts[7:9], embeddings=vectors[7:9]).tolist() == scores[7:9].tolist()
    assert quality_of(again).behind == quality_of(clf).behind


def test_a_small_corpus_that_says_nothing_has_none_and_is_saved(tmp_path: Path) -> None:
    """Vectors that are no better than chance are not behind, nor are neighbourhoods that are not there."""
    rng = np.random.default_rng(13)
    texts = [" ".join(rng.choice(FILLER[:40], 6)) + (f" {WORDS[n % 2]}" if n < 24 else "") for n in range(50)]
    vectors = rng.normal(size=(50, 4)).astype(np.float32)
    clf = KeywordClassifier(WORDS[:2], encoder=None).fit(texts, embeddings=vectors)
    assert quality_of(clf).known
    assert quality_of(clf).behind == 1.0
    assert scorer_of(clf).neighbours is None
    clf.save(tmp_path / "small.keysift")
    again = keysift.load(tmp_path / "small.keysift")
    scores = clf.decision_function(texts, embeddings=vectors)
    assert again.decision_function(texts, embeddings=vectors).tolist() == scores.tolist()


def test_what_moved_a_score_adds_up_to_it(many: Made) -> None:
    texts, vectors, _ = many
    clf = fitted(many)
    scorer = scorer_of(clf)
    session = Session(texts, encoder=vectors, learning=PLAIN)
    session.keywords(WORDS)
    session.learn()
    readable, scores = session.result.learned.readable, session.result.learned.scores
    moved = scorer.explain(readable, scores)
    assert scorer.words[-1] == ENCODER_WORD
    assert np.asarray(moved.sum(axis=1)).ravel() + scorer.constant == pytest.approx(scores)


def test_answers_are_learned_beside_them(many: Made) -> None:
    texts, vectors, relevant = many
    session = Session(texts, encoder=vectors, learning=PLAIN)
    session.keywords(WORDS)
    session.learn()
    for document in range(60):
        session.answer(document, int(relevant[document]))
    session.learn()
    scores = session.result.learned.scores
    rest = np.arange(len(texts)) >= 60
    assert auc_between(scores[relevant & rest], scores[~relevant & rest]) > 0.95


def test_neighbours_of_what_are_they_without_sentences() -> None:
    with pytest.raises(SettingError, match="stands beside 'sentences'"):
        KeywordClassifier(WORDS, views=("words", "neighbours")).fit(["a goal", "a law"])


@pytest.mark.parametrize(
    ("name", "changed", "message"),
    [
        ("neighbours.centres", lambda array: array[:0], "must have a row or more"),
        ("neighbours.centres", lambda array: array[:, 1:], "neighbours.centres"),
        ("neighbours.mean", lambda array: array * np.nan, "must hold numbers"),
        ("neighbours.scores", lambda array: array[1:], "neighbours.scores"),
    ],
)
def test_a_damaged_part_is_refused(many: Made, name: str, changed: Callable[[Any], Any], message: str) -> None:
    arrays, settings = scorer_of(fitted(many)).save()
    arrays[name] = np.ascontiguousarray(changed(arrays[name]))
    with pytest.raises(DamagedPartError, match=message):
        ViewScorer.restore(arrays, settings)


def test_neighbours_without_an_encoder_are_refused(many: Made) -> None:
    arrays, settings = scorer_of(fitted(many)).save()
    del arrays["encoder.coef"]
    with pytest.raises(DamagedPartError, match="must be null where there is no encoder"):
        ViewScorer.restore(arrays, {**settings, "encoder": None})


def test_an_altered_file_is_refused(many: Made, tmp_path: Path) -> None:
    path = tmp_path / "made.keysift"
    fitted(many).save(path)
    content = bytearray(path.read_bytes())
    content[-40] ^= 255
    path.write_bytes(bytes(content))
    with pytest.raises(ModelFileError):
        keysift.load(path)
