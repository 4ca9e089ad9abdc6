"""A small corpus of two sets, and modules that are trained on it."""

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from keysift.networks.history import NetworkHistory
from keysift.networks.minibatch import fit_network
from keysift.networks.training import Training
from keysift.networks.word_ids import WordIds
from keysift.risk.losses import get_loss

WORDS = 20
State = dict[str, Tensor]


def two_sets(documents: int = 60, seed: int = 0) -> tuple[WordIds, NDArray[np.bool_]]:
    """Documents of one to eight words; the positive third of them likes the first words of the vocabulary."""
    rng = np.random.default_rng(seed)
    positive = rng.permutation(np.arange(documents) % 3 == 0)
    lengths = rng.integers(1, 9, documents)
    likes_first = np.repeat(positive, lengths) & (rng.uniform(size=lengths.sum()) < 0.7)
    ids = np.where(likes_first, rng.integers(1, 6, lengths.sum()), rng.integers(1, WORDS + 1, lengths.sum()))
    return WordIds(ids, np.concatenate([[0], np.cumsum(lengths)])), positive


class BagOfWords(nn.Module):
    """A vector for each word, their mean, dropout, a score: all learned."""

    def __init__(self, seed: int = 0, dim: int = 4) -> None:
        super().__init__()
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self.vectors = nn.Embedding(WORDS + 1, dim, padding_idx=0)
            self.dropout = nn.Dropout(0.2)
            self.score = nn.Linear(dim, 1)
        self.scale = nn.Parameter(torch.tensor(1.0))  # a parameter without a dimension is one, too

    def forward(self, ids: Tensor) -> Tensor:
        means = self.vectors(ids).sum(1) / (ids != 0).sum(1, keepdim=True).clamp(min=1)
        scores: Tensor = self.scale * self.score(self.dropout(means))
        return scores


class NanAt(BagOfWords):
    """Scores not a number from the given step on."""

    def __init__(self, step: int) -> None:
        super().__init__()
        self.step, self.calls = step, 0

    def forward(self, ids: Tensor) -> Tensor:
        self.calls += self.training
        scores = super().forward(ids)
        return scores * torch.nan if self.training and self.calls >= self.step else scores


def fit(network: nn.Module, plan: Training, seed: int = 0, **options: Any) -> NetworkHistory:
    return fit_network(network, *two_sets(), get_loss("sigmoid"), plan, seed=seed, **options)


def state_of(network: nn.Module) -> State:
    return {name: value.clone() for name, value in network.state_dict().items()}


def same_to_the_bit(one: State, other: State) -> bool:
    return one.keys() == other.keys() and all(torch.equal(one[name], other[name]) for name in one)
