"""Documents in two dimensions: the two principal components of their sentence vectors, or of their words."""

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.features.prepared import Prepared
from keysift.web.ranked import Ranked
from keysift.web.ranking_schemas import Map

MOST = 20_000
"""Documents on the map; of more, a sample."""
NOT_MADE = Map(ready=False, method="", document=[], x=[], y=[], score=[], answer=[])


@dataclass(frozen=True, eq=False)
class Places:
    """Where documents are on the map."""

    documents: NDArray[np.int64]
    xy: NDArray[np.float64]
    method: str


def places(prepared: Prepared) -> Places:
    """Find a place for each document, or for a sample of them; empty documents have none."""
    filled = np.flatnonzero(~prepared.empty)
    vectors, method = prepared.filled.documents().vectors, "sentence vectors"
    known = np.arange(len(filled)) if vectors is None else np.flatnonzero(~np.isnan(vectors[:, 0]))
    rng = np.random.default_rng(prepared.seed)
    some = np.sort(rng.choice(known, min(MOST, len(known)), replace=False))
    if vectors is None or len(some) < 3:
        xy, method = of_words(prepared.filled.counts[some], rng), "words"
    else:
        xy = principal(vectors[some].astype(np.float64))
    return Places(filled[some], xy, f"principal components of {method}")


def principal(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """The two principal components, each between -1 and 1.

    >>> principal(np.array([[0.0, 0.0], [1.0, 2.0], [2.0, 4.0]]))[:, 0].round(2).tolist() in ([-1, 0, 1], [1, 0, -1])
    True
    """
    centred = points - points.mean(axis=0)
    _, directions = np.linalg.eigh(centred.T @ centred)
    return _within(centred @ directions[:, ::-1][:, :2])


def of_words(counts: sp.csr_array, rng: np.random.Generator) -> NDArray[np.float64]:
    """The same of TF-IDF; the first component is left out, which is the one that all documents share."""
    from scipy.sparse.linalg import svds

    if min(counts.shape) < 4:
        return np.zeros((counts.shape[0], 2))
    idf = np.log1p(counts.shape[0] / (1 + np.bincount(counts.indices, minlength=counts.shape[1])))
    rows = sp.csr_array(counts @ sp.diags_array(idf))
    lengths = np.sqrt(rows.multiply(rows).sum(axis=1))
    left, values, _ = svds(sp.csr_array(sp.diags_array(1 / np.maximum(lengths, 1e-12)) @ rows), k=3, random_state=rng)
    order = np.argsort(-values)[1:]
    return _within(np.asarray((left * values)[:, order], dtype=np.float64))


def _within(xy: NDArray[np.float64]) -> NDArray[np.float64]:
    """Most of them between -1 and 1; the few that are far out stand at the edge."""
    if xy.shape[1] < 2:
        xy = np.column_stack([xy, np.zeros((len(xy), 2 - xy.shape[1]))])
    centred = xy - np.median(xy, axis=0)
    reach = np.quantile(np.abs(centred), 0.99, axis=0) if len(xy) > 100 else np.abs(centred).max(axis=0, initial=0)
    return np.clip(centred / np.where(reach > 0, reach, 1.0), -1.0, 1.0)


def map_of(ranked: Ranked, made: Places) -> Map:
    """The map with today's scores and answers."""
    ranks = ranked.result.ranking.ranks[made.documents]
    share = 1 - (ranks - 1) / max(1, len(ranked.opened.prepared) - 1)
    return Map(
        ready=True,
        method=made.method,
        document=made.documents.tolist(),
        x=made.xy[:, 0].round(4).tolist(),
        y=made.xy[:, 1].round(4).tolist(),
        score=share.round(4).tolist(),
        answer=[ranked.answer(int(place)) for place in made.documents],
    )
