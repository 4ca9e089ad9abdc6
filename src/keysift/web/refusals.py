"""Why a request cannot be done now, each with the status that a browser is told."""

from keysift.errors import KeysiftError


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
