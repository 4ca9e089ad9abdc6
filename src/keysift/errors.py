"""What can go wrong, in one sentence each: what, where, what is allowed, what to do next."""

__all__ = [
    "InputError",
    "KeysiftError",
    "KeysiftWarning",
    "KeywordError",
    "ModelFileError",
    "OutputError",
    "SettingError",
]


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


class KeysiftWarning(UserWarning):
    """The work goes on, but the user should know."""
