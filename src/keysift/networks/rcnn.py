"""The paper's network: a recurrent convolutional neural network (Lai et al., 2015) with a two-layer LSTM."""

import torch
from torch import Tensor, nn

from keysift.networks.embedding import WordEmbedding
from keysift.networks.packed import max_over_time, pack, run_lstm


class RCNN(nn.Module):
    """Word vectors -> two-layer bidirectional LSTM -> [states, word vectors] -> linear -> max over time -> score."""

    def __init__(self, embedding: WordEmbedding, units: int = 64, dropout: float = 0.6) -> None:
        super().__init__()
        self.embedding = embedding
        self.lstm = nn.LSTM(embedding.dim, units, num_layers=2, bidirectional=True)
        self.dropout = dropout
        self.hidden = nn.Linear(2 * units + embedding.dim, units)
        self.score = nn.Linear(units, 1)

    def forward(self, ids: Tensor) -> Tensor:
        """Scores (documents,) of padded word numbers (documents, longest)."""
        packed = pack(ids)
        words = self.embedding(packed.ids)
        states = words
        for layer in range(2):
            if layer and self.training:
                # What functional.dropout does, at a quarter of its cost.
                states = states * torch.rand_like(states).ge_(self.dropout).div_(1 - self.dropout)
            states = run_lstm(states, packed, self._weights(layer))
        features = self.hidden(torch.cat([states, words], dim=1))
        scores: Tensor = self.score(max_over_time(features, packed))
        return scores.squeeze(1)

    def _weights(self, layer: int) -> tuple[Tensor, ...]:
        """Of both directions, each w_ih, w_hh, b_ih, b_hh: the order in which torch lists them."""
        return tuple(self.lstm.get_parameter(name) for name in self.lstm._all_weights[2 * layer]) + tuple(
            self.lstm.get_parameter(name) for name in self.lstm._all_weights[2 * layer + 1]
        )
