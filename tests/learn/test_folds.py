import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from keysift.learn.folds import deal, document_folds, keyword_folds, split_by
from keysift.learn.split import Split
from keysift.pipeline import match
from tests.keywords.six_documents import matched_six, prepared_six

pytestmark = pytest.mark.filterwarnings("ignore:The keyword '(home runs|ice hockey)' has no vector")


@pytest.mark.parametrize(("chosen", "positive"), [([0], [0, 3]), ([1], [1, 3]), ([0, 1], [0, 1, 3]), ([], None)])
def test_the_split_by_some_of_the_keywords(chosen: list[int], positive: list[int] | None) -> None:
    split = split_by(matched_six(["hockey", "baseball"]).only(chosen))
    assert (None if split is None else np.flatnonzero(split.positive).tolist()) == positive


def test_all_keywords_split_by_their_similarity() -> None:
    matches = matched_six(["hockey", "baseball"], gamma=1)
    split = split_by(matches)
    assert split is not None
    assert (split.positive == (matches.similarity > 0)).all()
    assert split.weights[split.positive].mean() == pytest.approx(1.0)


def test_keywords_that_find_nothing_or_everything_split_nothing() -> None:
    with pytest.warns(UserWarning, match="'zebra'"):
        matches = matched_six(["hockey", "zebra"])
    assert split_by(matches.only([1])) is None
    assert keyword_folds(matches, 2) == []  # only one keyword finds anything
    everywhere = prepared_six(["a goal", "a law"])
    assert split_by(match(everywhere, ["a"])) is None


def test_documents_that_hold_only_left_out_keywords_are_in_neither_set() -> None:
    matches = matched_six(["hockey", "baseball", "law"])
    folds = keyword_folds(matches, 3)
    assert [matches.holders[fold.left_out].tolist() for fold in folds] == [[0], [1], [2]]
    for fold in folds:
        documents = matches.holders[fold.left_out]
        assert not fold.split.positive[documents].any()
        assert not fold.split.weights[documents].any()
        rest = np.setdiff1d(matches.holders, documents)
        assert fold.split.positive[rest].all()
        assert fold.split.positive.sum() == len(rest)


def test_a_fold_learns_from_what_its_keywords_find_alone() -> None:
    matches = matched_six(["hockey", "baseball", "law"])
    alone = split_by(matches.only([1, 2]))
    assert alone is not None
    first = keyword_folds(matches, 3)[0].split
    assert first.positive.tolist() == alone.without(np.array([0])).positive.tolist()
    assert first.weights.tolist() == alone.without(np.array([0])).weights.tolist()


def test_no_more_folds_than_keywords() -> None:
    matches = matched_six(["hockey", "baseball"])
    assert len(keyword_folds(matches, 3)) == 2
    assert len(keyword_folds(matches, 2)) == 2


def test_halves_of_the_documents_of_one_keyword() -> None:
    matches = matched_six(["the"])
    split = split_by(matches)
    assert split is not None
    folds = document_folds(matches, split, np.random.default_rng(0))
    assert sorted(np.concatenate([fold.left_out for fold in folds]).tolist()) == [0, 1, 2]
    for fold in folds:
        documents = matches.holders[fold.left_out]
        assert not fold.split.weights[documents].any()
        assert fold.split.positive.sum() == 3 - len(documents)


def test_one_document_has_no_halves() -> None:
    matches = matched_six(["law"])
    split = split_by(matches)
    assert split is not None
    (fold,) = document_folds(matches, split, np.random.default_rng(0))
    assert isinstance(fold.split, Split)
    assert fold.left_out.tolist() == []


@given(documents=st.lists(st.integers(0, 1000), min_size=1, max_size=20), folds=st.integers(1, 4))
def test_keywords_are_dealt_evenly(documents: list[int], folds: int) -> None:
    dealt = deal(np.array(documents), folds)
    sizes = np.bincount(dealt, minlength=folds)
    assert len(dealt) == len(documents)
    assert sizes.max() - sizes.min() <= 1
    totals = np.bincount(dealt, documents, minlength=folds)
    assert totals.max() - totals.min() <= max(documents)
