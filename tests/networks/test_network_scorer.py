from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
import torch
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score
from torch import Tensor, nn

from keysift.errors import KeywordError, ModelFileError
from keysift.files.fields import DamagedPartError
from keysift.files.tensors import read_model, write_model
from keysift.networks import network_scorer as room
from keysift.networks.network_scorer import NetworkScorer, fit_scorer
from keysift.networks.training import Training
from keysift.risk.losses import get_loss
from keysift.text.tokens import Tokens, tokenize
from keysift.vectors.glove import load_glove
from keysift.vectors.sources import SOURCES
from keysift.vectors.words import WordVectors

STOP_WORDS = {"the", "a", "of", "and"}


class WordSum(nn.Module):
    """A module of the user's own, on word numbers."""

    def __init__(self, words: int) -> None:
        super().__init__()
        self.scores = nn.Embedding(words + 1, 1, padding_idx=0)
        nn.init.zeros_(self.scores.weight)

    def forward(self, ids: Tensor) -> Tensor:
        scores: Tensor = self.scores(ids).sum((1, 2))
        return scores


@pytest.fixture(scope="module")
def vectors(texts: list[str]) -> WordVectors:
    """GloVe's, of the words in the texts and a few others."""
    glove = load_glove()
    rows = np.unique(np.concatenate([glove.rows(tokenize(pl.Series(texts)).words), np.arange(100)]))
    rows = rows[rows >= 0]
    return WordVectors("small", glove.words.gather(rows), np.array(glove.matrix[rows]))


@pytest.fixture(scope="module")
def tokens(texts: list[str]) -> Tokens:
    return tokenize(pl.Series(texts))


def train(
    model: Any, tokens: Tokens, vectors: WordVectors, positive: NDArray[np.bool_], **options: Any
) -> NetworkScorer:
    plan = Training(**{"learning_rate": 0.01, "epochs": 3, "batch_size": 16, **options})
    scorer, history = fit_scorer(
        tokens,
        vectors,
        positive,
        get_loss("sigmoid"),
        model=model,
        plan=plan,
        stop_words=STOP_WORDS,
        seed=3,
        progress=lambda name, done: None,
    )
    assert 1 <= history.steps <= plan.epochs_of(len(tokens))
    return scorer


KINDS: dict[str, tuple[Any, dict[str, Any]]] = {
    "rcnn": ("rcnn", {}),
    "cnn": ("cnn", {}),
    "mlp": ("mlp", {}),
    "fine-tuned": ("rcnn", {"fine_tune": True, "max_words": 5}),
    "own, words": (WordSum(400), {"inputs": "words"}),
    "own, vectors": (nn.Sequential(nn.Linear(50, 4), nn.Tanh(), nn.Linear(4, 1)), {"inputs": "vectors"}),
    "own, vectors, fine-tuned": (nn.Linear(50, 1), {"inputs": "vectors", "fine_tune": True}),
}


@pytest.fixture(scope="module")
def scorers(tokens: Tokens, vectors: WordVectors, is_sports: NDArray[np.bool_]) -> dict[str, NetworkScorer]:
    return {kind: train(model, tokens, vectors, is_sports, **options) for kind, (model, options) in KINDS.items()}


every_kind = pytest.mark.parametrize("kind", KINDS)


@every_kind
def test_learns_to_tell_the_two_sets_apart(
    kind: str, scorers: dict[str, NetworkScorer], tokens: Tokens, is_sports: NDArray[np.bool_]
) -> None:
    scorer = scorers[kind]
    assert roc_auc_score(is_sports, scorer.score(scorer.prepare(tokens))) > 0.9


@every_kind
def test_saved_and_restored_it_scores_the_same_to_the_bit(
    kind: str, scorers: dict[str, NetworkScorer], tokens: Tokens, tmp_path: Path
) -> None:
    (model, options), scorer, path = KINDS[kind], scorers[kind], tmp_path / "a.keysift"
    arrays, settings = scorer.save()
    write_model(path, arrays, settings)
    state = torch.get_rng_state()
    restored = NetworkScorer.restore(*read_model(path), model, Training(**options))
    assert torch.equal(torch.get_rng_state(), state)
    assert restored.words.to_list() == scorer.words.to_list()
    assert (restored.floor, restored.max_words) == (scorer.floor, scorer.max_words)
    prepared = restored.prepare(tokens)
    assert prepared.ids.tolist() == scorer.prepare(tokens).ids.tolist()
    scores = restored.score(prepared)
    assert scores.std() > 0
    assert scores.tobytes() == scorer.score(prepared).tobytes()
    one, other = (both.explain(prepared, scores).toarray() for both in (restored, scorer))
    assert np.array_equal(one, other)


def test_vectors_are_in_the_file_unless_a_name_finds_them(
    tokens: Tokens, vectors: WordVectors, is_sports: NDArray[np.bool_], monkeypatch: pytest.MonkeyPatch
) -> None:
    named = WordVectors("glove-6b-50d", vectors.words, vectors.matrix)
    monkeypatch.setitem(SOURCES, named.name, lambda tokens, rng: named)
    learned = SOURCES["corpus"](tokens, np.random.default_rng(0))
    for source, stored in ((vectors, True), (named, False), (learned, True)):
        scorer = train("mlp", tokens, source, is_sports, epochs=1)
        arrays, settings = scorer.save()
        assert settings["vectors"] == source.name
        assert ("vectors.matrix" in arrays) == stored
        assert not any(name.startswith("network.embedding") for name in arrays)
        restored = NetworkScorer.restore(arrays, settings, "mlp", Training())
        assert np.array_equal(restored.vectors.matrix, source.matrix)
        prepared = restored.prepare(tokens)
        assert restored.score(prepared).tobytes() == scorer.score(prepared).tobytes()


def test_fine_tuned_vectors_are_kept_as_what_was_added_to_them(
    scorers: dict[str, NetworkScorer], tokens: Tokens
) -> None:
    scorer = scorers["fine-tuned"]
    arrays, _ = scorer.save()
    read = np.unique(scorer.prepare(tokens).ids)
    assert arrays["network.embedding.tuned"].tolist() == read.tolist()
    assert arrays["network.embedding.changes"].shape == (len(read) + 1, 50)
    assert np.abs(arrays["network.embedding.changes"][1:]).max() > 0
    assert not arrays["network.embedding.changes"][0].any()


@pytest.mark.parametrize("other", [WordSum(401), nn.Linear(50, 1), "mlp"])
def test_a_module_that_is_built_in_another_way(other: Any, scorers: dict[str, NetworkScorer]) -> None:
    with pytest.raises(ModelFileError, match="do not fit the module that was passed; pass one that is built the"):
        NetworkScorer.restore(*scorers["own, words"].save(), other, Training())


@pytest.mark.parametrize(
    ("name", "number", "expected"),
    [
        ("network.embedding.changes", np.nan, "must hold numbers from -1e"),
        ("network.embedding.changes", 1e30, "must hold numbers from -1e"),
        ("network.embedding.tuned", 10**6, "must hold numbers of different words"),
        ("network.embedding.tuned", -1, "must hold numbers of different words"),
        ("vectors.matrix", np.inf, "must hold numbers from -1e"),
        ("vectors.bytes", 255, "invalid"),
    ],
)
def test_numbers_that_cannot_be(name: str, number: float, expected: str, scorers: dict[str, NetworkScorer]) -> None:
    (model, options), (arrays, settings) = KINDS["fine-tuned"], scorers["fine-tuned"].save()
    damaged = arrays[name].copy()
    damaged.reshape(-1)[3] = number
    with pytest.raises(ValueError, match=expected):
        NetworkScorer.restore({**arrays, name: damaged}, settings, model, Training(**options))


def test_fields_that_cannot_be(scorers: dict[str, NetworkScorer]) -> None:
    (model, options), (arrays, settings) = KINDS["fine-tuned"], scorers["fine-tuned"].save()
    for name, value in (("max_words", 0), ("max_words", 2.5), ("floor", float("nan")), ("stop_words", "the"), ("x", 1)):
        with pytest.raises(DamagedPartError, match=name):
            NetworkScorer.restore(arrays, {**settings, name: value}, model, Training(**options))
    with pytest.raises(DamagedPartError, match="'network_of_another' belongs to no part"):
        NetworkScorer.restore({**arrays, "network_of_another": np.zeros(1)}, settings, model, Training(**options))


def test_the_users_module_is_copied(scorers: dict[str, NetworkScorer]) -> None:
    own = KINDS["own, words"][0]
    assert scorers["own, words"].network is not own
    assert not torch.equal(scorers["own, words"].network.get_parameter("scores.weight"), own.scores.weight)
    assert own.training


def test_random_numbers_of_others_are_left_alone(
    tokens: Tokens, vectors: WordVectors, is_sports: NDArray[np.bool_]
) -> None:
    states, scores = [], []
    for _ in range(2):
        torch.rand(1)
        state = torch.get_rng_state()
        scorer = train("cnn", tokens, vectors, is_sports, epochs=1)
        states.append(torch.equal(torch.get_rng_state(), state))
        scores.append(scorer.score(scorer.prepare(tokens)).tobytes())
    assert states == [True, True]
    assert scores[0] == scores[1]


@every_kind
@pytest.mark.parametrize("at_once", [room.OCCLUDED_AT_ONCE, 1])
def test_the_reason_is_what_the_score_loses_without_the_word(
    kind: str, at_once: int, scorers: dict[str, NetworkScorer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "OCCLUDED_AT_ONCE", at_once)
    scorer = scorers[kind]
    documents = ["hockey team the game hockey", "judge", "unknownzzz", "", "soup bread butter dinner team"]

    def score(texts: list[str]) -> NDArray[np.float64]:
        return scorer.score(scorer.prepare(tokenize(pl.Series(texts))))

    scores = score(documents)
    moved = scorer.explain(scorer.prepare(tokenize(pl.Series(documents))), scores)
    assert moved.shape == (5, len(scorer.words))
    known = set(scorer.words) - STOP_WORDS
    for row, document in enumerate(documents):
        words = {word for word in document.split() if word in known}
        (columns,) = moved[[row]].toarray()[0].nonzero()
        assert {scorer.words[int(column)] for column in columns} <= words
        for word in words:
            (without,) = score([" ".join(other for other in document.split() if other != word)])
            column = int(scorer.vectors.rows(pl.Series([word]))[0])
            assert moved[row, column] == pytest.approx(scores[row] - without, abs=1e-5)
    assert np.abs(moved.toarray()).max() > 1e-4


def test_only_the_highest_scores_are_explained(
    scorers: dict[str, NetworkScorer], tokens: Tokens, monkeypatch: pytest.MonkeyPatch
) -> None:
    scorer = scorers["mlp"]
    prepared = scorer.prepare(tokens)
    scores = scorer.score(prepared)
    whole = scorer.explain(prepared, scores).toarray()
    monkeypatch.setattr(room, "EXPLAINED", 7)
    part = scorer.explain(prepared, scores).toarray()
    explained = np.flatnonzero(part.any(1))
    assert sorted(explained) == sorted(np.argsort(-scores)[:7])
    np.testing.assert_allclose(part[explained], whole[explained], atol=1e-5)


def test_nothing_with_a_word_scores_as_low_as_the_floor(scorers: dict[str, NetworkScorer], tokens: Tokens) -> None:
    scorer = scorers["mlp"]
    prepared = scorer.prepare(tokens)
    scores = scorer.score(prepared)
    assert np.isfinite(scorer.floor)
    assert scorer.floor < scores.min() - (scores.max() - scores.min())
    high = NetworkScorer(scorer.network, scorer.vectors, STOP_WORDS, None, floor=float(np.median(scores)))
    assert (high.score(prepared) > high.floor).all()
    assert high.score(prepared).max() == scores.max()


def test_it_reads_no_stop_words_and_only_the_first_words(scorers: dict[str, NetworkScorer]) -> None:
    scorer = scorers["fine-tuned"]  # max_words=5
    one, same, other = (
        scorer.prepare(tokenize(pl.Series([text]))).ids.tolist()
        for text in (
            "the hockey team won a game and season",
            "hockey team won game season soup",
            "soup hockey team won game season",
        )
    )
    assert one == same != other
    assert len(one) == 5


def test_documents_without_a_word_to_read_are_left_out(
    tokens: Tokens, vectors: WordVectors, texts: list[str], is_sports: NDArray[np.bool_]
) -> None:
    more = tokenize(pl.Series([*texts, "", "zzzzqqq", "the of and"]))
    positive = np.append(is_sports, [True, False, True])
    arrays, expected = (
        train("mlp", both, vectors, which, epochs=2).save()[0]
        for both, which in ((more, positive), (tokens, is_sports))
    )
    assert all(np.array_equal(arrays[name], value) for name, value in expected.items())
    for which in (positive & ~np.append(is_sports, [False] * 3), ~positive | np.append(is_sports, [True] * 3)):
        with pytest.raises(KeywordError, match="contain no word that has a vector in small"):
            train("mlp", more, vectors, which)
