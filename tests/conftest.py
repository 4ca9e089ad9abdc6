import itertools
import os
import sys
from collections.abc import Iterator

import numpy as np
import polars as pl
import pytest
from hypothesis import settings
from numpy.typing import NDArray

from keysift import KeywordClassifier
from keysift.vectors.glove import load_glove
from keysift.vectors.sources import SOURCES
from keysift.vectors.words import WordVectors
from tests.light import KEYWORDS, LIGHT

# A busy machine is no failure, and a failure should come back when the tests run again.
settings.register_profile("keysift", deadline=None, derandomize=True, max_examples=50)
settings.register_profile("thorough", deadline=None, max_examples=500)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "keysift"))

TOPICS = {
    "sports": (
        ("a hockey goalie", "our striker", "a baseball pitcher", "the hockey team", "the baseball coach"),
        ("won the final game of the season", "scored twice before the playoff", "lost the match in the stadium"),
        ("and the fans cheered", "after a long tournament"),
    ),
    "cooking": (
        ("the chef", "my grandmother", "a patient baker", "the pastry cook", "our neighbour"),
        ("stirred the soup with garlic", "baked bread with butter and flour", "roasted onions in olive oil"),
        ("and served dinner", "until the sauce was thick"),
    ),
    "law": (
        ("the judge", "a state court", "the prosecutor", "parliament", "the defendant"),
        ("appealed the verdict on the tax law", "heard the case about the contract", "signed the bill on evidence"),
        ("despite the lawsuit", "under the constitution"),
    ),
}


@pytest.fixture(scope="session", autouse=True)
def one_torch_thread() -> Iterator[None]:
    """Tests of networks are small: on a busy machine, threads that wait for each other take four times as long."""
    torch = sys.modules.get("torch")  # only if a test needs it
    if torch is None:
        yield
        return
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(scope="session")
def corpus() -> pl.DataFrame:
    """Sixty short sentences (`text`), twenty for each `topic`, the topics mixed."""
    sentences = {
        topic: [" ".join(parts) + "." for number, parts in enumerate(itertools.product(*choices)) if number % 3]
        for topic, choices in TOPICS.items()
    }
    rows = [(topic, text) for topic, texts in sentences.items() for text in texts]
    frame = pl.DataFrame(rows, schema=["topic", "text"], orient="row")
    return frame[np.random.default_rng(0).permutation(len(frame))]


@pytest.fixture(scope="session")
def texts(corpus: pl.DataFrame) -> list[str]:
    return corpus["text"].to_list()


@pytest.fixture(scope="session")
def is_sports(corpus: pl.DataFrame) -> NDArray[np.bool_]:
    return (corpus["topic"] == "sports").to_numpy()


@pytest.fixture(scope="module")
def small_glove() -> Iterator[None]:
    """GloVe with its most frequent words only, so that many fits are quick."""
    whole = load_glove()
    small = WordVectors(whole.name, whole.words[:20_000], np.array(whole.matrix[:20_000]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(SOURCES, whole.name, lambda tokens, rng: small)
        yield


@pytest.fixture(scope="module")
def fitted(small_glove: None, texts: list[str]) -> KeywordClassifier:
    """As usual: words, and sentences by the encoder that comes with keysift."""
    return KeywordClassifier(KEYWORDS, prior=1 / 3).fit(texts)


@pytest.fixture(scope="module")
def light(small_glove: None, texts: list[str]) -> KeywordClassifier:
    """One view, the keywords alone, no encoder."""
    return KeywordClassifier(KEYWORDS, prior=1 / 3, **LIGHT).fit(texts)
