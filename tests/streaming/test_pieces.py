from pathlib import Path

import numpy as np
import polars as pl
import pytest

from keysift.corpus.shards import Chosen
from keysift.ranker import KeywordRanker
from keysift.streaming import pieces
from keysift.streaming.pieces import PieceJob, result_rows
from keysift.streaming.scores import HELD, ID, OUT, SCORE

TEXTS = [f"{word} number {place}" for place, word in enumerate(["hockey", "goal", "tax law", "court"] * 6)]


@pytest.mark.parametrize("every", [False, True])
def test_reasons_are_the_same_however_many_are_found_together(
    every: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clf = KeywordRanker(["hockey", "goal"], prior=0.5, encoder=None).fit(TEXTS)
    scores = clf.decision_function(TEXTS)
    rows = pl.DataFrame(
        {
            ID: [f"d{place}" for place in range(len(TEXTS))],
            SCORE: scores,
            OUT: np.zeros(len(TEXTS), dtype=bool),
            HELD: ["hockey" in text or "goal" in text for text in TEXTS],
            "text": TEXTS,
        }
    )
    chosen = Chosen("made", ("text",), None)
    job = PieceJob(str(tmp_path), "", "", chosen, clf.decisions_, float(np.sort(scores)[-5]), all_reasons=every)
    together = result_rows(rows, None, clf, job)
    told = together["evidence"] != ""
    assert told.sum() == (len(TEXTS) if every else int(clf.predict(TEXTS).sum()))
    for size in (1, 5):
        monkeypatch.setattr(pieces, "REASONED", size)
        assert result_rows(rows, None, clf, job).equals(together)
