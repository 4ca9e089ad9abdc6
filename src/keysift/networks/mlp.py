"""A hidden layer over the mean word vector of a document."""

from torch import Tensor, nn

from keysift.networks.embedding import WordEmbedding


class OverMeanVectors(nn.Module):
    """A module that scores mean word vectors (documents, dim), wrapped to take word numbers."""

    def __init__(self, embedding: WordEmbedding, inner: nn.Module) -> None:
        super().__init__()
        self.embedding = embedding
        self.inner = inner

    def forward(self, ids: Tensor) -> Tensor:
        """Scores of padded word numbers (documents, longest)."""
        scores: Tensor = self.inner(self.embedding.mean(ids))
        return scores


class MLP(OverMeanVectors):
    """Mean word vector -> linear -> ReLU -> dropout -> score."""

    def __init__(self, embedding: WordEmbedding, units: int = 64, dropout: float = 0.5) -> None:
        super().__init__(
            embedding,
            nn.Sequential(nn.Linear(embedding.dim, units), nn.ReLU(), nn.Dropout(dropout), nn.Linear(units, 1)),
        )
