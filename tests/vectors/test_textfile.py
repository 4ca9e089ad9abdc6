import gzip
import re
from pathlib import Path

import pytest

from keysift.errors import InputError
from keysift.vectors import textfile
from keysift.vectors.textfile import read_text_file

GLOVE = "cat 1 0 -0.5\ndog 0 1e-1 2\nnew york 3 4 5\n"
NUMBERS = [[1.0, 0.0, -0.5], [0.0, pytest.approx(0.1), 2.0], [3.0, 4.0, 5.0]]


def given(folder: Path, content: str | bytes, name: str = "a.txt") -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize("batch", [1, 20, 16_000_000])
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.txt", GLOVE.encode()),
        ("a.txt", GLOVE.strip().encode()),
        ("a.txt", GLOVE.replace("\n", "\r\n").encode()),
        ("a.vec", ("3 3\n" + GLOVE.replace("\n", " \n")).encode()),
        ("a.vec.GZ", gzip.compress(("3 3\n" + GLOVE).encode())),
        ("a.txt", (GLOVE + "cat 9 9 9\n").encode()),
    ],
    ids=["glove", "no last newline", "windows", "word2vec", "gzip", "repeat"],
)
def test_formats(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, content: bytes, batch: int) -> None:
    monkeypatch.setattr(textfile, "BATCH_CHARACTERS", batch)
    path = given(tmp_path, content, name)
    vectors = read_text_file(path)
    assert vectors.name == str(path)
    assert vectors.words.to_list() == ["cat", "dog", "new york"]
    assert vectors.matrix.tolist() == NUMBERS
    assert vectors.matrix.dtype == "float32"


def test_odd_words(tmp_path: Path) -> None:
    words = ["\u00a0", "\x85", "日本", "3", "#", "a\u2028b"]
    vectors = read_text_file(given(tmp_path, "".join(f"{word} 1 2\n" for word in words)))
    assert vectors.words.to_list() == words


@pytest.mark.parametrize("batch", [1, 16_000_000])
@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "line 1 is ''"),
        ("cat\n", "line 1 is 'cat'"),
        ("2 3\n", "it contains no vectors"),
        ("cat 1 2\ndog 1 two\n", "line 2 is 'dog 1 two'; expected a word and 2 numbers"),
        ("cat 1 2\ndog 1 2\nrat 1\n", "line 3 is 'rat 1'; expected a word and 2 numbers"),
        ("2 2\ncat 1 2\n1 2\n", "line 3 is '1 2'; expected a word and 2 numbers"),
        ("cat 1 2\n\ndog 1 nan\n", "line 3 is 'dog 1 nan'"),
        (b"2 2\ncat \xff\xfe\x00\x80", "not UTF-8 text (invalid start byte); binary word2vec"),
    ],
)
def test_what_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str | bytes, message: str, batch: int
) -> None:
    monkeypatch.setattr(textfile, "BATCH_CHARACTERS", batch)
    path = given(tmp_path, content)
    with pytest.raises(InputError, match=re.escape(f"Cannot read vectors from {path}: ") + ".*" + re.escape(message)):
        read_text_file(path)


def test_missing_file_and_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file"):
        read_text_file(tmp_path / "missing.txt")
    with pytest.raises(InputError, match="Is a directory"):
        read_text_file(tmp_path)


def test_damaged_gzip(tmp_path: Path) -> None:
    whole = gzip.compress("".join(f"w{number} {number} 0.5\n" for number in range(500)).encode())
    flipped = [whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :] for place in range(10, 400, 13)]
    for content in (b"cat 1 2\n", whole[:-20], *flipped):
        with pytest.raises(InputError, match="Cannot read vectors"):
            read_text_file(given(tmp_path, content, "a.txt.gz"))
