"""Static vectors of word pieces, from the package `wordllama`: every word has one, however it is spelled.

Only the package's files are read, its 32,000 pieces with 256 numbers each and its tokenizer; its own loader would ask a
model hub for the tokenizer.
"""

from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import polars as pl
import scipy.sparse as sp
from numpy.typing import NDArray
from safetensors.numpy import load_file
from tokenizers import Tokenizer as PieceTokenizer

BLOCK = 10_000


@dataclass(frozen=True, eq=False)
class PieceVectors:
    """A vector for each word piece, and the tokenizer that splits words into pieces."""

    name: str
    matrix: NDArray[np.float32]
    tokenizer: PieceTokenizer

    def spell(self, words: pl.Series) -> sp.csr_array:
        """Words as weights of pieces, such that `spell(words) @ matrix` are unit vectors.

        >>> pieces = load_pieces()
        >>> spelled = pieces.spell(pl.Series(["goalie", "hockey"]))
        >>> [pieces.tokenizer.id_to_token(int(piece)) for piece in spelled.indices]
        ['▁goal', 'ie', '▁hockey']
        >>> np.linalg.norm(spelled @ pieces.matrix, axis=1).round(5).tolist()
        [1.0, 1.0]
        """
        wide = self.matrix.astype(np.float64)
        blocks = [self._spell(words[start : start + BLOCK], wide) for start in range(0, len(words), BLOCK)]
        return sp.csr_array(sp.vstack([sp.csr_array((0, len(self.matrix))), *blocks], format="csr"))

    def _spell(self, words: pl.Series, matrix: NDArray[np.float64]) -> sp.csr_array:
        spelled = [code.ids for code in self.tokenizer.encode_batch_fast(words.to_list(), add_special_tokens=False)]
        ends = np.cumsum([0, *map(len, spelled)])
        flat = np.fromiter((piece for word in spelled for piece in word), dtype=np.int32, count=int(ends[-1]))
        counts = sp.csr_array((np.ones(len(flat)), flat, ends), shape=(len(words), len(matrix)))
        lengths = np.linalg.norm(counts @ matrix, axis=1)
        scale = np.divide(1.0, lengths, out=np.zeros(len(words)), where=lengths > 0)
        return sp.csr_array((np.repeat(scale, np.diff(ends)), flat, ends), shape=counts.shape)


@cache
def load_pieces() -> PieceVectors:
    """The pieces of the tokenizer of Llama 2, with the vectors of WordLlama (Miller, 2024).

    >>> load_pieces().matrix.shape
    (32000, 256)
    """
    spec = find_spec("wordllama")
    assert spec is not None, "wordllama is a dependency"
    folder = Path(str(spec.origin)).parent
    tokenizer = PieceTokenizer.from_file(str(folder / "tokenizers" / "l2_supercat_tokenizer_config.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    weights = load_file(folder / "weights" / "l2_supercat_256.safetensors")["embedding.weight"]
    return PieceVectors("wordllama-256", weights.astype(np.float32), tokenizer)
