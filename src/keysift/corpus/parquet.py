"""Parquet files, which may be damaged: polars then panics, or takes the whole process down.

So another process reads the file first, and may die of it. That takes a moment, and the second time as long as reading.
"""

import subprocess
import sys
import threading
from types import TracebackType
from typing import Self

import polars as pl

from keysift.errors import InputError

PARQUET_MAGIC = b"PAR1"
TAIL = 8
"""Bytes of the length of the footer and the second magic."""
SECONDS = 600.0
"""The longest trial."""
DIED = "it is damaged, or needs more memory than there is"
READY = b"ready\n"
CODE = """
import sys, polars
given, told = sys.stdin.buffer, sys.stdout.buffer
told.write(b"ready\\n")
told.flush()
while size := given.read(8):
    try:
        polars.read_parquet(given.read(int.from_bytes(size, "little")))
        said = ""
    except polars.exceptions.PolarsError as error:
        said = (str(error) or type(error).__name__).partition("\\n")[0]
    except BaseException:  # a panic is no Exception
        said = "it is damaged"
    told.write(said.encode() + b"\\n")
    told.flush()
"""


def read_parquet(data: bytes, source: str, trial: "Trial | None" = None) -> pl.DataFrame:
    """Read a Parquet file; a damaged one is an error in one sentence. A `trial` that is running serves many files.

    >>> read_parquet(b"PAR1, but no more", "news.parquet")
    Traceback (most recent call last):
    ...
    keysift.errors.InputError: news.parquet: it cannot be read as parquet (its end is missing); create it again, ...
    """
    _check_frame(data, source)
    if trial is None:
        with Trial() as trial:
            fault = trial.fault(data)
    else:
        fault = trial.fault(data)
    if fault:
        raise _damaged(source, fault)
    try:
        return pl.read_parquet(data).with_columns(pl.col(pl.Categorical, pl.Enum).cast(pl.String))
    except pl.exceptions.PolarsError as error:
        raise _damaged(source, str(error)) from error


class Trial:
    r"""A process that reads Parquet files and says what is wrong with them; it may die of one.

    >>> with Trial() as trial:
    ...     trial.fault(b"PAR1\x00\x00\x00\x00PAR1") == ""
    False
    """

    def __enter__(self) -> Self:
        self._start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()

    def fault(self, data: bytes) -> str:
        """What is wrong with a file; nothing if polars can read it."""
        if self._process is None or self._process.stdin is None or self._process.stdout is None:
            return ""  # there is no other process to be had, so nobody can tell
        timer = threading.Timer(SECONDS, self._process.kill)
        timer.start()
        try:
            self._process.stdin.write(len(data).to_bytes(8, "little") + data)
            self._process.stdin.flush()
            said = self._process.stdout.readline()
        except OSError:  # it died while it was given the file
            said = b""
        finally:
            timer.cancel()
        if said:
            return said.decode().strip()
        self._stop()
        self._start()
        return DIED

    def _start(self) -> None:
        # -P, so that no polars.py of the current folder is taken for polars.
        command = [sys.executable, "-P", "-c", CODE]
        pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
        self._process: subprocess.Popen[bytes] | None = None
        try:
            started = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=nowhere)
        except OSError:
            return
        self._process = started
        if started.stdout is None or started.stdout.readline() != READY:
            self._stop()

    def _stop(self) -> None:
        if self._process is None:
            return
        self._process.kill()
        self._process.wait()
        for end in (self._process.stdin, self._process.stdout):
            try:
                if end is not None:
                    end.close()
            except OSError:  # what was not yet written is lost, as it should be
                continue
        self._process = None


def _check_frame(data: bytes, source: str) -> None:
    """Refuse a file that does not begin and end as it must."""
    if not data.startswith(PARQUET_MAGIC):
        raise _damaged(source, "it does not begin like one")
    if not data.endswith(PARQUET_MAGIC) or len(data) < len(PARQUET_MAGIC) + TAIL:
        raise _damaged(source, "its end is missing")
    footer = int.from_bytes(data[-TAIL : -len(PARQUET_MAGIC)], "little")
    if footer > len(data) - TAIL - len(PARQUET_MAGIC):
        raise _damaged(source, "its footer is longer than the file")


def _damaged(source: str, why: str) -> InputError:
    first = why.partition("\n")[0].rstrip(".:; ")
    return InputError(
        f"{source}: it cannot be read as parquet ({first:.200}); create it again, or choose another format with"
        " format=."
    )
