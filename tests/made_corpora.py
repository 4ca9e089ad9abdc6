"""Small made corpora on which every number of `LearnConfig` shows, and all that a fit says of them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from keysift.config import LearnConfig
from keysift.decide.drift import compare_scores, summary_of
from keysift.pipeline import decide, learn, match, prepare, suggest
from keysift.text.tokens import tokenize
from keysift.vectors.words import WordVectors

FOUR = ["goal", "puck", "rink", "indeed"]
SIDES = (("great", "lovely", "shines", "works"), ("broken", "awful", "returned", "slow"))


class Judge:
    """An encoder that hears praise and blame in some words, and "not"; most of it is noise."""

    def encode(self, texts: list[str]) -> NDArray[np.float64]:
        rows = []
        for text in texts:
            words = text.split()
            side = sum(word in SIDES[0] for word in words) - sum(word in SIDES[1] for word in words)
            noise = np.random.default_rng([ord(letter) for letter in text]).normal(size=6)
            rows.append([-side if {"not", "no"} & set(words) else side, *noise])
        return np.array(rows)


@dataclass(frozen=True)
class Made:
    """Documents, keywords and how to learn from them."""

    texts: list[str]
    keywords: list[str]
    views: tuple[str, ...]
    learning: LearnConfig
    encoder: Any = None
    answers: NDArray[np.int8] | None = None


def sentences(number: int, words: int, common: int, rate: float, leak: float, everyday: float) -> list[str]:
    """Five topics of their own `words`; the first has a keyword at the `rate`, the others at the `leak`."""
    rng = np.random.default_rng(0)
    texts = []
    for place in range(number):
        topic, own = place % 5, 5 if common == 1 else 4
        parts = [f"{'abcde'[topic]}{word}" for word in rng.choice(words, size=own)]
        parts += [f"common{word}" for word in rng.choice(9, size=common)]
        if rng.random() < (leak if topic else rate):
            parts.append(str(rng.choice(["goal", "puck", "rink"])))
        texts.append(" ".join([*parts, *(["indeed"] if rng.random() < everyday else [])]))
    return texts


def topics() -> Made:
    """Topics of their own words; one of the keywords is an everyday word."""
    return Made(sentences(180, 10, 1, 0.7, 0.03, 0.1), FOUR, ("words", "characters"), LearnConfig())


def mixed() -> Made:
    """The same with more words that all topics share, so that the ranking is less sure."""
    return Made(sentences(150, 10, 2, 0.8, 0.05, 0.15), FOUR, ("words", "characters"), LearnConfig())


def halves() -> Made:
    """Reviews, good and bad; half of the good ones have a keyword, and an encoder hears which side a text is on."""
    rng = np.random.default_rng(0)
    texts = []
    for number in range(160):
        good = number % 2 == 0
        words = ["item", f"no{number}", str(rng.choice(SIDES[0][2:] if good else SIDES[1][1:]))]
        texts.append(" ".join([*words, *([str(rng.choice(["great", "lovely"]))] * (number % 4 == 0))]))
    learning = LearnConfig(negation="not")  # the language of the texts cannot be told
    return Made(texts, ["great", "lovely"], ("words", "sentences"), learning, encoder=Judge())


def noise() -> Made:
    """Keywords that have nothing to do with the rest of the documents, and sentence vectors of noise."""
    rng = np.random.default_rng(3)
    texts = []
    for number in range(150):
        words = [f"w{word}" for word in rng.choice(30, size=5)]
        texts.append(" ".join([*words, *(["goal"] * (number % 3 == 0)), *(["puck"] * (number % 4 == 0))]))
    return Made(texts, ["goal", "puck"], ("words", "sentences"), LearnConfig(), encoder=rng.normal(size=(150, 4)))


def answered() -> Made:
    """And what a person said of every third document."""
    made = mixed()
    truth = np.array([text.startswith("a") for text in made.texts])
    answers = np.where(np.arange(len(truth)) % 3 == 0, truth, -1).astype(np.int8)
    return replace(made, answers=answers)


def one_round() -> Made:
    """The reviews, before the views have learned all from each other."""
    return replace(halves(), learning=LearnConfig(rounds=1, round_steps=1, negation="not"))


CASES: dict[str, Callable[[], Made]] = {
    "topics": topics,
    "mixed": mixed,
    "halves": halves,
    "noise": noise,
    "answered": answered,
    "one_round": one_round,
}


def observed(made: Made, **changes: Any) -> Iterator[tuple[str, Any]]:
    """All that a fit says, to be compared to the last bit; what takes long comes last."""
    config = replace(made.learning, **changes)
    words = sorted({word for text in made.texts for word in text.split()})
    matrix = np.random.default_rng(0).normal(size=(len(words) + 1, 4)).astype(np.float32)
    vectors = WordVectors("made", pl.Series("word", [*words, "zebra"]), matrix)
    prepared = prepare(made.texts, vectors=vectors, views=made.views, encoder=made.encoder, learning=config)
    matches = match(prepared, made.keywords)
    learned = learn(prepared, matches, answers=made.answers)
    quality = learned.quality
    assert quality is not None
    yield "scores", learned.scores.tobytes()
    measured = [quality.value, quality.self_trained, quality.by_chance, quality.opposite]
    yield "quality", np.array(measured).tobytes()
    yield "followed", (quality.two_sides, quality.within_chance)
    yield "beliefs", learned.beliefs
    if made.encoder is None:
        new = learned.scorer.prepare(tokenize(pl.Series([text.rpartition(" ")[0] for text in made.texts])))
        yield "new", learned.scorer.score(new).tobytes()
    yield "words", learned.scorer.words.to_list()
    drift = compare_scores(learned.scores[:60] + 5.0, summary_of(learned.scores), len(prepared), config)
    yield "drift", drift and drift.notable
    decisions = decide(learned)
    yield "prior", decisions.prior
    yield "chances", decisions.posterior.chances.tobytes()
    yield "suggested", suggest(prepared, matches, learned, decide(learned, prior=0.05))
