from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from keysift.encoding import budget as room
from keysift.encoding.budget import encode_within
from keysift.encoding.encode import encode_documents
from keysift.encoding.encoder import get_encoder
from keysift.errors import InputError

TEXTS = pl.Series([f"document {number}" for number in range(100)])
EVERY = np.arange(len(TEXTS))


class Slow:
    """An encoder that takes a second for each text, and two more for the first, on a clock of its own."""

    def __init__(self, cache_name: str | None = None, loading: float = 2.0) -> None:
        self.cache_name = cache_name
        self.loading = loading
        self.time = 0.0
        self.calls: list[list[str]] = []

    def __call__(self, texts: list[str]) -> Any:
        self.time += len(texts) + (0 if self.calls else self.loading)
        self.calls.append(texts)
        return [[float(text.split()[-1]), 1.0] for text in texts]

    def clock(self) -> float:
        return self.time

    def within(self, seconds: float, texts: pl.Series = TEXTS, order: Any = EVERY, **more: Any) -> room.PartlyEncoded:
        return encode_within(get_encoder(self), texts, np.asarray(order), seconds, clock=self.clock, **more)


def test_as_many_as_fit_in_the_order_of_preference() -> None:
    slow = Slow()
    order = np.random.default_rng(0).permutation(len(TEXTS))
    part = slow.within(40, order=order)
    assert part.rows.tolist() == sorted(order[:38])
    assert part.vectors[:, 0].tolist() == part.rows.tolist()
    assert part.left_out == 62
    assert part.seconds_per_document == 1
    assert slow.time == 40
    assert [len(call) for call in slow.calls[:3]] == [1, room.TRIAL, 1]


def test_all_of_them_if_there_is_time() -> None:
    shares: list[float] = []
    part = Slow().within(1000, progress=shares.append)
    assert part.rows.tolist() == EVERY.tolist()
    assert part.left_out == 0
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0, 1)


def test_nothing_in_no_time() -> None:
    slow = Slow()
    for seconds in (0, -1.0):
        part = slow.within(seconds)
        assert (part.rows.tolist(), len(part.vectors), part.seconds_per_document, part.left_out) == ([], 0, None, 100)
    assert slow.calls == []


def test_what_is_stored_costs_nothing_and_is_always_used() -> None:
    encode_documents(get_encoder(Slow("slow")), TEXTS[10:30])
    slow = Slow("slow")
    part = slow.within(0)
    assert part.rows.tolist() == list(range(10, 30))
    assert part.vectors[:, 0].tolist() == part.rows.tolist()
    assert (slow.calls, part.left_out, part.seconds_per_document) == ([], 80, None)

    part = slow.within(12, order=EVERY[::-1])
    assert part.rows.tolist() == [*range(10, 30), *range(90, 100)]
    again = Slow("slow").within(0)  # what was encoded is stored
    assert again.rows.tolist() == part.rows.tolist()
    assert again.vectors.tobytes() == part.vectors.tobytes()


def test_copies_are_encoded_once_and_what_is_not_asked_for_is_not_encoded() -> None:
    slow = Slow()
    part = slow.within(100, pl.Series(["a 1", "a 2", "a 1", "a 3", "a 2"]), order=[4, 4, 2])
    assert slow.calls == [["a 2"], ["a 1"]]
    assert part.rows.tolist() == [0, 1, 2, 4]
    assert part.vectors[:, 0].tolist() == [1, 2, 1, 2]
    assert part.left_out == 1


def test_loading_is_paid_from_the_budget_but_is_no_part_of_the_speed() -> None:
    slow = Slow(loading=50)
    part = slow.within(20)
    assert (len(part.rows), part.seconds_per_document) == (1, None)


def test_vectors_made_elsewhere_are_all_there() -> None:
    part = encode_within(get_encoder(np.eye(3)), TEXTS[:3], np.array([0]), 0)
    assert part.rows.tolist() == [0, 1, 2]
    assert part.vectors.tolist() == np.eye(3).tolist()


def test_no_documents() -> None:
    part = Slow().within(10, TEXTS[:0], order=np.empty(0, dtype=np.intp))
    assert (part.rows.tolist(), len(part.vectors), part.left_out) == ([], 0, 0)


def test_the_same_vectors_as_without_a_budget() -> None:
    encoder = get_encoder("minilm")
    few = TEXTS[:5]
    part = encode_within(encoder, few, np.arange(5)[::-1], 600)
    assert part.rows.tolist() == [0, 1, 2, 3, 4]
    assert part.vectors.tobytes() == np.asarray(encoder.encode(few.to_list())).tobytes()  # type: ignore[union-attr]


def test_vectors_of_two_lengths_are_refused(cache: Path) -> None:
    def grows() -> Callable[[list[str]], Any]:
        calls: list[int] = []

        def encode(texts: list[str]) -> Any:
            calls.append(1)
            return np.ones((len(texts), len(calls)))

        return encode

    with pytest.raises(
        InputError, match=r"returned vectors of length 1 and of length 2; all must have the same length"
    ):
        encode_within(get_encoder(grows()), TEXTS, EVERY, 600)
