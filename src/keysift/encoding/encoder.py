"""From a text to a vector: the encoder that comes with keysift, a sentence-transformers model, or any function.

The only module that imports sentence-transformers, and only once a text has to be encoded.
"""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from keysift.encoding import minilm
from keysift.encoding.precomputed import Precomputed
from keysift.encoding.vector_checks import as_vectors
from keysift.errors import SettingError

HUB_NAME = re.compile(r"[A-Za-z0-9_][\w.-]*(/[\w.-]+)?", re.ASCII)
HUB_SECONDS = 5.0
NEXT_STEP = "give the path of a folder with a sentence-transformers model"


@dataclass(frozen=True)
class TextEncoder:
    """A function from texts to vectors.

    >>> TextEncoder("lengths", None, lambda texts: [[len(text)] for text in texts]).encode(["a", "bc"])
    [[1], [2]]
    """

    name: str
    """Its name in a model file."""
    identity: str | None
    """Encoders with the same identity give a text the same vector; with None nothing is stored."""
    encode: Callable[[list[str]], Any]
    """From a list of texts to an array with a row for each."""
    asked: bool = True
    """Whether the user asked for it; one that only a file names does not encode."""


Encoder = TextEncoder | Precomputed


def get_encoder(encoder: Any) -> Encoder:
    """Make an encoder from what the user gives.

    - `"minilm"`, the encoder that comes with keysift: all-MiniLM-L6-v2, in English and on the processor. Its vectors
      are stored (see `keysift.encoding.cache`).
    - The name of a sentence-transformers model on the hub, or the path of a folder with one. Its vectors are stored:
      those of a folder until one of its files changes, those of a name for good.
    - A function from a list of texts to an array (n, d), or an object with such a method `encode`. It gets up to
      128 different texts at a time and must encode each on its own. Code has no identity, so its vectors are
      stored only if it has an attribute `cache_name`, a string that you change whenever its vectors change.
    - The vectors themselves: an array (n, d), a list of lists or a column of lists, in the order of the documents.

    >>> get_encoder([[0.5, 1.0], [0.0, 2.0]]).name
    'precomputed'
    >>> get_encoder("minilm").name
    'minilm'
    >>> get_encoder(len).name
    'builtins.len'
    """
    if isinstance(encoder, TextEncoder | Precomputed):
        return encoder
    if isinstance(encoder, str) and encoder == minilm.NAME:
        return TextEncoder(minilm.NAME, minilm.identity(), minilm.encode)
    if isinstance(encoder, str | Path):
        return _named(encoder)
    if not isinstance(encoder, type) and callable(function := getattr(encoder, "encode", encoder)):
        return TextEncoder(_qualified_name(encoder), _callable_identity(encoder), function)
    if hasattr(encoder, "__array__") or hasattr(encoder, "to_list") or isinstance(encoder, list | tuple):
        return Precomputed(as_vectors(encoder, "The array of vectors"))
    raise SettingError(
        f"encoder must be {minilm.NAME!r}, the name or folder of a sentence-transformers model, a function from a list"
        f" of texts to an array, or an array with one vector per document; got {encoder!r:.60}."
    )


def named_by_file(name: str, path: str | Path) -> TextEncoder:
    """An encoder that a model file names and nobody asked for: it loads nothing and, if it is needed, says so.

    >>> named_by_file("a/hub-model", "a.keysift").encode(["a text"])
    Traceback (most recent call last):
    ...
    keysift.errors.SettingError: The model a.keysift names the encoder 'a/hub-model', and what only a file names is not
    loaded, from a folder or from a hub: if you trust it, ask for it with encoder='a/hub-model', or hand in embeddings=.
    """
    return TextEncoder(name, None, partial(_refuse, name, str(path)), asked=False)


def _refuse(name: str, path: str, texts: list[str]) -> Any:
    raise SettingError(
        f"The model {path} names the encoder {name!r}, and what only a file names is not loaded, from a folder or from"
        f" a hub: if you trust it, ask for it with encoder={name!r}, or hand in embeddings=."
    )


def _qualified_name(function: Any) -> str:
    named = function if hasattr(function, "__qualname__") else type(function)
    return f"{named.__module__}.{named.__qualname__}"


def _callable_identity(function: Any) -> str | None:
    name = getattr(function, "cache_name", None)
    if name is not None and not (isinstance(name, str) and name):
        raise SettingError(f"cache_name of the encoder must be a non-empty string; got {name!r:.60}.")
    return None if name is None else json.dumps(["function", name])


def _named(encoder: str | Path) -> TextEncoder:
    name = str(encoder)
    folder = _folder(name)
    if folder is not None:
        if not any((folder / file).is_file() for file in ("modules.json", "config.json")):
            raise SettingError(
                f"Cannot load the encoder {name!r}: the folder has neither modules.json nor config.json; {NEXT_STEP}."
            )
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        stamps = [(str(path), path.stat().st_size, path.stat().st_mtime_ns) for path in files]
        identity = json.dumps(["folder", str(folder), stamps])
        return TextEncoder(name, identity, partial(_encode_with, str(folder), identity))
    if isinstance(encoder, Path) or not HUB_NAME.fullmatch(name):
        raise SettingError(f"Cannot load the encoder {name!r}: there is no such folder; {NEXT_STEP}.")
    identity = json.dumps(["hub", name])
    return TextEncoder(name, identity, partial(_encode_with, name, identity))


def _folder(name: str) -> Path | None:
    try:
        path = Path(name).expanduser()
        return path.resolve() if name and path.is_dir() else None
    except (OSError, ValueError, RuntimeError):  # too long, a null character, no home
        return None


def _encode_with(source: str, identity: str, texts: list[str]) -> Any:
    return _load(source, identity).encode(texts, show_progress_bar=False, convert_to_numpy=True)


@lru_cache(maxsize=2)
def _load(source: str, identity: str) -> Any:
    """The model, loaded once per process and identity."""
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        missing = isinstance(error, ModuleNotFoundError) and error.name in ("sentence_transformers", "torch")
        problem = "which is not installed" if missing else f"which cannot be imported ({_first_line(error)})"
        raise SettingError(
            f"A sentence encoder needs sentence-transformers, {problem}: pip install 'keysift[encoder]'."
        ) from error
    is_folder = Path(source).is_absolute()
    try:
        if not is_folder and _is_on_hub(source):
            return SentenceTransformer(source)
        with _without_bars():
            return SentenceTransformer(source, local_files_only=True)
    except Exception as error:  # whatever the files of a model can make its libraries raise
        reason = (
            f"it contains no readable model ({_first_line(error)})"
            if is_folder
            else "there is no such folder, and no such model on this machine or on a hub that can be reached"
        )
        raise SettingError(f"Cannot load the encoder {source!r}: {reason}; {NEXT_STEP}.") from error


def _first_line(error: Exception) -> str:
    return (str(error) or type(error).__name__).splitlines()[0].rstrip(".")


def _is_on_hub(name: str) -> bool:
    """Whether the hub answers at all; if it does not, sentence-transformers retries for more than a minute."""
    from huggingface_hub import HfApi
    from huggingface_hub.errors import HfHubHTTPError

    try:
        HfApi().model_info(name if "/" in name else f"sentence-transformers/{name}", timeout=HUB_SECONDS)
    except HfHubHTTPError:
        return True  # an answer; what it means is left to the library
    except Exception:  # no network, offline by choice, too slow: the errors differ between versions of the library
        return False
    return True


@contextmanager
def _without_bars() -> Iterator[None]:
    """Show no progress bar while files are read from disk, and restore the setting afterwards."""
    from transformers.utils import logging

    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()
