"""One epoch of the RCNN: keysift's training against a plain packed-sequence loop, on the same documents and cores."""

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from benchmarks.line import Line
from benchmarks.paper.datasets import SETS
from benchmarks.paper.networks import read_words
from benchmarks.paper.trial import Trial, glove, make_trial
from keysift.networks.embedding import WordEmbedding
from keysift.networks.minibatch import fit_network, score_documents
from keysift.networks.rcnn import RCNN
from keysift.networks.training import Training
from keysift.networks.word_ids import WordIds
from keysift.risk.losses import get_loss

__all__ = ["PlainRCNN", "network_figures", "plain_epoch"]

BATCH = 128
LEARNING_RATE = 1e-4
SAMPLE = {"subj": 8000, "20ng": 2560}
"""All of Subj, a sixth of 20NG, where an epoch of the plain loop takes minutes."""


class PlainRCNN(nn.Module):
    """The same network the way one writes it first: padded batches, packed for torch's LSTM."""

    def __init__(self, matrix: NDArray[np.float32], units: int = 64, dropout: float = 0.6) -> None:
        super().__init__()
        dim = matrix.shape[1]
        table = torch.cat([torch.zeros(1, dim), torch.from_numpy(np.array(matrix))])
        self.embedding = nn.Embedding.from_pretrained(table, padding_idx=0)  # type: ignore[no-untyped-call]
        self.lstm = nn.LSTM(dim, units, num_layers=2, bidirectional=True, dropout=dropout, batch_first=True)
        self.hidden = nn.Linear(2 * units + dim, units)
        self.score = nn.Linear(units, 1)

    def forward(self, ids: Tensor) -> Tensor:
        """Scores (documents,) of padded word numbers (documents, longest)."""
        lengths = (ids != 0).sum(1).clamp(min=1)
        words = self.embedding(ids)
        packed = pack_padded_sequence(words, lengths, batch_first=True, enforce_sorted=False)
        states, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True)
        features = self.hidden(torch.cat([states, words[:, : states.shape[1]]], dim=2))
        ended = torch.arange(states.shape[1]) >= lengths[:, None]
        scores: Tensor = self.score(features.masked_fill(ended[:, :, None], -torch.inf).amax(1))
        return scores.squeeze(1)


class Stopwatch:
    """Seconds since it was last asked."""

    def __init__(self) -> None:
        self.start = time.perf_counter()

    def lap(self) -> float:
        """And start again."""
        before, self.start = self.start, time.perf_counter()
        return self.start - before


def plain_epoch(
    network: nn.Module,
    optimizer: torch.optim.Optimizer,
    documents: WordIds,
    positive: NDArray[np.bool_],
    rng: np.random.Generator,
) -> None:
    """The yardstick: batches of 128 as they come, the sigmoid loss of every pair, one step each."""
    network.train()
    order = rng.permutation(len(positive))
    for start in range(0, len(order), BATCH):
        rows = order[start : start + BATCH]
        scores = network(torch.from_numpy(documents.padded(rows)))
        held = torch.from_numpy(positive[rows])
        if 0 < held.sum() < len(rows):
            risk = torch.sigmoid(scores[~held] - scores[held][:, None]).mean()
            optimizer.zero_grad()
            risk.backward()  # type: ignore[no-untyped-call]
            optimizer.step()


def network_figures(folder: Path) -> Iterator[Line]:
    """Seconds of an epoch on Subj and on a sample of 20NG, and on Subj the test AUC that each way reaches.

    Epochs of the two take turns, and the best of each counts: what else the machine does slows both.
    """
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # the plain loop's many small steps suffer where other work shares the cores
    for name, epochs in (("subj", 4), ("20ng", 2)):
        data = SETS[name]
        trial = make_trial(data, data.read(folder), 0)
        yield from _one_set(trial, epochs)
    torch.set_num_threads(threads)


def _one_set(trial: Trial, epochs: int) -> Iterator[Line]:
    title, matrix = trial.data.title, glove().matrix
    documents = read_words(trial.train_texts)
    rows = np.random.default_rng(0).permutation(len(documents))[: SAMPLE[trial.data.name]]
    train, positive = documents.take(rows), trial.pseudo[rows]
    torch.manual_seed(0)
    plain, rng = PlainRCNN(matrix), np.random.default_rng(0)
    learned = [parameter for parameter in plain.parameters() if parameter.requires_grad]
    optimizer = torch.optim.Adam(learned, lr=LEARNING_RATE, weight_decay=0.003)
    torch.manual_seed(0)
    network = RCNN(WordEmbedding(matrix))
    plan = Training(epochs=epochs, held_out=0.0)
    # As far in fewer steps.
    plan = replace(plan, learning_rate=LEARNING_RATE * plan.batch_size / BATCH)
    ours_seconds, plain_seconds, clock = [], [], Stopwatch()

    def after_epoch(number: int, trained: nn.Module) -> None:
        ours_seconds.append(clock.lap())
        plain_epoch(plain, optimizer, train, positive, rng)
        plain_seconds.append(clock.lap())

    fit_network(network, train, positive, get_loss("sigmoid"), plan, watch=after_epoch)
    yield Line(
        f"{title}, {len(train):,} documents: an epoch of the RCNN",
        min(ours_seconds),
        min(plain_seconds),
        "s",
        "plain packed loop, batch 128",
        "0.33 or less",
    )
    if trial.data.name == "subj":
        test = read_words(trial.test_texts)
        ours, yardstick = (
            100 * roc_auc_score(trial.test_labels, score_documents(net, test)) for net in (network, plain)
        )
        yield Line(f"{title}: test AUC of the RCNN then", ours, yardstick, "points", "plain packed loop", "as good")
