"""Small made corpora on which every number of `LearnConfig` shows, and all that a fit says of them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from keysift.config import LearnConfig
from keysift.decide.drift import compare_scores, summary_of
from keysift.learn.scorer import ViewScorer
from keysift.pipeline import decide, learn, match, prepare, suggest
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
            rows.append([-side if {"not", "never"} & set(words) else side, *noise])
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


def topics() -> Made:
    """Five topics; the first has most of the keywords, of which one is an everyday word."""
    rng = np.random.default_rng(0)
    texts = []
    for place in range(150):
        topic = place % 5
        parts = [f"{'abcde'[topic]}{word}" for word in rng.choice(10, size=4)]
        parts += [f"common{word}" for word in rng.choice(9, size=2)]
        if rng.random() < (0.05 if topic else 0.8):
            parts.append(str(rng.choice(["goal", "puck", "rink"])))
        texts.append(" ".join([*parts, *(["indeed"] if rng.random() < 0.15 else [])]))
    return Made(texts, FOUR, ("words", "characters"), LearnConfig(opposite_from=0.0))  # so that there are rounds


def halves() -> Made:
    """Reviews, good and bad; half of the good ones have a keyword, and an encoder hears which side a text is on."""
    rng = np.random.default_rng(0)
    texts = []
    for number in range(160):
        good = number % 2 == 0
        words = ["item", f"no{number}", str(rng.choice(SIDES[0][2:] if good else SIDES[1][1:]))]
        texts.append(" ".join([*words, *([str(rng.choice(["great", "lovely"]))] * (number % 4 == 0))]))
    return Made(texts, ["great", "lovely"], ("words", "sentences"), LearnConfig(negation="not"), encoder=Judge())


def noise() -> Made:
    """Keywords that have nothing to do with the rest of the documents."""
    rng = np.random.default_rng(3)
    texts = []
    for number in range(150):
        words = [f"w{word}" for word in rng.choice(30, size=5)]
        texts.append(" ".join([*words, *(["goal"] * (number % 3 == 0)), *(["puck"] * (number % 4 == 0))]))
    return Made(texts, ["goal", "puck"], ("words",), LearnConfig())


def denials() -> Made:
    """The topics in English sentences, of which some say that there is no goal."""
    made = topics()
    ends = ("It is not about a goal.", "This is all that they had to say about it.")
    return replace(made, texts=[f"{text}. {ends[number % 7 > 0]}" for number, text in enumerate(made.texts)])


def answered() -> Made:
    """The topics, and what a person said of every third document."""
    made = topics()
    truth = np.array([text.startswith("a") for text in made.texts])
    return replace(made, answers=np.where(np.arange(len(truth)) % 3 == 0, truth, -1).astype(np.int8))


CASES: dict[str, Callable[[], Made]] = {
    "topics": topics,
    "halves": halves,
    "noise": noise,
    "denials": denials,
    "answered": answered,
}


def observed(made: Made, **changes: Any) -> Iterator[tuple[str, Any]]:
    """All that a fit says, to be compared to the last bit; what takes long comes last."""
    config = replace(made.learning, **changes)
    vectors = WordVectors(
        "made", pl.Series("word", [*made.keywords, "zebra"]), np.eye(len(made.keywords) + 1, dtype=np.float32)
    )
    prepared = prepare(made.texts, vectors=vectors, views=made.views, encoder=made.encoder, learning=config)
    matches = match(prepared, made.keywords)
    learned = learn(prepared, matches, answers=made.answers)
    quality = learned.quality
    assert quality is not None
    assert isinstance(learned.scorer, ViewScorer)
    yield "scores", learned.scores.tobytes()
    yield "encoder", learned.scorer.encoder is None
    yield "quality", np.array(list(quality.plain().values())).tobytes()
    yield "two sides", (quality.two_sides, quality.within_chance)
    yield "beliefs", learned.beliefs
    drift = compare_scores(learned.scores[:60] + 5.0, summary_of(learned.scores), len(prepared), config)
    yield "drift", drift and drift.notable
    decisions = decide(learned)
    yield "prior", decisions.prior
    yield "chances", decisions.posterior.chances.tobytes()
    yield "suggested", suggest(prepared, matches, learned, decide(learned, prior=0.05))
