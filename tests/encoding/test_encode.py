import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from keysift.encoding import encode as room
from keysift.encoding.cache import FILE_NAME
from keysift.encoding.encode import encode_documents
from keysift.encoding.encoder import get_encoder
from keysift.errors import InputError, KeysiftWarning


class Lengths:
    """An encoder that writes down what it is asked."""

    def __init__(self, cache_name: str | None = None, columns: int = 2) -> None:
        self.cache_name = cache_name
        self.columns = columns
        self.calls: list[list[str]] = []

    def __call__(self, texts: list[str]) -> Any:
        self.calls.append(texts)
        return np.array([[len(text)] * self.columns for text in texts])


TEXTS = ["bb", "a", "dddd", "", "bb", "ccc", "é", "bb"]
WANTED = [[2, 2], [1, 1], [4, 4], [0, 0], [2, 2], [3, 3], [1, 1], [2, 2]]


def stored(cache: Path) -> int:
    """How many vectors the cache holds."""
    if not (cache / FILE_NAME).exists():
        return 0
    with closing(sqlite3.connect(cache / FILE_NAME)) as database:
        return int(database.execute("SELECT count(*) FROM vector").fetchone()[0])


def encoded(encoder: Any, texts: list[str], shares: list[float] | None = None) -> Any:
    progress = (lambda done: None) if shares is None else shares.append
    vectors = encode_documents(get_encoder(encoder), pl.Series(texts, dtype=pl.String), progress)
    assert vectors.dtype == np.float32
    return vectors.tolist()


def test_each_text_once_in_chunks_the_longest_first(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "CHUNK", 2)
    encoder, shares = Lengths(), list[float]()
    assert encoded(encoder, TEXTS, shares) == WANTED
    assert [[len(text) for text in call] for call in encoder.calls] == [[4, 3], [2, 1], [1, 0]]
    assert shares == [0, pytest.approx(1 / 3), pytest.approx(2 / 3), 1, 1]
    assert stored(cache) == 0  # code has no identity


def test_what_is_stored_is_not_encoded_again(cache: Path) -> None:
    encoder, shares = Lengths("lengths 1"), list[float]()
    assert encoded(encoder, TEXTS) == encoded(encoder, TEXTS) == WANTED
    assert encoded(encoder, ["a", "new", "dddd"], shares) == [[1, 1], [3, 3], [4, 4]]
    assert encoder.calls[1:] == [["new"]]
    assert stored(cache) == 7
    assert shares == [0, 1, 1]

    again = Lengths("lengths 1")  # what another process would see
    assert encoded(again, ["new", *TEXTS[::-1]]) == [[3, 3], *WANTED[::-1]]
    assert again.calls == []

    other = Lengths("lengths 2")
    encoded(other, TEXTS)
    assert len(other.calls) == 1


def test_the_order_of_the_documents_changes_no_call() -> None:
    one, other = Lengths(), Lengths()
    encoded(one, TEXTS)
    encoded(other, TEXTS[::-1])
    assert one.calls == other.calls


def test_an_interrupted_run_loses_one_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "CHUNK", 2)

    class Interrupted(Lengths):
        def __call__(self, texts: list[str]) -> Any:
            if len(self.calls) == 2:
                raise KeyboardInterrupt
            return super().__call__(texts)

    with pytest.raises(KeyboardInterrupt):
        encoded(Interrupted("lengths"), TEXTS)
    encoder = Lengths("lengths")
    assert encoded(encoder, TEXTS) == WANTED
    assert [[len(text) for text in call] for call in encoder.calls] == [[1, 0]]


def test_a_damaged_file_is_rebuilt(cache: Path) -> None:
    encoder = Lengths("lengths")
    encoded(encoder, TEXTS)
    (cache / FILE_NAME).write_bytes(b"no database " * 100)
    with pytest.warns(KeysiftWarning, match=rf"{FILE_NAME} of stored vectors is damaged .*encoded again\.$") as caught:
        assert encoded(encoder, TEXTS) == WANTED
    assert len(caught) == 1
    encoder.calls.clear()
    assert encoded(encoder, TEXTS) == WANTED
    assert encoder.calls == []


def test_a_cache_that_cannot_be_written_is_warned_of_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("KEYSIFT_CACHE", str(tmp_path / "file"))
    monkeypatch.setattr(room, "CHUNK", 2)
    with pytest.warns(KeysiftWarning, match="are not stored.*Set KEYSIFT_CACHE to another folder") as caught:
        assert encoded(Lengths("lengths"), TEXTS) == WANTED
    assert len(caught) == 1


def test_no_document(cache: Path) -> None:
    encoder = Lengths("lengths")
    assert encoded(encoder, []) == []
    assert encoder.calls == []


def test_precomputed(cache: Path) -> None:
    encoder = get_encoder([[1, 2], [3, 4]])
    shares = list[float]()
    assert encode_documents(encoder, pl.Series(["a", "b"]), shares.append).tolist() == [[1, 2], [3, 4]]
    assert encode_documents(encoder, pl.Series(["b"])).tolist() == [[3, 4]]
    assert shares == [0, 1]
    with pytest.raises(InputError, match="embeddings="):
        encode_documents(encoder, pl.Series(["c"]))
    with pytest.raises(InputError, match="3 vectors for 5 documents"):
        encode_documents(get_encoder(np.ones((3, 2))), pl.Series(list("abcde")))
    assert stored(cache) == 0


@pytest.mark.parametrize(
    ("result", "message"),
    [
        (np.ones((3, 2)), r"has shape \(3, 2\) for 2 texts; it must have shape \(2, 2\)\.$"),
        (np.ones(2), r"must be an array of shape \(documents, length of a vector\); got shape \(2,\)\.$"),
        ([["x"], ["y"]], "must contain numbers"),
        (None, "must contain numbers"),
        ([[1.0], [1.0, 2.0]], "all of the same length"),
        # The longest text comes first, and the error still names the user's number.
        ([[np.nan], [0.0]], "NaN or infinity in the vector of document 1;"),
        ([[0.0], [np.inf]], "NaN or infinity in the vector of document 0;"),
    ],
)
def test_a_wrong_result_is_refused_and_not_stored(result: Any, message: str, cache: Path) -> None:
    def mine(texts: list[str]) -> Any:
        return result

    mine.cache_name = "mine"  # type: ignore[attr-defined]
    with pytest.raises(InputError, match=rf"^The result of the encoder \S*test_encode\S*mine .*{message}"):
        encoded(mine, ["a", "long", "a"])
    assert stored(cache) == 0


def test_vectors_of_two_lengths(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "CHUNK", 1)
    with pytest.raises(
        InputError, match=r"returned vectors of length 3 and of length 1; all must have the same length\.$"
    ):
        encoded(lambda texts: [[0.0] * len(texts[0])], ["ccc", "a"])
    encoded(Lengths("lengths", columns=2), ["a"])
    with pytest.raises(InputError, match=rf"length 2 and of length 5; .*if the encoder changed, remove .*{FILE_NAME}"):
        encoded(Lengths("lengths", columns=5), ["a", "b"])
    assert stored(cache) == 1


def test_progress_is_told_within_a_chunk(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "BATCH", 4)
    encoder, shares = Lengths("lengths 1"), list[float]()
    assert encoded(encoder, TEXTS, shares) == WANTED
    assert [len(call) for call in encoder.calls] == [4, 2]
    assert shares == [0, pytest.approx(2 / 3), 1, 1]
