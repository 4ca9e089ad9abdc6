import polars as pl
import pytest

from keysift import KeywordClassifier, Settings
from keysift.corpus.documents import Corpus
from keysift.keywords.beliefs import AMBIGUOUS, ONLY, UNCLEAR
from keysift.keywords.suggestions import Suggestion
from keysift.keywords.table import ExpansionRow, KeywordRow
from keysift.present.keyword_facts import keyword_facts, rows_in, to_drop

CORPUS = Corpus(pl.Series("id", ["a"]), pl.Series("text", ["also \n a goal"]), pl.DataFrame(), "news.txt")
NEAR = ExpansionRow("puck", 0.8, 12, belief=0.5, verdict=AMBIGUOUS)


def row(keyword: str = "goal", **changes: object) -> KeywordRow:
    values = {"weight": 1.0, "documents": 9, "share": 0.5, "in_vectors": True, "expansions": (), "alone": 4}
    return KeywordRow(keyword, **{**values, "examples": (0,), **changes})  # type: ignore[arg-type]


def test_columns_that_say_nothing_are_left_out() -> None:
    plain = keyword_facts([row(), row("also")], CORPUS).table
    assert plain.heads == ("keyword", "documents", "share", "alone")
    assert plain.numbers == (1, 2, 3)
    one = keyword_facts([row()], CORPUS)
    assert "alone" not in one.table.heads
    assert one.columns == ()
    full = keyword_facts([row(weight=2.0, in_vectors=False, expansions=(NEAR,), belief=0.9, verdict="fits")], CORPUS)
    assert full.table.rows == (("goal", "2", "9", "50.00%", "no", "0.90", "fits", "puck 0.80 (12, ambiguous)"),)


def test_examples_are_one_line_each() -> None:
    (listing,) = keyword_facts([row(), row("also", examples=())], CORPUS).examples
    assert (listing.name, listing.lines) == ("goal", ("a: also a goal",))


def test_what_agreement_means_is_told_where_something_was_learned() -> None:
    rows = [row(belief=0.9), row("also", belief=0.8)]
    assert "when this keyword is left out" in keyword_facts(rows, CORPUS, learned=True).columns[1]
    assert len(keyword_facts(rows, CORPUS).columns) == 1


def test_words_to_add_and_to_drop() -> None:
    facts = keyword_facts([row()], CORPUS, suggestions=[Suggestion("puck", 3.0, 1)])
    assert str(facts.to_add[0]).startswith("Words to add: puck (3.0 times, in 1 document). They are over-represented")
    assert keyword_facts([row()], CORPUS).section.remarks == ()
    told = [str(one) for one in to_drop([row(belief=0.5, verdict=AMBIGUOUS), row("ice", expansions=(NEAR,))])]
    assert told[0].startswith("Consider dropping “goal” (agreement 0.50): ")
    assert told[1].startswith("Consider dropping “puck”, near “ice” (agreement 0.50): ")
    (unclear,) = to_drop([row(belief=0.5, verdict=UNCLEAR), row("ice", belief=0.5, verdict=UNCLEAR)])
    assert "cannot be told" in str(unclear)
    assert to_drop([row(verdict=ONLY)]) == ()


@pytest.mark.usefixtures("small_glove")
def test_a_ranking_tells_what_each_keyword_finds(texts: list[str]) -> None:
    clf = KeywordClassifier("hockey, baseball: 2, curling", views="words", settings=Settings(gamma=2), encoder=None)
    with pytest.warns(UserWarning, match="curling"):
        ranking = clf.fit_rank(texts)
    for mine, fitted in zip(rows_in(clf, ranking), clf.keyword_table(), strict=True):
        assert (mine.keyword, mine.documents, mine.alone) == (fitted.keyword, fitted.documents, fitted.alone)
        assert (mine.expansions, mine.belief, mine.verdict) == (fitted.expansions, fitted.belief, fitted.verdict)
        assert len(mine.examples) == len(fitted.examples)
    best = rows_in(clf, ranking)[0].examples
    ranks = ranking.filter(pl.col("matched").list.contains("hockey"))["document"].to_list()
    assert list(best) == ranks[:3]
