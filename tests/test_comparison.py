import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau, spearmanr

from keysift.classifier import KeywordClassifier
from keysift.comparison import COLUMNS, Comparison, compare, facts, kendall, spearman
from keysift.errors import InputError, SettingError

TABLES = ("entered", "left", "became_positive", "no_longer_positive")


def ranking(ids: list[str], positive: int, *, evidence: str = "") -> pl.DataFrame:
    frame = pl.DataFrame(
        {
            "id": pl.Series(ids, dtype=pl.String),
            "rank": np.arange(1, len(ids) + 1),
            "score": np.linspace(1.0, -1.0, len(ids)),
            "decision": (np.arange(len(ids)) < positive).astype(int),
        }
    )
    return frame.with_columns(evidence=pl.format(evidence + " {}", "id")) if evidence else frame


@st.composite
def rankings(draw: st.DrawFn, names: str = "abcdefghijkl") -> pl.DataFrame:
    """Some of the documents in any order, with any number of positives; one of them is always there."""
    held = draw(st.sets(st.sampled_from(names[1:]))) | {names[0]}
    ids = draw(st.permutations(sorted(held)))
    return ranking(ids, draw(st.integers(0, len(ids))), evidence=draw(st.sampled_from(["", "keywords:"])))


KS = st.integers(1, 15)


@given(one=rankings(), k=KS)
def test_a_ranking_and_itself_have_nothing_changed(one: pl.DataFrame, k: int) -> None:
    found = compare(one, one.sample(fraction=1.0, shuffle=True, seed=k), k)
    assert found.changes.is_empty()
    assert (found.common, found.gone, found.new) == (len(one), 0, 0)
    assert found.overlap == 1.0
    if len(one) > 1:
        assert found.spearman == pytest.approx(1.0)
        assert found.kendall == pytest.approx(1.0)


@given(first=rankings(), second=rankings(), k=KS)
def test_swapped_rankings_swap_what_entered_and_left(first: pl.DataFrame, second: pl.DataFrame, k: int) -> None:
    there, back = compare(first, second, k), compare(second, first, k)
    swapped = {
        name: name.replace("before", "*").replace("after", "before").replace("*", "after") for name in COLUMNS[:-1]
    }
    for name, other in (("entered", "left"), ("became_positive", "no_longer_positive")):
        for one, two in ((there, back), (back, there)):
            turned = getattr(two, other).rename(swapped)
            assert getattr(one, name).drop("text").to_dicts() == turned.select(COLUMNS[:-1]).to_dicts()
    assert (there.gone, there.new, there.common) == (back.new, back.gone, back.common)
    assert (there.positive_before, there.positive_after) == (back.positive_after, back.positive_before)
    assert there.overlap == back.overlap
    assert there.spearman == pytest.approx(back.spearman)
    assert there.kendall == pytest.approx(back.kendall)


@given(order=st.integers(2, 300).flatmap(lambda length: st.permutations(range(length))))
def test_scipy_finds_the_same_correlations(order: list[int]) -> None:
    ours = spearman(np.array(order)), kendall(np.array(order))
    theirs = (test(order, np.arange(len(order))).statistic for test in (spearmanr, kendalltau))
    assert ours == pytest.approx(tuple(theirs), abs=1e-12)


@given(first=rankings(), second=rankings(), k=KS)
def test_the_obvious_way_finds_the_same(first: pl.DataFrame, second: pl.DataFrame, k: int) -> None:
    found = compare(first, second, k)
    before, after = first["id"].to_list(), second["id"].to_list()
    assert found.entered["id"].to_list() == [name for name in after[:k] if name not in before[:k]]
    assert found.left["id"].to_list() == [name for name in before[:k] if name not in after[:k]]
    was, now = ({*frame.filter(pl.col("decision") == 1)["id"]} for frame in (first, second))
    assert found.became_positive["id"].to_list() == [name for name in after if name in now - was]
    assert found.no_longer_positive["id"].to_list() == [name for name in before if name in was - now]
    both = [name for name in before if name in after]
    assert (found.common, found.gone, found.new) == (len(both), len(before) - len(both), len(after) - len(both))
    pairs = [(one, two) for place, one in enumerate(both) for two in both[place + 1 :]]
    if pairs:
        agree = [after.index(one) < after.index(two) for one, two in pairs]
        assert found.kendall == pytest.approx(2 * np.mean(agree) - 1)
    for row in found.changes.iter_rows(named=True):
        for side, ids, frame in (("before", before, first), ("after", after, second)):
            known = row["id"] in ids
            assert row[f"rank_{side}"] == (ids.index(row["id"]) + 1 if known else None)
            reasons = dict(zip(ids, frame["evidence"] if "evidence" in frame.columns else [""] * len(ids), strict=True))
            assert row[f"evidence_{side}"] == reasons.get(row["id"])


def test_every_change_has_its_row() -> None:
    first = ranking(["a", "b", "c", "gone"], 1).with_columns(text=pl.Series(["A", "B", "C", "D"]))
    second = ranking(["b", "new", "a", "c"], 2).with_columns(text=pl.Series(["", "N", "A2", "C"]))
    found = compare(first, second, 2)
    changes = found.changes
    assert changes.columns == ["id", "change", *COLUMNS[1:]]
    assert changes.select("change", "id", "rank_before", "rank_after", "text").rows() == [
        ("entered the top 2", "new", None, 2, "N"),
        ("left the top 2", "a", 1, 3, "A2"),
        ("became positive", "b", 2, 1, "B"),
        ("became positive", "new", None, 2, "N"),
        ("no longer positive", "a", 1, 3, "A2"),
    ]
    assert facts(found) == [
        "3 documents in both rankings, 1 only in the first (they can only have left), 1 only in the second (they can"
        " only have entered).",
        "Order: Spearman's rho is 0.500 and Kendall's tau 0.333 (1: the same order, 0: unrelated, -1: reversed).",
        "Top 2: 1 in both rankings (50%); 1 entered, 1 left.",
        "Positive: 1 in the first ranking, 2 in the second; 2 became positive, 1 no longer are.",
    ]


def test_a_reversed_ranking() -> None:
    ids = [str(number) for number in range(50)]
    found = compare(ranking(ids, 10), ranking(ids[::-1], 10), 10)
    assert found.spearman == pytest.approx(-1)
    assert found.kendall == pytest.approx(-1)
    assert found.overlap == 0
    assert [len(getattr(found, table)) for table in TABLES] == [10] * 4


def test_a_top_with_everything_in_it_is_said() -> None:
    told = facts(compare(ranking(["a", "b"], 1), ranking(["b", "a"], 1)))
    assert told[-1] == "Neither ranking has more than 100 documents, so all are in the top: choose a smaller k."
    assert len(facts(compare(ranking(["a", "b"], 1), ranking(["b", "a"], 1), 1))) == len(told) - 1


def test_a_single_document_in_common_has_no_order() -> None:
    found = compare(ranking(["a", "b"], 1), ranking(["c", "a"], 1), 1)
    assert found.spearman is None
    assert found.kendall is None
    assert "Order: a single document in common has none to compare." in facts(found)


def test_the_rankings_of_a_classifier(texts: list[str]) -> None:
    sports, law = (
        KeywordClassifier(words, views=("words",), threshold=("top", 10)).fit(texts).rank(texts)
        for words in (["hockey", "baseball"], ["court", "parliament"])
    )
    found = compare(sports, law, 10)
    assert found.common == len(texts)
    assert found.overlap < 0.5
    assert set(found.entered["evidence_after"]) <= set(law["evidence"])
    assert "keywords: " in found.entered["evidence_after"][0]
    # Where a score stands on both sides of the top, the cut is beside it, and the top is cut by the place.
    same = set(found.entered["id"]) ^ set(found.became_positive["id"])
    assert len(same) < 3
    assert len(set(law.filter(pl.col("document").cast(pl.String).is_in(same))["score"])) < 2


def test_twenty_thousand_documents() -> None:
    ids = [str(number) for number in range(20_000)]
    shuffled = list(np.random.default_rng(0).permutation(ids))
    found = compare(ranking(ids, 500), ranking(shuffled, 700))
    assert found.kendall is not None
    assert abs(found.kendall) < 0.03
    assert (len(found.entered), found.positive_after) == (100 - found.shared, 700)


GOOD = ranking(["a", "b"], 1)


@pytest.mark.parametrize(
    ("second", "message"),
    [
        (ranking(["a", "a"], 1), "The second ranking has the id 'a' 2 times, so its documents cannot be matched"),
        (ranking(["x", "y"], 1), "have no id in common (the first is 'a' in one and 'x' in the other)"),
        (GOOD.drop("id"), "The second ranking has no column 'id' to match documents by"),
        (GOOD.drop("rank"), "The second ranking has no column 'rank'"),
        (GOOD.head(0), "The second ranking holds no document"),
        (GOOD.tail(1), "does not count from 1 to 1"),
        (GOOD.with_columns(score=pl.lit("high")), "row 1 has no number in 'score'"),
    ],
)
def test_what_cannot_be_compared_is_refused(second: pl.DataFrame, message: str) -> None:
    with pytest.raises(InputError) as error:
        compare(GOOD, second)
    assert message in str(error.value)


@pytest.mark.parametrize("k", [0, -1])
def test_a_k_that_cannot_be(k: int) -> None:
    with pytest.raises(SettingError, match="k must be a whole number above 0; got"):
        compare(GOOD, GOOD, k)


def test_the_larger_of_two_rankings_has_the_overlap() -> None:
    found: Comparison = compare(ranking(["a", "b"], 1), ranking(["a", "b", "c", "d"], 1), 3)
    assert found.overlap == pytest.approx(2 / 3)
