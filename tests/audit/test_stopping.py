import numpy as np
import polars as pl

from keysift.audit.answers import Audit
from keysift.audit.ranked_table import ranking_from
from keysift.audit.sampling import draw
from keysift.audit.stopping import may_stop
from tests.audit.cases import audit_of, ranking_frame


def _audit(documents: int, above: int, relevant: int, n: int) -> Audit:
    """The first `relevant` documents are relevant, and no others."""
    frame = ranking_frame(documents, above, relevant=0)
    frame = frame.with_columns(label=(pl.col("rank") <= relevant).cast(int))
    return audit_of(frame, n)


def test_enough_elusion_documents_without_a_relevant_one_prove_it() -> None:
    stopping = may_stop(_audit(1000, 500, 450, 700))
    assert stopping.reached
    assert stopping.bound >= 0.95
    assert (stopping.more, stopping.lower_cut) == (None, None)


def test_too_few_do_not_and_the_number_that_would_is_told() -> None:
    audit = _audit(4000, 1000, 1000, 500)
    stopping = may_stop(audit)
    assert not stopping.reached
    assert stopping.more is not None
    assert 0 < stopping.more < 3000


def test_while_none_below_is_relevant_there_is_always_a_number_that_would_do() -> None:
    stopping = may_stop(_audit(4000, 1000, 1000, 60))
    assert stopping.more is not None
    assert 100 < stopping.more < 3000


def test_relevant_documents_below_the_cut_ask_for_a_lower_one() -> None:
    stopping = may_stop(_audit(600, 100, 200, 500))
    assert not stopping.reached
    assert stopping.more is None
    assert stopping.lower_cut is not None
    assert 190 <= stopping.lower_cut < 600


def test_all_above_the_cut_is_recall_of_one() -> None:
    frame = ranking_frame(100, 100, relevant=30)
    assert may_stop(audit_of(frame, 40)).bound == 1.0


def test_nothing_above_the_cut_cannot_be_enough() -> None:
    ranking = ranking_from(ranking_frame(100, 0))
    sample = draw(ranking, 20)
    stopping = may_stop(Audit(sample, np.zeros(20, dtype=np.int8), 0, 0))
    assert stopping.bound == 0.0
    assert not stopping.reached
