"""What can go wrong, in one sentence each: what, where, what is allowed, what to do next."""

import os
import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import FrameType

PACKAGE = f"{Path(__file__).parent}{os.sep}"
"""Where the code of keysift is."""
CALLER: ContextVar[FrameType | None] = ContextVar("caller", default=None)
"""Who called keysift, where the work is done in a thread and its frames do not tell."""

HEARD: ContextVar[list[str] | None] = ContextVar("heard", default=None)
"""Where warnings go that somebody listens to."""


class KeysiftError(ValueError):
    """Something the user can put right; the command line prints it and exits with code 2."""


class InputError(KeysiftError):
    """The documents cannot be read, or cannot be learned from."""


class OutputError(KeysiftError):
    """A result cannot be written where it was asked for."""


class KeywordError(KeysiftError):
    """The keywords do not split the documents."""


class SettingError(KeysiftError):
    """An argument has a value that is not allowed."""


class ModelFileError(KeysiftError):
    """A model file is damaged, foreign or from a newer version."""


class TrainingError(KeysiftError):
    """The training of a network went wrong, or cannot go on from where it was left."""


class EncoderUnavailableError(KeysiftError):
    """The encoder that comes with keysift cannot run on this machine.

    >>> str(EncoderUnavailableError("onnxruntime is not installed"))
    'The encoder minilm cannot run: onnxruntime is not installed; pip install --upgrade onnxruntime.'
    """

    def __init__(self, reason: str) -> None:
        super().__init__(f"The encoder minilm cannot run: {reason}; pip install --upgrade onnxruntime.")
        self.reason = reason


class CancelledError(KeysiftError):
    """Learning was cancelled by whoever asked for it."""

    def __init__(self) -> None:
        super().__init__("Cancelled; the last result is as it was.")


class KeysiftWarning(UserWarning):
    """The work goes on, but the user should know."""


def warn(message: str) -> None:
    """Warn whoever called keysift: the warning shows the line of the first frame that is not of this package.

    >>> with warnings.catch_warnings(record=True) as seen:
    ...     warnings.simplefilter("always")
    ...     warn("The work goes on.")
    >>> str(seen[0].message), seen[0].category.__name__, seen[0].filename.startswith(PACKAGE)
    ('The work goes on.', 'KeysiftWarning', False)
    """
    if (heard := HEARD.get()) is not None:
        heard.append(message)
        return
    frame = caller()
    warnings.warn_explicit(
        message,
        KeysiftWarning,
        frame.f_code.co_filename,
        frame.f_lineno,
        module=frame.f_globals.get("__name__"),
        registry=frame.f_globals.setdefault("__warningregistry__", {}),
    )


@contextmanager
def listening() -> Iterator[list[str]]:
    """Take down the warnings of the block, also of threads that it starts with its context, and show none.

    Python's own filters belong to the whole process, where several requests may be served at once.

    >>> with listening() as heard:
    ...     warn("The work goes on.")
    >>> heard
    ['The work goes on.']
    """
    heard: list[str] = []
    token = HEARD.set(heard)
    try:
        yield heard
    finally:
        HEARD.reset(token)


def caller() -> FrameType:
    """The frame that called keysift."""
    frame: FrameType = sys._getframe()
    while frame.f_code.co_filename.startswith(PACKAGE) and frame.f_back is not None:
        frame = frame.f_back
    return CALLER.get() or frame


def shortened(value: object, most: int = 40) -> str:
    """A value in an error message, which should stay one readable line.

    >>> shortened(-1), shortened(10**60, most=5)
    ('-1', '10000 …')
    """
    text = repr(value)
    return text if len(text) <= most else f"{text[:most]} …"


def listed(names: Iterable[object], most: int = 20) -> str:
    """Write names for an error message, which should stay one readable line.

    >>> listed(["a", "b"]), listed(["a", "b", "c"], most=1)
    ("'a', 'b'", "'a' and 2 more")
    """
    quoted = [repr(name) for name in names]
    rest = f" and {len(quoted) - most} more" if len(quoted) > most else ""
    return ", ".join(quoted[:most]) + rest
