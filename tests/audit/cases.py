"""Small rankings made by hand, and their audits."""

import numpy as np
import polars as pl

from keysift.audit.answers import Audit
from keysift.audit.ranked_table import ranking_from
from keysift.audit.sampling import draw
from keysift.audit.sheet import start


def ranking_frame(documents: int = 200, above: int = 40, *, relevant: int = 50, seed: int = 0) -> pl.DataFrame:
    """A ranking as `keysift rank` writes it; the column `label` has the truth, and is better than chance."""
    rng = np.random.default_rng(seed)
    noise = rng.normal(size=documents)
    score = np.sort(noise)[::-1]
    order = np.argsort(np.arange(documents) + rng.normal(scale=documents / 8, size=documents))
    label = np.zeros(documents, dtype=int)
    label[order[:relevant]] = 1
    return pl.DataFrame(
        {
            "id": [f"d{number}" for number in rng.permutation(documents)],
            "rank": np.arange(1, documents + 1),
            "score": score,
            "decision": (np.arange(documents) < above).astype(int),
            "pseudo_positive": (rng.random(documents) < 0.2 + 0.5 * label).astype(int),
            "evidence": ["keywords: goal; moved by: goal +0.50"] * documents,
            "text": [f"a goal in game {number}" for number in range(documents)],
            "label": label,
        }
    )


def filled(frame: pl.DataFrame, n: int = 60, *, seed: int = 0) -> pl.DataFrame:
    """The sheet of an audit, answered by the truth."""
    truth = dict(frame.select("id", "label").iter_rows())
    sheet = start(frame, n, seed=seed)
    return sheet.with_columns(answer=pl.Series(["y" if truth[name] else "n" for name in sheet["id"]]))


def audit_of(frame: pl.DataFrame, n: int = 60, *, seed: int = 0) -> Audit:
    """The audit itself, answered by the truth."""
    sample = draw(ranking_from(frame), n, seed=seed)
    labels = frame.sort("rank")["label"].to_numpy()
    return Audit(sample, labels[sample.rows].astype(np.int8), unsure=0, unanswered=0)
