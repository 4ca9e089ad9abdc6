import polars as pl
import pytest

from keysift.errors import InputError
from keysift.review.table_labels import labels_of

FRAME = pl.DataFrame({"relevant": [1, 0, None, 1]})


def test_answers_of_the_same_text_may_agree() -> None:
    assert labels_of(FRAME, "relevant", ["a", "b", "c", "a"], "docs.csv") == {0: "y", 1: "n", 3: "y"}


def test_contradictions_are_named_by_row() -> None:
    with pytest.raises(InputError, match=r"rows 1 \(y\) and 2 \(n\); make them agree"):
        labels_of(FRAME, "relevant", ["a", "a", "c", "d"], "docs.csv")


def test_what_is_no_answer() -> None:
    with pytest.raises(InputError, match=r"docs.csv: row 2 has 'perhaps' in 'relevant'; allowed is y"):
        labels_of(pl.DataFrame({"relevant": ["y", "perhaps"]}), "relevant", ["a", "b"], "docs.csv")


def test_a_column_that_is_not_there() -> None:
    with pytest.raises(InputError, match="has no column 'label'; the columns are 'relevant'"):
        labels_of(FRAME, "label", ["a"] * 4, "docs.csv")
