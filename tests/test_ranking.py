"""Pages, outlines and reasons are those of the whole ranking."""

from typing import Any

import numpy as np
import polars as pl
import pytest

from keysift import KeywordClassifier, Training
from keysift.pipeline import Ranking, decide, learn, match, prepare, rank
from tests.light import KEYWORDS, LIGHT

pytestmark = pytest.mark.usefixtures("small_glove")
EMPTY = ["", "..."]


def ranking_of(texts: list[str], *, prepared: dict[str, Any] | None = None, **learning: Any) -> Ranking:
    ready = prepare([*texts, *EMPTY], **(prepared or {}))
    matches = match(ready, "hockey, baseball")
    learned = learn(ready, matches, **learning)
    return rank(ready, matches, learned, decide(learned, 0.3))


@pytest.fixture(scope="module", params=["as usual", "characters", "sentence vectors", "network"], ids=lambda name: name)
def ranking(request: pytest.FixtureRequest, texts: list[str], small_glove: None) -> Ranking:
    if request.param == "characters":
        made = ranking_of(texts, prepared={"encoder": None})
        assert made.scorer.characters is not None  # type: ignore[attr-defined]
        return made
    if request.param == "sentence vectors":
        vectors = np.random.default_rng(0).normal(size=(len(texts) + len(EMPTY), 4))
        return ranking_of(texts, prepared={"encoder": vectors})
    if request.param == "network":
        pytest.importorskip("torch")
        return ranking_of(texts, model="mlp", training=Training(epochs=1))
    return ranking_of(texts)


def test_pages_are_the_rows_of_the_frame(ranking: Ranking) -> None:
    whole = ranking.frame()
    assert len(whole) == len(ranking) == 62
    for start, n in ((0, 1), (0, 20), (17, 9), (55, 20), (62, 5)):
        page = ranking.page(start, n)
        assert page.schema == whole.schema
        exact = ("contributions", "evidence")
        assert page.drop(exact).equals(whole[start : start + n].drop(exact))
        ours, theirs = (frame["contributions"].explode().to_numpy() for frame in (page, whole[start : start + n]))
        assert ours == pytest.approx(theirs, rel=1e-5, abs=1e-7)  # networks reckon in single precision
        assert page["evidence"].to_list() == whole["evidence"].to_list()[start : start + n]


def test_the_outline_is_the_frame_without_reasons(ranking: Ranking) -> None:
    assert ranking.outline().equals(ranking.frame().select("document", "rank", "score", "decision"))


def test_evidence_is_asked_for_by_place(ranking: Ranking) -> None:
    whole = ranking.frame().sort("document")
    places = np.array([41, 3, 3, 61])
    assert ranking.evidence(places).to_list() == whole["evidence"].gather(places).to_list()


def test_empty_documents_come_last_in_the_order_of_the_input(ranking: Ranking) -> None:
    assert ranking.order[-2:].tolist() == [60, 61]
    last = ranking.page(60, 2)
    assert last["decision"].to_list() == [0, 0]
    assert last["matched"].to_list() == [[], []]
    assert ranking.frame()["chance"].is_between(0, 1).all()
    assert pl.Series(ranking.scores[ranking.order]).is_sorted(descending=True)


def test_every_row_has_what_it_says(ranking: Ranking) -> None:
    frame = ranking.frame()
    rows = frame["document"].to_numpy()
    assert frame["rank"].to_list() == list(range(1, len(ranking) + 1))
    assert frame["score"].to_list() == ranking.scores[rows].tolist()
    assert frame["decision"].to_list() == ranking.positive[rows].astype(int).tolist()
    assert frame["chance"].to_list() == ranking.chances[rows].tolist()
    assert frame["pseudo_positive"].to_list() == ranking.pseudo_positive[rows].astype(int).tolist()
    assert frame.filter(pl.col("pseudo_positive") == 1)["evidence"].str.starts_with("keywords: ").all()
    assert frame["decision"].sum() == ranking.positive.sum() > 0


def test_chances_fall_with_the_rank(ranking: Ranking) -> None:
    chances = ranking.frame()["chance"].to_numpy()
    assert (np.diff(chances) <= 1e-12).all()
    assert 0 <= chances.min() < chances.max() <= 1


def test_the_index_of_a_pandas_series_survives(light: KeywordClassifier, texts: list[str]) -> None:
    pandas = pytest.importorskip("pandas")
    names = [f"k{row}" for row in range(len(texts))]
    series = pandas.Series(texts, index=names)
    frame = light.rank(series)
    assert frame["id"].to_list() == [names[place] for place in frame["document"]]
    fresh = KeywordClassifier(KEYWORDS, prior=1 / 3, **LIGHT)
    assert fresh.fit_rank(series).select("id", "score").equals(frame.select("id", "score"))
    assert "id" not in light.rank(pandas.Series(texts)).columns
    some = series[::2]
    assert set(light.rank(some)["id"]) == set(names[::2])
