import json
from dataclasses import asdict, dataclass
from typing import Any, Literal, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keysift.files.fields import DamagedPartError
from keysift.files.typed import restored
from keysift.keywords.expansion import Expansion, Keyword


class Pair(NamedTuple):
    low: float
    high: float


@dataclass(frozen=True)
class Plain:
    name: str
    many: tuple[tuple[str, ...], ...]
    count: int
    weight: float | None
    sure: bool
    kind: Literal["a", "b"]
    pair: Pair


GOOD: dict[str, Any] = {
    "name": "x",
    "many": [["a", "b"], []],
    "count": 3,
    "weight": 0.5,
    "sure": True,
    "kind": "a",
    "pair": [0.0, 1.0],
}


def test_what_is_right_comes_back() -> None:
    value = restored(Plain, GOOD, "plain")
    assert value == Plain("x", (("a", "b"), ()), 3, 0.5, True, "a", Pair(0.0, 1.0))
    assert json.loads(json.dumps(asdict(value))) == GOOD
    assert restored(Plain, {**GOOD, "weight": None}, "plain").weight is None


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("name", None), ("name", 3), ("many", "ab"), ("many", [["a", 1]]), ("many", ["a"]), ("count", 3.0),
        ("count", True), ("weight", "1"),
        ("weight", float("inf")), ("weight", float("nan")), ("weight", 10**400), ("sure", 1),
        ("kind", "c"), ("kind", []), ("pair", [0.0]), ("pair", {"low": 0.0, "high": 1.0}), ("pair", [0.0, None]),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(name: str, value: Any) -> None:
    with pytest.raises(DamagedPartError, match=rf"plain\.{name}"):
        restored(Plain, {**GOOD, name: value}, "plain")


def test_fields_that_are_missing_or_too_many() -> None:
    for name in GOOD:
        with pytest.raises(DamagedPartError, match=f"plain.{name} is missing"):
            restored(Plain, {key: value for key, value in GOOD.items() if key != name}, "plain")
    with pytest.raises(DamagedPartError, match="must not have the field 'more'"):
        restored(Plain, {**GOOD, "more": 1}, "plain")
    others: list[object] = [None, [], "a"]
    for other in others:
        with pytest.raises(DamagedPartError, match="plain must be an object"):
            restored(Plain, other, "plain")


def test_only_numbers_that_may_are_infinite() -> None:
    infinite = {**GOOD, "weight": float("inf")}
    assert restored(Plain, infinite, "plain", boundless=["weight"]).weight == float("inf")
    with pytest.raises(DamagedPartError, match=r"plain\.weight must be a finite number"):
        restored(Plain, {**GOOD, "weight": float("nan")}, "plain", boundless=["weight"])


TERMS = st.lists(st.text(max_size=3), max_size=3).map(tuple)
NUMBERS = st.floats(-1e50, 1e50)


@given(st.text(), TERMS, NUMBERS, st.booleans(), st.lists(st.builds(Expansion, st.text(), TERMS, NUMBERS), max_size=3))
def test_keywords_round_trip(text: str, term: tuple[str, ...], weight: float, known: bool, near: Any) -> None:
    keyword = Keyword(text, term, weight, known, tuple(near))
    assert restored(Keyword, json.loads(json.dumps(asdict(keyword))), "keyword") == keyword
