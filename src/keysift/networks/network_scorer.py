"""Scores from a torch module, explained by leaving words out."""

import copy
from collections.abc import Callable, Collection
from typing import Any

import numpy as np
import polars as pl
import scipy.sparse as sp
import torch
from numpy.typing import NDArray
from torch import nn

from keysift.errors import ModelFileError
from keysift.files.fields import Columns, DamagedPartError, Fields
from keysift.files.tensors import Arrays, pack_words, unpack_words
from keysift.networks.cnn import CNN
from keysift.networks.embedding import WordEmbedding
from keysift.networks.history import NetworkHistory
from keysift.networks.minibatch import fit_network, score_documents
from keysift.networks.mlp import MLP, OverMeanVectors
from keysift.networks.rcnn import RCNN
from keysift.networks.training import Training
from keysift.networks.two_sets import check_sets
from keysift.networks.word_ids import WordIds, number_words
from keysift.risk.losses import Loss
from keysift.text.tokens import Tokens
from keysift.vectors.sources import SOURCES, get_vectors
from keysift.vectors.words import WordVectors

NETWORKS: dict[str, Callable[[WordEmbedding], nn.Module]] = {"rcnn": RCNN, "cnn": CNN, "mlp": MLP}

EXPLAINED = 1000
"""How many of the highest scores are explained: it means scoring a document again for each of its words."""
OCCLUDED_AT_ONCE = 4_000_000
"""About how many words are scored at once to explain documents, to bound the memory."""
LARGEST = 1e6
"""No weight in a file is larger: what a few layers make of such numbers still is one."""


class NetworkScorer:
    """A trained network, and what turns text into its input."""

    def __init__(
        self,
        network: nn.Module,
        vectors: WordVectors,
        stop_words: Collection[str],
        max_words: int | None,
        floor: float = -np.inf,
    ) -> None:
        self.network = network.eval()
        self.vectors = vectors
        self.stop_words = frozenset(stop_words)
        self.max_words = max_words
        self.floor = floor

    @property
    def words(self) -> pl.Series:
        """Every word that has a vector."""
        return self.vectors.words

    def prepare(
        self, tokens: Tokens, counts: sp.csr_array | None = None, vectors: NDArray[np.float32] | None = None
    ) -> WordIds:
        """The words that the network reads, as numbers."""
        return number_words(tokens, self.words, self.stop_words, self.max_words)

    def score(self, prepared: WordIds) -> NDArray[np.float64]:
        """The network's scores, all above the floor, which is the score of empty documents."""
        return np.maximum(score_documents(self.network, prepared), np.nextafter(self.floor, np.inf))

    def explain(self, prepared: WordIds, scores: NDArray[np.float64]) -> sp.csr_array:
        """How much the score falls when every occurrence of a word is left out, for the top documents."""
        first = np.argsort(-scores, kind="stable")[:EXPLAINED]
        places = np.cumsum(prepared.lengths[first] ** 2)
        parts = np.split(first, np.flatnonzero(np.diff(places // OCCLUDED_AT_ONCE)) + 1)
        falls, rows, columns = [], [], []
        for part in parts:
            owners, words, rest = prepared.take(part).occlusions()
            rows.append(part[owners])
            columns.append(words - 1)
            falls.append(scores[rows[-1]] - self.score(rest))
        entries = (np.concatenate(falls), (np.concatenate(rows), np.concatenate(columns)))
        return sp.csr_array(sp.coo_array(entries, shape=(len(scores), len(self.words))))

    def save(self) -> tuple[Arrays, dict[str, Any]]:
        """The weights, and the word vectors unless their name is enough to find them again."""
        arrays: Arrays = {f"network.{name}": value.numpy() for name, value in self.network.state_dict().items()}
        if not _found_by_name(self.vectors.name):
            arrays["vectors.matrix"] = self.vectors.matrix
            arrays |= {f"vectors.{name}": array for name, array in pack_words(self.words).items()}
        return arrays, {
            "vectors": self.vectors.name,
            "stop_words": sorted(self.stop_words),
            "max_words": self.max_words,
            "floor": self.floor,
        }

    @classmethod
    def restore(cls, arrays: Arrays, plain: object, model: Any, plan: Training) -> "NetworkScorer":
        """The scorer that `save` stored; a module of the user's own has to be passed as `model`."""
        saved = Fields.of(plain, "scorer")
        name, columns = saved.only("vectors", "stop_words", "max_words", "floor").text("vectors"), Columns(arrays)
        if _found_by_name(name):
            vectors = get_vectors(name, Tokens(np.empty(0, np.int32), np.zeros(1, np.int64), pl.Series([])))
            used: set[str] = set()
        else:
            used = {"vectors.bytes", "vectors.ends", "vectors.matrix"}
            words = unpack_words({part: arrays[f"vectors.{part}"] for part in ("bytes", "ends")})
            matrix = columns.numbers("vectors.matrix", (len(words), None), -LARGEST, LARGEST, np.float32)
            if words.is_duplicated().any():
                raise DamagedPartError("the array vectors.bytes must hold different words")
            vectors = WordVectors(name, words, matrix)
        own = {name: value for name, value in arrays.items() if name.startswith("network.")}
        columns.only(*used, *own)
        for part, value in own.items():
            if value.dtype.kind == "f":
                columns.numbers(part, value.shape, -LARGEST, LARGEST, value.dtype)
        state = {name.removeprefix("network."): torch.from_numpy(np.array(value)) for name, value in own.items()}
        if "network.embedding.tuned" in own:
            _check_tuned(columns.of_kind("network.embedding.tuned", np.int64, (None,)), len(vectors))
        tuned = state.get("embedding.tuned")
        with torch.random.fork_rng(devices=[]):  # the initial weights are drawn at random, then replaced
            network = build_network(model, vectors, plan, None if tuned is None else tuned.numpy())
        try:
            network.load_state_dict(state)
        except RuntimeError:
            raise ModelFileError(
                "The saved weights do not fit the module that was passed; pass one that is built the same way."
            ) from None
        most = saved.maybe("max_words", lambda field: saved.whole(field, 1))
        return cls(network, vectors, saved.texts("stop_words"), most, saved.number("floor"))


def _check_tuned(tuned: NDArray[np.int64], words: int) -> None:
    """The numbers of words whose vectors were learned: each is that of a word, and none is there twice."""
    if tuned.size and (tuned.min() < 0 or tuned.max() > words or len(np.unique(tuned)) < len(tuned)):
        raise DamagedPartError("the array network.embedding.tuned must hold numbers of different words")


def fit_scorer(
    tokens: Tokens,
    vectors: WordVectors,
    positive: NDArray[np.bool_],
    loss: Loss,
    *,
    model: Any,
    plan: Training,
    stop_words: Collection[str],
    seed: int,
    progress: Callable[[str, float], None],
) -> tuple[NetworkScorer, NetworkHistory]:
    """Train a network on the two sets; documents without any word that it knows are left out."""
    documents = number_words(tokens, vectors.words, stop_words, plan.max_words)
    usable = np.flatnonzero(documents.lengths)
    check_sets(positive[usable], vectors.name)
    read = documents.take(usable)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        network = build_network(model, vectors, plan, np.unique(read.ids) if plan.fine_tune else None)
    history = fit_network(network, read, positive[usable], loss, plan, seed=seed, progress=progress)
    scorer = NetworkScorer(network, vectors, stop_words, plan.max_words)
    scores = scorer.score(read)
    scorer.floor = float(2 * scores.min() - scores.max() - 1)
    return scorer, history


def build_network(model: Any, vectors: WordVectors, plan: Training, tuned: NDArray[np.int64] | None) -> nn.Module:
    """A network by name, or a copy of the user's own."""
    if isinstance(model, str):
        return NETWORKS[model](WordEmbedding(vectors.matrix, tuned))
    own: nn.Module = copy.deepcopy(model)
    return own if plan.inputs == "words" else OverMeanVectors(WordEmbedding(vectors.matrix, tuned), own)


def _found_by_name(vectors: str) -> bool:
    return vectors in SOURCES and vectors != "corpus"
