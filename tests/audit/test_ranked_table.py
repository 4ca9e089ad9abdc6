import polars as pl
import pytest

from keysift.audit.ranked_table import ranking_from
from keysift.errors import InputError
from tests.audit.cases import ranking_frame


def test_the_fingerprint_is_that_of_ids_ranks_scores_and_decisions() -> None:
    frame = ranking_frame()
    known = ranking_from(frame).fingerprint
    shuffled = frame.sample(fraction=1.0, shuffle=True, seed=1)
    assert ranking_from(shuffled).fingerprint == known
    assert ranking_from(frame.drop("text", "evidence", "label", "pseudo_positive")).fingerprint == known
    as_text = frame.with_columns(pl.all().cast(pl.String))
    assert ranking_from(as_text).fingerprint == known
    in_a_spreadsheet = frame.with_columns(score=pl.col("score") * (1 + 1e-15))
    assert ranking_from(in_a_spreadsheet).fingerprint == known
    for changed in (
        frame.with_columns(score=pl.col("score") + 1e-6),
        frame.with_columns(decision=(pl.col("rank") <= 41).cast(int)),
        frame.with_columns(id=pl.col("id") + "x"),
        frame.with_columns(rank=201 - pl.col("rank"), decision=1),
    ):
        assert ranking_from(changed).fingerprint != known


def test_ids_that_are_there_twice_are_told_apart() -> None:
    frame = ranking_frame(8, 4, relevant=3).with_columns(id=pl.Series(["a", "b", "a", "a", "c", "d", "e", "f"]))
    assert ranking_from(frame).ids.to_list() == ["a", "b", "a#2", "a#3", "c", "d", "e", "f"]
    odd = frame.with_columns(id=pl.Series(["a", "a", "a#2", "b", "c", "d", "e", "f"]))
    assert ranking_from(odd).ids.n_unique() == 8


def test_words_follow_their_documents_and_whatever_is_no_list_is_none() -> None:
    frame = ranking_frame(8, 4, relevant=3).with_columns(
        matched=pl.Series(['["a"]', "[1]", "{}", "", None, "a", '["b", 2]', "[]"]),
        words=pl.Series([[f"w{number}"] for number in range(8)]),
    )
    expected = [["a", "w0"], *([f"w{number}"] for number in range(1, 6)), ["b", "w6"], ["w7"]]
    ranking = ranking_from(frame.reverse())
    assert [ranking.words(place) for place in range(len(ranking))] == expected
    assert ranking_from(frame).fingerprint == ranking_from(frame.drop("matched", "words")).fingerprint


def test_a_frame_of_the_classifier_will_do() -> None:
    frame = ranking_frame().drop("id", "text").with_columns(document=pl.col("rank") - 1)
    assert ranking_from(frame, texts=pl.Series(["x"] * 200)).texts[0] == "x"


@pytest.mark.parametrize(
    ("frame", "expected"),
    [
        (ranking_frame().drop("score", "decision"), "no column 'score' and no column 'decision'"),
        (ranking_frame().head(0), "no document"),
        (ranking_frame().tail(100), "'rank' does not count from 1 to 100"),
        (ranking_frame().with_columns(score=pl.lit("high")), "row 1 has no number in 'score'"),
        (ranking_frame().with_columns(decision=pl.lit(2)), "neither 0 nor 1 in 'decision'"),
        (ranking_frame().with_columns(decision=(pl.col("rank") > 40).cast(int)), "so there is no cut"),
        (ranking_frame().with_columns(pseudo_positive=pl.lit("maybe")), "neither 0 nor 1 in 'pseudo_positive'"),
    ],
)
def test_what_is_no_ranking_is_refused(frame: pl.DataFrame, expected: str) -> None:
    with pytest.raises(InputError, match=expected):
        ranking_from(frame)


def test_only_empty_and_excluded_documents_are_left_out() -> None:
    """A document of unknown words has no reasons, but it has a text that somebody may judge."""
    frame = ranking_frame(8, 4, relevant=3)
    evidence = ["keywords: goal", "", "", "", "", "", "excluded: striker", "no words"]
    ranking = ranking_from(frame.sort("rank").with_columns(evidence=pl.Series(evidence)))
    assert (len(ranking), ranking.empty) == (6, 2)
