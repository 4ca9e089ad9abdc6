from pathlib import Path

import polars as pl
import pytest

from keysift.errors import InputError
from keysift.review.fingerprints import fingerprints
from keysift.review.sheets import share
from keysift.review.state import AUDIT, BEST, SKIPPED, State

TEXTS, IDS = ["a goal", "rain", "a puck", "a goal", "snow"], ["a", "b", "c", "d", "e"]
SHEET = pl.DataFrame({"id": ["c", "b", "d"], "text": ["a puck", "rain", " a  goal"]})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project in which a and b are answered; e is skipped."""
    with State.open(tmp_path) as state:
        a, b, *_, e = map(int, state.corpus(fingerprints(TEXTS), IDS, "docs.csv"))
        for number, answer in ((a, "y"), (b, "n"), (e, SKIPPED)):
            state.answer(number, answer, BEST)
    return tmp_path


def test_both_sides_have_all_answers_afterwards(folder: Path) -> None:
    with State.open(folder) as state:
        shared = share(state, SHEET, ["unsure", "", ""], "audit.csv")
        assert shared.answers == ["unsure", "n", "y"]  # d says the same as a
        assert shared.taken == 2
        assert state.answers()[shared.numbers[0]].chosen == AUDIT


def test_only_documents_of_the_sample_are_looked_up(folder: Path) -> None:
    with State.open(folder) as state:
        assert share(state, SHEET[:1], [""], "audit.csv").answers == [""]


def test_what_changes_in_the_sheet_changes_in_the_project(folder: Path) -> None:
    with State.open(folder) as state:
        shared = share(state, SHEET, ["", "", ""], "audit.csv")
        puck, rain, _ = shared.numbers
        shared.save(["y", "n", "y"])
        shared.save(["", "n", "y"])
        assert puck not in state.answers()
        shared.save(["n", "y", "y"])
        assert (state.answers()[puck].answer, state.answers()[rain].answer) == ("n", "y")


def test_a_contradiction_is_named(folder: Path) -> None:
    with State.open(folder) as state, pytest.raises(InputError, match=r"row 2 \(b\): y here, n there"):
        share(state, SHEET, ["", "y", ""], "audit.csv")


def test_documents_that_the_project_does_not_know(folder: Path) -> None:
    sheet = pl.DataFrame({"id": ["z"], "text": ["a tax"]})
    with State.open(folder) as state, pytest.raises(InputError, match=r"does not know: 'row 1 \(z\)'"):
        share(state, sheet, [""], "audit.csv")


def test_a_text_that_a_spreadsheet_cut_is_known_by_its_id(folder: Path) -> None:
    sheet = pl.DataFrame({"id": [" b"], "text": ["ra …"]})
    with State.open(folder) as state:
        assert share(state, sheet, [""], "audit.csv").answers == ["n"]
