"""A review without a terminal: what comes next, what is kept, and what a stop check says."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from keysift import Session
from keysift.errors import SettingError
from keysift.review.fingerprints import fingerprints
from keysift.review.orders import BestFirst
from keysift.review.state import BEST, LABEL, SAMPLE, State
from keysift.review.stopping import advise
from keysift.reviewer import DUPLICATE, Reviewer
from tests.light import LIGHT


@contextmanager
def reviewing(folder: Path, texts: list[str], groups: NDArray[np.int64] | None = None) -> Iterator[Reviewer]:
    session = Session(texts, **LIGHT)
    session.keywords("hockey")
    with State.open(folder) as state:
        numbers = state.corpus(fingerprints(texts), [str(n) for n in range(len(texts))], "docs.csv")
        same = np.arange(len(texts)) if groups is None else groups
        with Reviewer(session, state, numbers, same, order=BestFirst()) as review:
            yield review


def read(review: Reviewer, answers: str) -> list[int]:
    """Answer the next documents, and say which they were; the ranking is up to date each time."""
    places = []
    for answer in answers:
        shown = review.current
        assert shown is not None
        places.append(shown.place)
        review.answer({"u": "unsure"}.get(answer, answer))
        review.wait()
    return places


def test_it_goes_on_where_it_was_left(tmp_path: Path, texts: list[str]) -> None:
    with reviewing(tmp_path / "whole", texts) as review:
        whole = read(review, "yynuyn")
        scores = review.result.ranking.scores
    with reviewing(tmp_path / "parts", texts) as review:
        first = read(review, "yyn")
    with reviewing(tmp_path / "parts", texts) as review:
        assert first + read(review, "uyn") == whole
        np.testing.assert_allclose(review.result.ranking.scores, scores)
        progress = review.progress()
    assert (progress.read, progress.relevant, progress.irrelevant, progress.unsure) == (6, 3, 2, 1)
    assert progress.left == len(texts) - 6
    assert progress.rules.row == 1


def test_back_shows_the_document_again_also_after_a_pause(tmp_path: Path, texts: list[str]) -> None:
    with reviewing(tmp_path, texts) as review:
        first, second = read(review, "yn")
    with reviewing(tmp_path, texts) as review:
        assert review.back() == second
        assert review.current is not None
        assert review.current.place == second
        assert review.back() == first
        assert review.back() is None
        assert review.progress().read == 0


def test_skipped_documents_come_back_at_the_end_once(tmp_path: Path) -> None:
    texts = ["a hockey game", "a tax law", "a hockey team", "the court"]
    with reviewing(tmp_path, texts) as review:
        assert review.current is not None
        skipped = review.current.place
        review.skip()
        assert skipped not in read(review, "yyn")
        assert review.current is None  # it was put aside a moment ago
        assert review.progress().skipped == 1
    with reviewing(tmp_path, texts) as review:
        assert read(review, "n") == [skipped]
        assert review.current is None
        assert review.progress().skipped == 0
        with pytest.raises(SettingError, match="Every document is answered"):
            review.answer("y")


def test_duplicates_are_answered_once_and_empty_documents_never(tmp_path: Path) -> None:
    texts = ["a hockey game", "a tax law", "", "a hockey game", "the court", "a hockey team"]
    groups = np.array([0, 1, 2, 0, 3, 4])
    with reviewing(tmp_path, texts, groups) as review:
        read(review, "yyy")
        progress = review.progress()
        assert (progress.records, progress.empty, progress.duplicates, progress.read, progress.left) == (6, 1, 1, 3, 1)
        said = review.answers()
        assert said[2] is None
        assert said[3] is not None
        assert (said[3].answer, said[3].chosen) == ("y", DUPLICATE)
    with reviewing(tmp_path, texts) as review:  # without folding, the duplicate is asked
        assert review.progress().duplicates == 0
        assert review.progress().left == 2


def test_answers_of_the_table_count_and_are_not_taken_back(tmp_path: Path, texts: list[str]) -> None:
    with State.open(tmp_path) as state:
        numbers = state.corpus(fingerprints(texts), [str(n) for n in range(len(texts))], "docs.csv")
        state.answer_all([(int(number), "n") for number in numbers[:5]], LABEL)
    with reviewing(tmp_path, texts) as review:
        assert review.progress().labelled == review.progress().read == 5
        assert review.current is not None
        assert review.current.place >= 5
        assert review.back() is None
        assert review.progress().rules.row == 0


def test_a_stop_check_draws_at_random_and_goes_on_after_a_pause(tmp_path: Path, texts: list[str]) -> None:
    with reviewing(tmp_path, texts) as review:
        read(review, "yyyyyyyyyy")
        assert review.check()
        frame = review.state.checks()[-1].frame.tolist()
        assert sorted(frame) == sorted(set(review.numbers.tolist()) - set(review.state.answers()))
        drawn = read(review, "nn")
        assert [int(review.numbers[place]) for place in drawn] == frame[:2]
        with pytest.raises(SettingError, match="cannot be skipped"):
            review.skip()
    with reviewing(tmp_path, texts) as review:
        assert review.current is not None
        assert review.current.chosen == SAMPLE
        (third,) = read(review, "u")
        assert int(review.numbers[third]) == frame[2]
        check = review.progress().check
        assert check is not None
        assert (check.nth, check.unread, check.drawn, check.relevant) == (1, len(texts) - 10, 3, 1)
        assert not check.reached
        assert not review.check()  # ended
        read(review, "nnnn")
        after = review.progress().check
        assert after is not None
        assert after.drawn == 3  # what is read for its score is no part of the sample
        assert [given.chosen for given in review.state.answers().values()].count(BEST) == 14


def test_rules_of_thumb_count_only_what_was_read_best_first(tmp_path: Path) -> None:
    texts = [f"a hockey game of {n} periods" for n in range(140)] + ["a tax law"]
    with reviewing(tmp_path, texts) as review:
        before = review.progress()
        assert before.needed == advise(unread=141, found=0, drawn=0, relevant=0).more
        for answer in "y" * 20 + "n" * 20 + "u" * 3 + "n" * 10:
            review.answer({"u": "unsure"}.get(answer, answer))
        assert review.progress().rules.row == 30  # who is unsure neither lengthens nor ends the row
        assert not review.progress().rules.check
        for _ in range(20):
            review.answer("n")
        assert review.progress().rules.check
        assert review.progress().needed == advise(unread=68, found=23, drawn=0, relevant=0).more
        review.check()
        review.answer("y")
        review.check()
        after = review.progress()
        assert after.rules.row == 50  # what is drawn at random is no part of the reading
        assert not after.rules.check  # but after a check one reads on
        assert after.needed == advise(unread=67, found=24, drawn=0, relevant=0, check=2).more


def test_what_is_found_after_a_check_is_no_longer_left(tmp_path: Path, texts: list[str]) -> None:
    with reviewing(tmp_path, texts) as review:
        read(review, "yyyyy")
        review.check()
        read(review, "nnnn")
        review.check()
        before = review.progress().check
        read(review, "yy")
        after = review.progress().check
        assert before is not None
        assert after is not None
        assert after.high == before.high - 2
        assert after.recall > before.recall


def test_reading_everything_in_a_check_proves_everything(tmp_path: Path) -> None:
    texts = ["a hockey game", "a tax law", "a hockey team", "the court", "a judge"]
    with reviewing(tmp_path, texts) as review:
        read(review, "yy")
        review.check()
        read(review, "nnn")
        assert review.current is None
        check = review.progress().check
        assert check is not None
        assert (check.running, check.high, check.reached) == (False, 0, True)
        with pytest.raises(SettingError, match="no unread document"):
            review.check()


def test_documents_that_were_added_end_a_check(tmp_path: Path, texts: list[str]) -> None:
    with reviewing(tmp_path, texts[:-3]) as review:
        read(review, "yy")
        review.check()
        read(review, "nn")
        assert not review.outdated
    with reviewing(tmp_path, texts) as review:
        assert review.outdated
        assert review.progress().check is None
        assert review.current is not None
        assert review.current.chosen == BEST
        assert review.check()
        read(review, "n")
        check = review.progress().check
        assert check is not None
        assert (check.nth, check.unread, check.drawn) == (2, len(texts) - 4, 1)


def test_the_model_expects_less_the_more_was_found(tmp_path: Path, texts: list[str]) -> None:
    with reviewing(tmp_path, texts) as review:
        before = review.progress().expected
        read(review, "yyy")
        after = review.progress().expected
    assert 0 <= after.low <= after.value <= after.high <= len(texts) - 3
    assert after.value == pytest.approx(before.value - 3)


def test_any_document_is_answered_changed_and_forgotten(tmp_path: Path, texts: list[str]) -> None:
    with reviewing(tmp_path, texts) as review:
        read(review, "y")
        shown = review.current
        assert shown is not None
        review.say(shown.place, "n")  # as in the list of the ranking
        assert review.current is not None
        assert review.current.place != shown.place
        assert review.given()[shown.place] == "n"
        review.say(shown.place, "y")
        assert (review.progress().relevant, review.progress().irrelevant) == (2, 0)
        review.say(shown.place, None)
        assert (review.progress().read, shown.place in review.given()) == (1, False)
        with pytest.raises(SettingError, match="An answer must be"):
            review.say(shown.place, "perhaps")
    with reviewing(tmp_path, texts) as review:
        assert review.progress().read == 1


def test_another_cut_outlives_the_next_answer(tmp_path: Path, texts: list[str]) -> None:
    with reviewing(tmp_path, texts) as review:
        assert review.decide(threshold=("top", 5)).ranking.positive.sum() == 5
        read(review, "y")
        assert review.result.ranking.positive.sum() == 5
        assert review.decide(prior=0.5).decisions.prior.value == 0.5
