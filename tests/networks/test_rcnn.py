from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from keysift.networks import rcnn
from keysift.networks.packed import run_lstm
from keysift.networks.rcnn import RCNN
from tests.networks.words import assert_scores_do_not_depend_on_the_batch, some_documents, some_embedding

LENGTHS = [4, 1, 9, 4, 2]


class PlainRCNN(nn.Module):
    """The obvious twin: torch's own packed LSTM, and a mask under the maximum."""

    def __init__(self, original: RCNN) -> None:
        super().__init__()
        self.embedding, self.hidden, self.score = original.embedding, original.hidden, original.score
        self.lstm = nn.LSTM(original.embedding.dim, 4, num_layers=2, bidirectional=True, batch_first=True)
        self.lstm.load_state_dict(original.lstm.state_dict())

    def forward(self, ids: Tensor) -> Tensor:
        lengths = (ids != 0).sum(1).clamp(min=1)
        words = self.embedding(ids)
        packed = pack_padded_sequence(words, lengths, batch_first=True, enforce_sorted=False)
        states, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True, total_length=ids.shape[1])
        features = self.hidden(torch.cat([states, words], dim=2))
        beyond = torch.arange(ids.shape[1]) >= lengths[:, None]
        scores: Tensor = self.score(features.masked_fill(beyond[:, :, None], -torch.inf).amax(1))
        return scores.squeeze(1)


def pair(fine_tune: bool) -> tuple[RCNN, PlainRCNN]:
    torch.manual_seed(0)
    ours = RCNN(some_embedding(np.arange(1, 11) if fine_tune else None), units=4).eval()
    return ours, PlainRCNN(ours).eval()


@pytest.mark.parametrize("lengths", [LENGTHS, [1], [3, 3], [0, 2]])
def test_equals_the_plain_twin(lengths: list[int]) -> None:
    ours, theirs = pair(fine_tune=False)
    documents = some_documents(lengths)
    torch.testing.assert_close(ours(documents), theirs(documents), atol=1e-6, rtol=1e-5)


def test_learns_as_the_plain_twin_does() -> None:
    gradients = []
    for network in pair(fine_tune=True):
        network.zero_grad()  # the two share some weights
        slopes = torch.linspace(-1, 2, len(LENGTHS))
        (network(some_documents(LENGTHS)) * slopes).sum().backward()
        gradients.append({name: weight.grad for name, weight in network.named_parameters() if weight.grad is not None})
    ours, theirs = gradients
    assert ours.keys() == theirs.keys() > {"embedding.changes", "lstm.weight_hh_l1_reverse", "score.bias"}
    for name, gradient in ours.items():
        assert gradient.abs().sum() > 0, name
        torch.testing.assert_close(gradient, theirs[name], atol=1e-6, rtol=1e-4, msg=name)


def test_a_score_does_not_depend_on_the_batch() -> None:
    torch.manual_seed(0)
    assert_scores_do_not_depend_on_the_batch(RCNN(some_embedding()).eval())


def test_dropout_is_between_the_layers_and_in_training_only(monkeypatch: pytest.MonkeyPatch) -> None:
    torch.manual_seed(0)
    network, documents = RCNN(some_embedding(), dropout=0.75), some_documents([40] * 20)
    between: list[Tensor] = []

    def watched(words: Tensor, *rest: Any) -> Tensor:
        between.extend((words, run_lstm(words, *rest)))
        return between[-1]

    monkeypatch.setattr(rcnn, "run_lstm", watched)
    network(documents)
    _, first, dropped, _ = between
    kept = dropped != 0
    torch.testing.assert_close(dropped[kept], 4 * first[kept])
    assert kept.double().mean().item() == pytest.approx(0.25, abs=0.01)
    between.clear()
    network.eval()(documents)
    assert between[1] is between[2]


def test_the_papers_sizes() -> None:
    network = RCNN(some_embedding())
    assert (network.lstm.hidden_size, network.lstm.num_layers, network.dropout) == (64, 2, 0.6)
    assert network.hidden.weight.shape == (64, 128 + 5)
    assert network.score.weight.shape == (1, 64)
