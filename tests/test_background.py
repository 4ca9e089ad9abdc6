import threading

import pytest

from keysift import Session
from keysift.background import Background
from keysift.errors import SettingError
from tests.light import KEYWORDS, LIGHT


@pytest.fixture
def session(texts: list[str]) -> Session:
    session = Session(texts, **LIGHT)
    session.keywords(KEYWORDS)
    session.learn()
    return session


def test_the_latest_result_is_that_of_all_answers(session: Session, texts: list[str]) -> None:
    alone = Session(session.prepared, **LIGHT)
    alone.keywords(KEYWORDS)
    alone.learn()
    with Background(session) as learning:
        for document in range(6):
            alone.answer(document, document % 2)
            learning.tell(document, document % 2)
        learning.wait()
        assert learning.result.ranking.scores.tolist() == alone.learn().scores.tolist()
        assert learning.failed is None


def test_nobody_waits_for_it(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    go_on, learned = threading.Event(), session.learn

    def slowly() -> None:
        assert go_on.wait(60)
        learned()

    monkeypatch.setattr(session, "learn", slowly)
    before = session.result
    with Background(session) as learning:
        learning.tell(0, "y")
        assert learning.result is before  # the answer is told, and the old ranking is still there
        go_on.set()
        learning.wait()
        assert learning.result is not before


def test_what_cannot_be_learned_is_told_and_the_last_result_stays(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise SettingError("no")

    before = session.result
    monkeypatch.setattr(session, "learn", fail)
    with Background(session) as learning:
        learning.tell(0, "y")
        learning.wait()
        assert str(learning.failed) == "no"
        assert learning.result is before
