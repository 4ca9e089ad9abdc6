import builtins
from typing import Any

import numpy as np
import polars as pl
import pytest

from keysift.audit.asking import ask, audit_of, check_number, sample_to_ask
from keysift.audit.sampling import Sample
from keysift.errors import InputError, KeysiftWarning, SettingError

SCORES = np.random.default_rng(0).permutation(60).astype(np.float64)
TEXTS = pl.Series("text", [f"{score:g}" for score in SCORES])


def sample(n: int = 20, seed: int = 0) -> Sample:
    return sample_to_ask(SCORES, SCORES > 45, TEXTS, n, seed)


def test_the_texts_are_those_of_the_documents_and_ids_are_places() -> None:
    drawn = sample()
    for row in drawn.rows.tolist():
        place = int(drawn.ranking.ids[row])
        assert float(drawn.ranking.texts[row]) == SCORES[place] == drawn.ranking.scores[row]
    assert len(set(drawn.rows.tolist())) == 20
    assert sample().rows.tolist() == drawn.rows.tolist() != sample(seed=1).rows.tolist()


def test_every_stratum_is_asked_about() -> None:
    assert np.bincount(sample().strata, minlength=4).min() >= 1


@pytest.mark.parametrize("n", [0, 7, -3, 9.5])
def test_numbers_that_tell_nothing(n: Any) -> None:
    with pytest.raises(SettingError, match="whole number of 8 or more"):
        check_number(n)


def test_answers_are_counted() -> None:
    drawn = sample()
    audit = ask(drawn, lambda text: None if float(text) > 50 else int(float(text) > 30))
    truth = drawn.ranking.scores[drawn.rows]
    assert audit.answers.tolist() == np.where(truth > 50, -1, truth > 30).tolist()
    assert audit.unsure == (truth > 50).sum()
    assert audit.unanswered == 0


@pytest.mark.parametrize("stop", [KeyboardInterrupt, EOFError])
def test_whoever_stops_keeps_the_answers(stop: type[BaseException]) -> None:
    asked: list[str] = []

    def answer(text: str) -> bool:
        if len(asked) == 5:
            raise stop
        asked.append(text)
        return True

    with pytest.warns(KeysiftWarning, match="Stopped after 5 of 20 documents; the answers given so far count"):
        audit = ask(sample(), answer)
    assert (audit.answered, audit.unanswered) == (5, 15)


@pytest.mark.parametrize("wrong", [2, "y", -1, 0.5])
def test_answers_that_are_none(wrong: Any) -> None:
    with pytest.raises(InputError, match=r"An answer must be 1 .*; got"):
        ask(sample(), lambda text: wrong)


def test_nothing_answered_changes_nothing() -> None:
    with pytest.raises(InputError, match="the decisions stay as they are"):
        audit_of(sample(), [-1, -1])


def test_the_terminal_is_asked_until_it_is_understood(monkeypatch: pytest.MonkeyPatch) -> None:
    given = iter(["perhaps", "y", "u", "n", "q"])
    monkeypatch.setattr(builtins, "input", lambda _prompt: next(given))
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    with pytest.warns(KeysiftWarning, match="Stopped after 3 of 20"):
        audit = ask(sample())
    assert audit.answers[:3].tolist() == [1, -1, 0]


def test_without_a_terminal_there_is_nobody_to_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: False, raising=False)
    with pytest.raises(InputError, match="no terminal to ask on; hand in a function"):
        ask(sample())
