"""The packages behind the peers. keysift needs none of them, so each may be missing."""

import importlib
from typing import Any

from keysift.errors import SettingError

__all__ = ["package"]


def package(name: str) -> Any:
    """The module of this name, or how to install its package."""
    top = name.partition(".")[0]
    try:
        importlib.import_module(top)
    except ModuleNotFoundError as error:
        if error.name != top:
            raise
        raise SettingError(f"This peer needs {top}, which is not installed: pip install '.[bench]'.") from None
    return importlib.import_module(name)
