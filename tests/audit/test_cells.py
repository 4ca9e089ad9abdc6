import numpy as np

from keysift.audit.cells import split
from tests.audit.cases import audit_of, ranking_frame


def test_both_sides_add_up_to_the_strata() -> None:
    frame = ranking_frame()
    audit = audit_of(frame)
    inside, outside = split(audit, frame["pseudo_positive"].to_numpy() == 1)
    assert inside.size.sum() + outside.size.sum() == 200
    assert inside.judged.sum() + outside.judged.sum() == 60
    assert inside.relevant.sum() + outside.relevant.sum() == audit.answers.sum()
    assert (inside.guess != 0.5).any()


def test_at_the_cut_of_the_design_no_stratum_is_split() -> None:
    audit = audit_of(ranking_frame())
    inside, outside = split(audit, audit.ranking.decided)
    assert (len(inside), len(outside)) == (2, 2)
    assert np.concatenate([inside.guess, outside.guess]).tolist() == [0.5] * 4
    assert np.concatenate([inside.judged, outside.judged]).tolist() == audit.sample.plan.taken.tolist()


def test_a_cell_without_a_judged_document_goes_by_its_stratum() -> None:
    audit = audit_of(ranking_frame())
    unseen = np.setdiff1d(np.arange(200), audit.sample.rows)[:1]
    inside, _ = split(audit, np.isin(np.arange(200), unseen))
    assert inside.judged.tolist() == [0]
    assert inside.total == inside.guess[0]
