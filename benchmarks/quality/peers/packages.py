"""The packages behind the peers. keysift needs none of them, so each may be missing."""

import importlib
from typing import Any

from keysift.errors import SettingError

__all__ = ["EXTRAS", "package"]

EXTRAS = {"bm25s": "bench", "corextopic": "bench", "pulearn": "bench", "snorkel": "peers"}
"""The extra that brings each. Snorkel brings TensorBoard and pandas along, so only `make quality` installs it."""


def package(name: str) -> Any:
    """The module of this name, or how to install its package."""
    top = name.partition(".")[0]
    try:
        importlib.import_module(top)
    except ModuleNotFoundError as error:
        if error.name != top:
            raise
        raise SettingError(f"This peer needs {top}, which is not installed: pip install '.[{EXTRAS[top]}]'.") from None
    return importlib.import_module(name)
