"""GloVe and word2vec text files: one word and its numbers per line; word2vec starts with a line of sizes."""

import gzip
import zlib
from pathlib import Path
from typing import IO

import numpy as np
import polars as pl
from numpy.typing import NDArray

from keysift.errors import InputError
from keysift.vectors.words import WordVectors

TEXT_FILE_SUFFIXES = (".txt", ".vec", ".txt.gz", ".vec.gz")
"""How the name of such a file ends."""
BATCH_CHARACTERS = 16_000_000


def read_text_file(path: str | Path) -> WordVectors:
    r"""Read word vectors from a text file, gzipped or not; if a word occurs twice, the first is kept.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder) / "tiny.vec"
    ...     _ = file.write_text("2 3\ncat 1 0 0\nnew york 0 1 0.5\n")
    ...     vectors = read_text_file(file)
    >>> vectors.words.to_list(), vectors.matrix.tolist()
    (['cat', 'new york'], [[1.0, 0.0, 0.0], [0.0, 1.0, 0.5]])
    """
    try:
        with _open(Path(path)) as file:
            return _read(file, str(path))
    except FileNotFoundError:
        raise InputError(f"Cannot read vectors from {path}: there is no such file.") from None
    except UnicodeDecodeError as error:
        raise InputError(
            f"Cannot read vectors from {path}: it is not UTF-8 text ({error.reason}); binary word2vec files must be"
            " converted to text first."
        ) from None
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"Cannot read vectors from {path}: {error}.") from None


def _open(path: Path) -> IO[str]:
    if path.suffix.lower() == ".gz":
        return gzip.open(path, "rt", encoding="utf-8", newline="\n")
    return path.open(encoding="utf-8", newline="\n")


def _read(file: IO[str], path: str) -> WordVectors:
    first = file.readline().rstrip()
    sizes = first.split(" ")
    header = len(sizes) == 2 and all(part.isdigit() for part in sizes)
    size = int(sizes[1]) if header else len(sizes) - 1
    if size < 1:
        raise InputError(
            f"Cannot read vectors from {path}: line 1 is {first[:40]!r}; expected a word and its numbers, separated"
            " by spaces."
        )
    words: list[pl.Series] = []
    numbers: list[NDArray[np.float32]] = []
    line = 2 if header else 1
    lines = file.readlines(BATCH_CHARACTERS) if header else [first, *file.readlines(BATCH_CHARACTERS)]
    while lines:
        batch_words, batch_numbers = _parse(pl.Series(lines), size, path, line)
        words.append(batch_words)
        numbers.append(batch_numbers)
        line += len(lines)
        lines = file.readlines(BATCH_CHARACTERS)
    if not words:
        raise InputError(f"Cannot read vectors from {path}: it contains no vectors.")
    every = pl.concat(words)
    kept = every.is_first_distinct().to_numpy()
    return WordVectors(name=path, words=every.filter(kept), matrix=np.concatenate(numbers)[kept])


def _parse(lines: pl.Series, size: int, path: str, line: int) -> tuple[pl.Series, NDArray[np.float32]]:
    parts = pl.col("parts")
    # A word may itself contain spaces, so the numbers are counted from the end.
    word_parts = (parts.list.len().cast(pl.Int64) - size).clip(lower_bound=0)
    frame = (
        pl.DataFrame({"parts": lines.str.strip_chars_end().str.split(" ")})
        .with_columns(
            word=parts.list.head(word_parts).list.join(" "),
            numbers=parts.list.tail(size).list.eval(pl.element().cast(pl.Float32, strict=False)),
        )
        .with_columns(
            wrong=(word_parts == 0)
            | ~pl.col("numbers").list.eval(pl.element().is_finite().fill_null(False)).list.all(),
            blank=parts.list.join("") == "",
        )
    )
    wrong = frame["wrong"] & ~frame["blank"]
    if wrong.any():
        row = int(wrong.arg_true()[0])
        raise InputError(
            f"Cannot read vectors from {path}: line {line + row} is {lines[row][:40].rstrip()!r}; expected a word and"
            f" {size} numbers."
        )
    frame = frame.filter(~pl.col("blank"))
    return frame["word"], frame["numbers"].list.to_array(size).to_numpy()
