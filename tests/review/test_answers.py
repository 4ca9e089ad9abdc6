import re

import numpy as np
import pytest

from keysift.errors import SettingError
from keysift.review.answers import check_answer, check_document


@pytest.mark.parametrize(
    ("given", "meant"),
    [("y", 1), ("n", 0), ("unsure", None), (1, 1), (0, 0), (None, None), (np.int64(1), 1), (np.bool_(False), 0)],
)
def test_answers(given: object, meant: int | None) -> None:
    assert check_answer(given) == meant


@pytest.mark.parametrize("given", ["yes", "", 2, -1, 0.5, [1], "Y"])
def test_anything_else_is_no_answer(given: object) -> None:
    message = f"An answer must be 'y', 'n' or 'unsure', or 1, 0 or None; got {given!r}."
    with pytest.raises(SettingError, match=f"^{re.escape(message)}$"):
        check_answer(given)


@pytest.mark.parametrize("given", [-1, 5, "1", 1.0, None, True])
def test_a_place_without_a_document(given: object) -> None:
    message = f"There is no document {given!r}; give a whole number from 0 to 4, its place in the corpus."
    with pytest.raises(SettingError, match=f"^{re.escape(message)}$"):
        check_document(given, 5)


def test_places_may_be_numbers_of_numpy() -> None:
    assert check_document(np.int64(4), 5) == 4
