"""Why a request cannot be done now, each with the status that a browser is told."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from keysift.errors import InputError, KeysiftError

ARGUMENT = re.compile(r";[^;]*\b[a-z_]+=[^;]*(?=;|$)")
"""A part of a sentence that names an argument of Python, which a page has not."""

COMMAND = re.compile(r" \(`keysift [^)]*\)")
"""An aside that names a command."""


class NotReadyError(KeysiftError):
    """Something has to be done before."""

    status = 409


class NotThereError(KeysiftError):
    """There is no such thing."""

    status = 404


class TooLargeError(KeysiftError):
    """More than the server takes."""

    status = 413


class WrongTypeError(KeysiftError):
    """A kind of file that cannot be read."""

    status = 415


def status_of(error: KeysiftError) -> int:
    """The status of an error; whatever the user can put right is 422.

    >>> status_of(NotThereError("There is no version 7.")), status_of(KeysiftError("A weight must be above 0."))
    (404, 422)
    """
    return int(getattr(error, "status", 422))


def for_page(error: Exception) -> str:
    """What an error says, without what one would do on a command line.

    >>> for_page(KeysiftError("No document holds it; use others (`keysift keywords` shows how often each does)."))
    'No document holds it; use others.'
    """
    return COMMAND.sub("", str(error))


@contextmanager
def about(path: Path) -> Iterator[None]:
    """What is wrong with a file in words for a page: by its name, without what only a program could be told.

    >>> with about(Path("/project/files/a.csv")):
    ...     raise InputError("/project/files/a.csv has no column of text; the columns are 'a'; name it with text=.")
    Traceback (most recent call last):
    keysift.errors.InputError: a.csv has no column of text; the columns are 'a'.
    """
    try:
        yield
    except KeysiftError as error:
        told = ARGUMENT.sub("", str(error).replace(str(path), path.name))
        raise InputError(f"{told.rstrip('.')}.") from error
