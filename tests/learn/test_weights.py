"""A document that stands for two counts as much as two."""

from dataclasses import replace

import numpy as np
import pytest

from keysift.features.prepared import silent
from keysift.features.rows import inverse_document_frequency
from keysift.learn.fitting import fit_views
from keysift.learn.view_fit import mean_difference, top_share
from keysift.pipeline import match, prepare
from keysift.risk.losses import get_loss
from keysift.text.counts import count_words
from tests.streaming.made_stream import made_documents


def test_weighted_documents_are_repeated_documents() -> None:
    texts = made_documents(150)["text"].filter(made_documents(150)["text"] != "")
    held = texts.str.contains(r"\b(hockey|baseball)\b").to_numpy()
    times = np.where(held, 1, 3)
    places = np.repeat(np.arange(len(texts)), times)
    once = replace(prepare(texts, encoder=None), weights=times.astype(np.float64))
    repeated = prepare(texts.gather(places), encoder=None)
    found = []
    for prepared in (once, repeated):
        matches = match(prepared, "hockey, baseball")
        scorer, fitted = fit_views(prepared, matches, get_loss("sigmoid"), progress=silent)
        found.append((scorer.score(scorer.prepare(once.tokens)), fitted.quality.value))
    # Words in a single document are not looked at, and repeated they are: all words here are in many.
    assert found[0][0] == pytest.approx(found[1][0], abs=0.02)
    assert found[0][1] == pytest.approx(found[1][1], abs=0.01)


def test_top_share_by_weight() -> None:
    scores = np.array([4.0, 3.0, 2.0, 1.0])
    assert top_share(scores, 0.5, np.array([1.0, 1.0, 2.0, 5.0])).tolist() == [True, True, True, False]
    assert top_share(scores, 0.5, np.ones(4)).tolist() == top_share(scores, 0.5).tolist()


def test_idf_and_mean_difference_by_weight() -> None:
    prepared = prepare(["a goal", "a goal late", "rain", "rain and a goal"], encoder=None)
    weights = np.array([1.0, 2.0, 1.0, 3.0])
    places = np.repeat(np.arange(4), weights.astype(int))
    counts = count_words(prepared.tokens)
    idf, repeated = inverse_document_frequency(counts, 1, weights), inverse_document_frequency(counts[places], 1)
    assert idf == pytest.approx(repeated)
    view = prepared.fitted_views()["words"]
    positive = np.array([1.0, 0.0, 0.0, 1.0])
    ours = mean_difference(view, positive, weights)
    assert ours.scores @ weights == pytest.approx(0.0, abs=1e-9)
    assert ours.scores**2 @ weights == pytest.approx(weights.sum())
