from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

import keysift
from keysift.errors import InputError, SettingError
from keysift.pipeline import prepare
from keysift.review.orders import BestFirst
from keysift.review.simulation import Simulation, check_labels, simulate
from tests.light import KEYWORDS, LIGHT

pytestmark = pytest.mark.usefixtures("small_glove")


@pytest.fixture
def texts(corpus: pl.DataFrame) -> list[str]:
    return corpus["text"].to_list()


@pytest.fixture
def relevant(corpus: pl.DataFrame) -> NDArray[np.bool_]:
    return (corpus["topic"] == "sports").to_numpy()


def test_everything_is_read_once_and_the_curves_are_those_of_the_labels(
    texts: list[str], relevant: NDArray[np.bool_]
) -> None:
    simulation = simulate(texts, relevant, KEYWORDS, **LIGHT)
    assert sorted(simulation.read.tolist()) == list(range(len(texts)))
    assert simulation.learning.found.tolist() == np.cumsum(relevant[simulation.read]).tolist()
    session = keysift.Session(texts, **LIGHT)
    session.keywords(KEYWORDS)
    first = session.learn()
    assert simulation.keywords.found.tolist() == np.cumsum(relevant[first.order]).tolist()
    assert simulation.random.loss == pytest.approx(0.5)
    assert simulation.loss == simulation.learning.loss < 0.5
    assert simulation.work_saved == simulation.learning.work_saved()
    frame = simulation.frame()
    assert frame.columns == ["read", "document", "found", "keyword_order", "random"]
    assert frame.row(-1) == (len(texts), simulation.read[-1], relevant.sum(), relevant.sum(), relevant.sum())


def test_no_label_is_seen_before_its_document_is_read(texts: list[str], relevant: NDArray[np.bool_]) -> None:
    """What comes after a document may change with its label; what came before may not."""
    before = simulate(texts, relevant, KEYWORDS, **LIGHT)
    place = 7
    changed = relevant.copy()
    changed[before.read[place]] ^= True
    after = simulate(texts, changed, KEYWORDS, **LIGHT)
    assert after.read[: place + 1].tolist() == before.read[: place + 1].tolist()


def test_a_seed_decides_the_exploration(texts: list[str], relevant: NDArray[np.bool_]) -> None:
    def read(seed: int, order: str = "mix") -> list[int]:
        found: Simulation = simulate(texts, relevant, KEYWORDS, order=order, random_state=seed, **LIGHT)
        return [int(document) for document in found.read]

    assert read(1, "random") == read(1, "random") != read(2, "random")
    assert read(1, "best") == read(2, "best")


def test_learning_finds_what_misleading_keywords_do_not(corpus: pl.DataFrame, texts: list[str]) -> None:
    """The keywords are those of sports; what is looked for is another topic."""
    other = (corpus["topic"] != "sports").to_numpy() & (
        corpus["topic"] == corpus["topic"].unique().sort()[0]
    ).to_numpy()
    assert other.any()
    simulation = simulate(texts, other, KEYWORDS, **LIGHT)
    assert simulation.loss < simulation.keywords.loss


def test_given_labels_are_learned_first_and_left_out(texts: list[str], relevant: NDArray[np.bool_]) -> None:
    given = [int(np.flatnonzero(relevant)[0]), int(np.flatnonzero(~relevant)[-1])]
    simulation = simulate(texts, relevant, KEYWORDS, order="best", given=given, **LIGHT)
    assert sorted([*simulation.read.tolist(), *given]) == list(range(len(texts)))
    assert simulation.learning.relevant == simulation.keywords.relevant == relevant.sum() - 1
    assert len(simulation.frame()) == len(texts) - 2
    session = keysift.Session(texts, **LIGHT)
    session.keywords(KEYWORDS)
    session.learn()
    for document in given:
        session.answer(document, int(relevant[document]))
    session.learn()
    assert simulation.read[0] == session.next(1, BestFirst())[0]


@pytest.mark.parametrize("given", [[-1], [10**6], ["a"], [0.5]])
def test_given_documents_must_be_there(texts: list[str], relevant: NDArray[np.bool_], given: list[Any]) -> None:
    with pytest.raises(SettingError, match=r"^There is no document "):
        simulate(texts, relevant, KEYWORDS, given=given, **LIGHT)
    with pytest.raises(InputError, match=r"^given must leave relevant documents and others to read; of "):
        simulate(texts, relevant, KEYWORDS, given=np.flatnonzero(relevant).tolist(), **LIGHT)


def test_prepared_documents_and_an_order_of_ones_own(texts: list[str], relevant: NDArray[np.bool_]) -> None:
    prepared = prepare(texts, **LIGHT)
    mine, named = (simulate(prepared, relevant, KEYWORDS, order=order) for order in (BestFirst(), "best"))
    assert mine.read.tolist() == named.read.tolist()
    assert keysift.simulate is simulate


def test_progress_rises_to_the_end(texts: list[str], relevant: NDArray[np.bool_]) -> None:
    told: list[tuple[str, float]] = []
    simulate(texts, relevant, KEYWORDS, progress=lambda stage, done: told.append((stage, done)), **LIGHT)
    shares = [done for stage, done in told if stage == "Reading and learning"]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


@pytest.mark.parametrize("labels", [[0, 2], [0, None], ["y", "n"], [[0], [1]], [1, 1], [0, 0], [0.0, float("nan")]])
def test_labels_that_cannot_be_used(labels: list[object]) -> None:
    with pytest.raises(InputError, match=r"^(labels must be 1 \(relevant\) or 0|A simulation needs relevant)"):
        check_labels(labels)  # type: ignore[arg-type]


def test_bad_arguments_are_one_sentence(texts: list[str], relevant: NDArray[np.bool_]) -> None:
    with pytest.raises(InputError, match=rf"^There are {len(texts)} documents and 2 labels; give one label each\.$"):
        simulate(texts, [0, 1], KEYWORDS, **LIGHT)
    with pytest.raises(SettingError, match=r"^order must be mix, "):
        simulate(texts, relevant, KEYWORDS, order="worst", **LIGHT)
