"""One safetensors file with a versioned JSON header and a checksum over all of it: data, never code.

This module knows arrays and settings, and nothing about the estimator they belong to.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from keysift.errors import ModelFileError, OutputError
from keysift.files.atomic import written_whole
from keysift.files.fields import Columns, DamagedPartError

if TYPE_CHECKING:
    import polars as pl

FORMAT = 7
"""Goes up whenever an older keysift could not read the file; 1 was a model of one view, 6 has a checksum."""
HEADER = "keysift"
KINDS = ("BOOL", "U8", "I8", "I16", "U16", "I32", "U32", "I64", "U64", "F16", "F32", "F64")
"""Kinds of numbers that an array may hold: those of numpy."""

Arrays = dict[str, NDArray[Any]]


def write_model(path: str | Path, arrays: Arrays, settings: dict[str, Any]) -> None:
    """Write arrays and settings to one file, whole or not at all; the settings are anything that JSON can express."""
    contiguous = {name: np.asarray(array, order="C") for name, array in arrays.items()}
    content = {"format": FORMAT, "checksum": checksum(contiguous, settings), "settings": settings}
    try:
        with written_whole(path) as part:
            save_file(contiguous, part, {HEADER: as_json(content)})
    except SafetensorError as error:
        raise OutputError(f"Cannot write {path}: {error}; choose another place.") from error


def as_json(content: object) -> str:
    """The text that stands for settings in a file.

    Keys keep their order: that of the keywords matters to the last bit. NumPy's numbers become plain ones.

    >>> as_json({"b": np.float64(0.5), "a": (1, None)})
    '{"b": 0.5, "a": [1, null]}'
    """
    return json.dumps(content, ensure_ascii=False, default=np.generic.item)


def checksum(arrays: Mapping[str, NDArray[Any]], settings: object) -> str:
    """A hash of settings and of every array: its name, its kind, its shape and its numbers.

    Settings give the same before they are written and after they are read: JSON keeps every number to the last bit.

    >>> same = checksum({"a": np.zeros(2)}, {"n": 1}), checksum({"a": np.zeros(2)}, json.loads('{"n": 1}'))
    >>> same[0] == same[1], checksum({"a": np.zeros((1, 2))}, {"n": 1}) == same[0]
    (True, False)
    """
    digest = hashlib.blake2b(as_json(settings).encode("utf-8", "surrogatepass"), digest_size=16)
    for name in sorted(arrays):
        array = np.asarray(arrays[name], order="C")
        digest.update(repr((name, array.dtype.str, array.shape)).encode("utf-8", "surrogatepass"))
        digest.update(array.reshape(-1).view(np.uint8).data)
    return digest.hexdigest()


def read_model(path: str | Path) -> tuple[Arrays, dict[str, Any]]:
    """Read the arrays and settings that `write_model` wrote.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "sports.keysift"
    ...     write_model(path, {"coef": np.array([0.5])}, {"keywords": ["hockey"]})
    ...     read_model(path)
    ({'coef': array([0.5])}, {'keywords': ['hockey']})
    """
    path = Path(path)
    if path.is_dir():
        raise ModelFileError(f"Cannot read the model {path}: it is a folder; `keysift fit` writes a model file.")
    if not path.is_file():
        raise ModelFileError(f"Cannot read the model {path}: there is no such file; `keysift fit` writes one.")
    try:
        with safe_open(path, framework="numpy") as file:
            header = (file.metadata() or {}).get(HEADER)
            if header is None:
                raise ModelFileError(
                    f"{path} is a safetensors file, but not a keysift model; `keysift fit` writes one."
                )
            settings, expected = _parse_header(header, path)
            arrays = {name: _array(file, name) for name in file.keys()}  # noqa: SIM118, not a dict
    except ModelFileError:
        raise
    except Exception as error:  # whatever a damaged file makes its library raise
        reason = (str(error) or type(error).__name__).splitlines()[0]
        raise ModelFileError(
            f"Cannot read the model {path}: it is damaged, cut short or no keysift model ({reason}); fit and save"
            " it again."
        ) from None
    if expected != checksum(arrays, settings):
        raise ModelFileError(
            f"Cannot read the model {path}: it is damaged (its checksum is not that of its content); fit and save it"
            " again, or take another copy."
        )
    return arrays, settings


def _array(file: Any, name: str) -> NDArray[Any]:
    kind = file.get_slice(name).get_dtype()
    if kind not in KINDS:
        raise ValueError(f"the array {name} holds {kind}")
    return np.asarray(file.get_tensor(name))


def _parse_header(header: str, path: Path) -> tuple[dict[str, Any], object]:
    """The settings of a header of this version, and the checksum that it gives."""
    try:
        content = json.loads(header)
        version, settings = content["format"], content["settings"]
    except (ValueError, KeyError, TypeError, IndexError, RecursionError, MemoryError):
        content = version = settings = None
    known = isinstance(version, int) and not isinstance(version, bool) and 1 <= version < 1000
    if not known or not isinstance(settings, dict):
        raise ModelFileError(f"Cannot read the model {path}: its header is damaged; fit and save it again.")
    if version > FORMAT:
        raise ModelFileError(
            f"The model {path} has format {version}, and this keysift reads up to format {FORMAT}; install a newer"
            " keysift: pip install -U keysift."
        )
    if version < FORMAT:
        raise ModelFileError(
            f"The model {path} has format {version}, from an older keysift, and this one reads format {FORMAT}; fit and"
            " save it again."
        )
    return settings, content.get("checksum")


def pack_words(words: "pl.Series") -> Arrays:
    """Words as two arrays: all their UTF-8 bytes, and where each one ends.

    >>> import polars as pl
    >>> packed = pack_words(pl.Series(["né", "a"]))
    >>> packed["bytes"].tolist(), packed["ends"].tolist()
    ([110, 195, 169, 97], [3, 4])
    """
    ends = words.str.len_bytes().cum_sum().to_numpy().astype(np.uint32)
    return {"bytes": np.frombuffer("".join(words.to_list()).encode(), dtype=np.uint8), "ends": ends}


def unpack_words(arrays: Arrays) -> "pl.Series":
    """The words of `pack_words`.

    >>> import polars as pl
    >>> unpack_words(pack_words(pl.Series(["né", "a"]))).to_list()
    ['né', 'a']
    """
    import polars as pl  # a model is cut again without it

    columns = Columns(arrays)
    text = columns.of_kind("bytes", np.uint8, (None,)).tobytes()
    ends = columns.of_kind("ends", np.uint32, (None,)).tolist()
    if ends != sorted(ends) or (ends[-1] if ends else 0) != len(text):
        raise DamagedPartError("the words do not end where they should")
    words = [text[start:end].decode() for start, end in zip([0, *ends], ends, strict=False)]
    return pl.Series("word", words, dtype=pl.String)
