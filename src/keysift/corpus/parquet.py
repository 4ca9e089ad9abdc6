"""Parquet files, which may be damaged: polars then panics or, for some, takes the whole process down."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

import polars as pl

from keysift.errors import InputError

PARQUET_MAGIC = b"PAR1"
TAIL = 8
"""Bytes of the length of the footer and the second magic."""
USUAL_FOOTER = 4_000
"""Bytes of a footer that nobody doubts: a longer one may nest columns so deep that the stack overflows."""
USUAL_ROWS = 100
"""Rows per byte of the file that nobody doubts."""
TRIAL = "import sys, polars; polars.read_parquet(sys.stdin.buffer.read())"
SECONDS = 600
"""The longest trial."""


def read_parquet(data: bytes, source: str) -> pl.DataFrame:
    """Read a Parquet file; a damaged one is an error in one sentence.

    What looks unusual is first read by another process, which may die of it.

    >>> read_parquet(b"PAR1, but no more", "news.parquet")
    Traceback (most recent call last):
    ...
    keysift.errors.InputError: news.parquet: it cannot be read as parquet (its end is missing); create it again, ...
    """
    footer = _check_frame(data, source)
    try:
        with _silent():
            if footer > USUAL_FOOTER or _rows(data) > USUAL_ROWS * len(data):
                _try_elsewhere(data, source)
            return pl.read_parquet(data).with_columns(pl.col(pl.Categorical, pl.Enum).cast(pl.String))
    except (pl.exceptions.PolarsError, OSError, OverflowError, MemoryError) as error:
        raise _damaged(source, str(error) or type(error).__name__) from error
    except InputError:
        raise
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # polars has no name for it, and it is no Exception
            raise
        raise _damaged(source, "it is damaged") from None


def _check_frame(data: bytes, source: str) -> int:
    """The length of the footer, if the file begins and ends as it must."""
    if not data.startswith(PARQUET_MAGIC):
        raise _damaged(source, "it does not begin like one")
    if not data.endswith(PARQUET_MAGIC) or len(data) < len(PARQUET_MAGIC) + TAIL:
        raise _damaged(source, "its end is missing")
    footer = int.from_bytes(data[-TAIL : -len(PARQUET_MAGIC)], "little")
    if footer > len(data) - TAIL - len(PARQUET_MAGIC):
        raise _damaged(source, "its footer is longer than the file")
    return footer


def _rows(data: bytes) -> int:
    """The number of rows that the footer tells."""
    return int(pl.scan_parquet(data).select(pl.len()).collect().item())


def _try_elsewhere(data: bytes, source: str) -> None:
    try:
        ended = subprocess.run(
            [sys.executable, "-c", TRIAL], input=data, capture_output=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise _damaged(source, f"it takes more than {SECONDS // 60} minutes") from None
    if ended.returncode:
        raise _damaged(source, "it is damaged, or needs more memory than there is")


def _damaged(source: str, why: str) -> InputError:
    first = why.partition("\n")[0].rstrip(".:; ")
    return InputError(
        f"{source}: it cannot be read as parquet ({first:.200}); create it again, or choose another format with"
        " format=."
    )


@contextmanager
def _silent() -> Iterator[None]:
    """Keep back what is printed to standard error while the block runs; a panic tells of itself there."""
    try:
        terminal = os.dup(2)
    except OSError:  # it is closed
        yield
        return
    with tempfile.TemporaryFile() as kept:
        os.dup2(kept.fileno(), 2)
        try:
            yield
            failed = False
        except BaseException:
            failed = True
            raise
        finally:
            os.dup2(terminal, 2)
            os.close(terminal)
        kept.seek(0)
        if not failed and (said := kept.read()):
            os.write(2, said)
