"""Where keysift keeps what it may delete and make again."""

import os
from pathlib import Path

from platformdirs import user_cache_path

from keysift.errors import SettingError


def cache_folder() -> Path:
    """The folder named by the environment variable `KEYSIFT_CACHE`, or else the platform's cache folder for keysift.

    >>> cache_folder().is_absolute()
    True
    """
    try:
        if own := os.environ.get("KEYSIFT_CACHE"):
            return Path(own).expanduser().absolute()
        folder = user_cache_path("keysift", appauthor=False)
    except RuntimeError:  # no home folder
        folder = Path()
    # An older platformdirs leaves the ~ of a user without a home as it is.
    if not folder.is_absolute():
        raise SettingError(
            "Cannot keep the vectors of documents: this user has no home folder; set KEYSIFT_CACHE to a folder."
        )
    return folder
