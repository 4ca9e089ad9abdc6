from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given as examples
from hypothesis import strategies as st

from keysift.audit.answers import Audit
from keysift.audit.labels import labels_from
from keysift.audit.ranked_table import ranking_from
from keysift.audit.sampling import draw
from keysift.errors import InputError, KeysiftWarning
from tests.audit.cases import audit_of, ranking_frame

LABELS = [0, -1, 1, 1]


@pytest.mark.parametrize(
    "given",
    [
        LABELS,
        tuple(LABELS),
        np.array(LABELS),
        np.array(LABELS, dtype=float),
        pl.Series(LABELS),
        {0: 0, 2: 1, 3: 1},
        {3: True, 2: np.int64(1), np.int64(0): np.False_, 1: -1},
    ],
)
def test_mappings_and_arrays_say_the_same(given: Any) -> None:
    assert labels_from(given, 4).tolist() == LABELS


@examples(st.permutations(range(200)))
def test_an_audit_tells_places_where_its_ids_are_places(places: list[int]) -> None:
    frame = ranking_frame().drop("id").with_columns(document=pl.Series(places))
    labels = labels_from(audit_of(frame), 200)
    truth = frame.sort("document")["label"].to_numpy()
    assert (labels >= 0).sum() == 60
    assert (labels[labels >= 0] == truth[labels >= 0]).all()


def test_who_is_unsure_says_nothing() -> None:
    sample = draw(ranking_from(ranking_frame().drop("id").with_columns(document=pl.arange(0, 200))), 60)
    answers = np.tile(np.array([1, 0, -1], dtype=np.int8), 20)
    labels = labels_from(Audit(sample, answers, unsure=20, unanswered=0), 200)
    assert np.unique_counts(labels).counts.tolist() == [160, 20, 20]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([1, 0], r"has 2 labels for 4 documents; give one for each"),
        ({10**6: 1}, r"places that are not there: 1000000; places are whole numbers from 0 to 3"),
        ({-1: 1, "a": 0}, r"places that are not there: -1, 'a'"),
        ({True: 1}, r"places that are not there: True"),
        (
            {0: 2, 1: "yes", 2: None},
            r"must be 1 \(relevant\), 0 \(not relevant\) or -1 \(unknown\); got 2, 'yes', None",
        ),
        ({0: float("nan")}, r"got nan"),
        ({}, r"holds no answer"),
        ({0: -1}, r"holds no answer"),
        (7, r"audit must be an Audit, \{place: 1 or 0\} or an array of labels; got 7"),
        ("yes", r"has 1 labels for"),
    ],
)
def test_bad_labels_are_refused_in_a_sentence(given: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        labels_from(given, 4)


@pytest.mark.parametrize("frame", [ranking_frame(), ranking_frame().drop("id")])
def test_an_audit_by_other_ids_does_not_tell_places(frame: pl.DataFrame) -> None:
    with pytest.raises(InputError, match=r"ids of its own, which do not tell the places.*hand in \{place: 1 or 0\}"):
        labels_from(audit_of(frame), 200)


def test_an_audit_of_other_documents_is_refused() -> None:
    with pytest.raises(InputError, match=r"of a ranking of 200 documents, but there are 199; fit the documents"):
        labels_from(audit_of(ranking_frame()), 199)


@pytest.mark.parametrize(("answer", "word"), [(1, "relevant"), (0, "irrelevant")])
def test_one_kind_of_answer_is_told(answer: int, word: str) -> None:
    with pytest.warns(KeysiftWarning, match=rf"All answers \(2\) say {word}"):
        assert labels_from({0: answer, 3: answer}, 4).tolist() == [answer, -1, -1, answer]
