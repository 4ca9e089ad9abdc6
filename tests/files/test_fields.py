import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from keysift.files.fields import LARGEST, Columns, DamagedPartError, Fields


def fields(**given: Any) -> Fields:
    return Fields(given, "part")


@pytest.mark.parametrize(
    ("take", "good", "bad"),
    [
        (Fields.text, ["", "a"], [None, 1, ["a"], {}]),
        (Fields.truth, [True, False], [0, 1, "true", None]),
        (Fields.whole, [0, 7, 2**53], [-1, 2**53 + 1, 0.0, 3.0, True, "3", None, math.nan]),
        (Fields.number, [0, -1.5, 1e100], [math.nan, math.inf, -math.inf, 1e101, 10**400, True, "1", None]),
        (Fields.measured, [0.5, math.nan], [math.inf, None, "nan"]),
        (Fields.items, [[], [1]], [{}, "a", None, 3]),
        (Fields.texts, [["a"], []], [["a", 1], "a", None]),
        (Fields.objects, [[{}], []], [[1], {}, None]),
        (Fields.inner, [{}, {"a": 1}], [[], None, "a"]),
    ],
)
def test_kinds(take: Callable[[Fields, str], Any], good: list[Any], bad: list[Any]) -> None:
    for value in good:
        take(fields(name=value), "name")
    for value in bad:
        with pytest.raises(DamagedPartError, match=r"part.name(\[0\])? must be "):
            take(fields(name=value), "name")
    with pytest.raises(DamagedPartError, match=r"part\.name is missing"):
        take(fields(), "name")


def test_null_where_it_may_be_and_fields_that_nobody_knows() -> None:
    assert fields(a=None).maybe("a", fields(a=None).text) is None
    assert fields(a="x").maybe("a", fields(a="x").text) == "x"
    assert fields(a=1, b=2).only("a", "b", "c").given == {"a": 1, "b": 2}
    with pytest.raises(DamagedPartError, match="part must not have the field 'b'"):
        fields(a=1, b=2).only("a")
    others: list[object] = [None, [], "a", 3]
    for other in others:
        with pytest.raises(DamagedPartError, match="part must be an object"):
            Fields.of(other, "part")


def test_a_long_value_stays_short_in_the_error() -> None:
    with pytest.raises(DamagedPartError) as caught:
        fields(a="x" * 10_000).whole("a")
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("array", "problem"),
    [
        (np.zeros(3, dtype=np.float32), "must hold float64; got float32"),
        (np.zeros(2), r"must have the shape \(3,\); got \(2,\)"),
        (np.zeros((3, 1)), r"must have the shape \(3,\); got \(3, 1\)"),
        (np.array([0.0, np.nan, 0.0]), "must hold numbers from -1 to 1"),
        (np.array([0.0, np.inf, 0.0]), "must hold numbers from -1 to 1"),
        (np.array([0.0, 1.5, 0.0]), "must hold numbers from -1 to 1"),
    ],
)
def test_arrays(array: np.ndarray[Any, Any], problem: str) -> None:
    with pytest.raises(DamagedPartError, match=f"the array a {problem}"):
        Columns({"a": array}).numbers("a", (3,), -1, 1)


def test_arrays_of_any_length_and_those_that_nobody_knows() -> None:
    columns = Columns({"a": np.zeros((2, 5), dtype=np.float32), "b": np.zeros(0)})
    assert columns.numbers("a", (2, None), kind=np.float32).shape == (2, 5)
    assert columns.numbers("b", (None,), LARGEST, LARGEST).size == 0
    with pytest.raises(DamagedPartError, match="the array c is missing"):
        columns.numbers("c", (None,))
    with pytest.raises(DamagedPartError, match="the array 'b' belongs to no part"):
        columns.only("a")
