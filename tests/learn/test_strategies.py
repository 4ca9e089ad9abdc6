import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from keysift.learn.cotraining import ViewFit, fit_split, fuse
from keysift.learn.neighbours import Neighbours
from keysift.learn.split import Split
from keysift.learn.strategies import ALONE, NEAR, Strategy, follow
from tests.learn.numbers import PLAN, two_views

TRUST = st.floats(0, 1)


@given(share=st.floats(0, 0.99), trust=TRUST)
def test_trust_in_neighbours_is_taken_from_the_others(share: float, trust: float) -> None:
    assert 0 <= Strategy(share).benefit(trust) <= Strategy(share).benefit(0.0)
    assert NEAR.benefit(trust) == pytest.approx(trust * NEAR.benefit(1.0))


def test_strategies_have_names() -> None:
    assert [str(one) for one in (ALONE, Strategy(0.1), NEAR)] == [
        "the keywords alone",
        "10% of the documents",
        "neighbours",
    ]


def test_neighbours_find_what_the_keywords_missed() -> None:
    """The keyword is in five of a hundred relevant documents; documents have neighbours of their own kind."""
    rng = np.random.default_rng(0)
    relevant = np.arange(300) < 100
    views = two_views(relevant, 1.0, rng)
    split = Split(np.arange(300) < 5, np.ones(300))
    rows = np.repeat(np.arange(300), 5)
    columns = np.where(rows < 100, rng.integers(0, 100, len(rows)), rng.integers(100, 300, len(rows)))
    neighbours = Neighbours(sp.csr_array((np.full(len(rows), 0.2), (rows, columns)), shape=(300, 300)))
    base = fit_split(views, split, PLAN)
    near = follow(NEAR, views, base, split, 1, PLAN, neighbours)

    def auc(fits: dict[str, ViewFit]) -> float:
        return float(roc_auc_score(relevant, fuse(fits, dict.fromkeys(fits, 1.0))))

    assert auc(near) > auc(base) + 0.02
    assert follow(ALONE, views, base, split, 1, PLAN, None) == base
