"""A prepared corpus kept in a folder, so that the next run with other keywords starts where this one was ready.

One file holds the features of the documents; it is written whole or not at all, holds no text of any document, and
belongs to one corpus and one choice of settings: another is refused by name. Sentence vectors are in the cache.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import scipy.sparse as sp

from keysift.errors import ModelFileError, OutputError, SettingError, warn
from keysift.features.characters import CharacterView, FittedCharacters
from keysift.features.pieces import Pieces
from keysift.features.prepared import Prepared
from keysift.features.rows import Tfidf
from keysift.features.view import FittedView
from keysift.features.words import FittedWords, WordView
from keysift.files.atomic import check_target
from keysift.files.tensors import Arrays, pack_words, read_model, unpack_words, write_model
from keysift.vectors.words import WordVectors

FILE = "prepared.keysift-work"
LONGEST = 80
"""Characters of a setting in a message."""


@dataclass(frozen=True)
class Identity:
    """Which corpus and which settings a work folder belongs to."""

    source: str
    documents: int
    texts: str
    """A hash of all texts."""
    settings: Mapping[str, Any]

    def plain(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return {
            "source": self.source,
            "documents": self.documents,
            "texts": self.texts,
            "settings": dict(self.settings),
        }


def identity_of(prepared: Prepared, source: str, vectors: object) -> Identity:
    """The identity of a prepared corpus; `vectors` are the word vectors as they were asked for."""
    return Identity(
        source,
        len(prepared),
        hash_of(prepared.texts),
        {
            "vectors": vectors_identity(vectors),
            "views": [view.name for view in prepared.views],
            "stop_words": prepared.settings.plain()["stop_words"],
            "tokenizer": None if prepared.settings.tokenizer is None else hash_of(prepared.tokens.words),
            "random_state": prepared.seed,
        },
    )


def hash_of(texts: pl.Series) -> str:
    """A hash of texts and of where each ends.

    >>> hash_of(pl.Series(["ab", "c"])) == hash_of(pl.Series(["a", "bc"]))
    False
    """
    digest = hashlib.blake2b(digest_size=16)
    digest.update(texts.str.len_bytes().to_numpy().astype(np.int64).tobytes())
    for start in range(0, len(texts), 10_000):
        digest.update("".join(texts[start : start + 10_000]).encode())
    return digest.hexdigest()


def check_folder(folder: str | Path) -> Path:
    """The folder, made if need be; or what is wrong with it."""
    folder = Path(folder)
    if folder.exists() and not folder.is_dir():
        raise OutputError(f"Cannot use {folder} as the work folder: it is a file; choose another name.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(
            f"Cannot make the work folder {folder}: {(error.strerror or str(error)).lower()}; choose another place."
        ) from error
    check_target(folder / FILE)
    return folder


def restore(folder: str | Path, prepared: Prepared, identity: Identity) -> Prepared:
    """The same corpus with what the folder kept of it; as it is where the folder is new or its file is damaged."""
    path = check_folder(folder) / FILE
    if not path.exists():
        return prepared
    try:
        arrays, saved = read_model(path)
        before = Identity(**saved["identity"])
    except (ModelFileError, KeyError, TypeError):
        return _again(path, prepared)
    _refuse_other(folder, before, identity)
    try:
        memo = _unpack(arrays, saved["kept"], prepared)
    except (KeyError, TypeError, ValueError, IndexError):
        return _again(path, prepared)
    filled = prepared.filled
    if filled is prepared:
        return replace(prepared, memo={**memo, **prepared.memo})
    return replace(prepared, memo={**prepared.memo, "filled": replace(filled, memo={**memo, **filled.memo})})


def keep(folder: str | Path, prepared: Prepared, identity: Identity) -> bool:
    """Write what was made of the corpus, unless the folder has it already; whether something was written."""
    path = check_folder(folder) / FILE
    if set(_worth_keeping(prepared)) <= set(prepared.filled.memo.get("from work folder", ())):
        return False
    arrays, kept = _pack(prepared)
    write_model(path, arrays, {"identity": identity.plain(), "kept": kept})
    return True


def _again(path: Path, prepared: Prepared) -> Prepared:
    warn(f"The file {path} of the work folder is damaged, or from another version of keysift; it is made again.")
    return prepared


def _refuse_other(folder: str | Path, before: Identity, now: Identity) -> None:
    if before.texts != now.texts:
        raise SettingError(
            f"The work folder {folder} belongs to another corpus: {before.source} with {before.documents:,} documents,"
            f" not {now.source} with {now.documents:,} as read now; choose another folder, or remove this one."
        )
    for name, value in now.settings.items():
        if (old := before.settings.get(name)) != value:
            raise SettingError(
                f"The work folder {folder} was made with other {name} ({_words(old)}; now {_words(value)}); choose"
                " another folder, or remove this one."
            )


def _words(value: object) -> str:
    """A setting in a sentence.

    >>> _words(["words", "tfidf"]), _words("corpus")
    ('words, tfidf', 'corpus')
    """
    words = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    return words if len(words) <= LONGEST else f"{words[:LONGEST]} …"


def _worth_keeping(prepared: Prepared) -> dict[str, FittedView]:
    """The features that may be kept, by view; those of a view of a user's own may not. Empty documents have none."""
    memo = prepared.filled.memo
    own = {view.name for view in prepared.views if type(view) in (WordView, CharacterView)}
    made: Mapping[str, FittedView] = memo.get("views", memo.get("kept views", {}))
    return {name: fitted for name, fitted in made.items() if name in own}


def vectors_identity(vectors: object) -> str:
    """Word vectors as they were asked for; a file also by its size and time of change."""
    if isinstance(vectors, WordVectors):
        return vectors.name
    path = Path(str(vectors))
    try:
        return f"{vectors} {path.stat().st_size} {path.stat().st_mtime_ns}" if path.is_file() else str(vectors)
    except OSError:  # too long to be the name of a file
        return str(vectors)


def _pack(prepared: Prepared) -> tuple[Arrays, dict[str, Any]]:
    arrays: Arrays = {}
    kept = _worth_keeping(prepared)
    for name, fitted in kept.items():
        arrays |= _prefixed(f"view.{name}", _packed(fitted))
    return arrays, {"views": list(kept)}


def _unpack(arrays: Arrays, kept: Mapping[str, Any], prepared: Prepared) -> dict[str, Any]:
    """The memo of a prepared corpus."""
    views: dict[str, FittedView] = {}
    for name in kept["views"]:
        own = _own(f"view.{name}", arrays)
        make = _characters if "grams.bytes" in own else _weights
        views[name] = make(own, prepared.tokens.words)
        if views[name].X.shape[0] != len(prepared.filled):
            raise ValueError("rows of other documents")
    return {"kept views": views, "from work folder": list(views)}


def _packed(fitted: FittedView) -> Arrays:
    assert isinstance(fitted, FittedWords | FittedCharacters)
    both: Arrays = {"idf": fitted.rows.idf, "scale": np.array([fitted.scale])}
    if isinstance(fitted, FittedWords):
        return {**both, **_packed_sparse(fitted.X), "kept": fitted.kept}
    return {
        **both,
        **_prefixed("left", _packed_sparse(fitted.left)),
        **_prefixed("right", _packed_sparse(fitted.right)),
        **_prefixed("grams", pack_words(fitted.pieces.grams)),
        "grams.idf": fitted.pieces.idf,
        "unseen": np.array([fitted.unseen]),
    }


def _weights(own: Arrays, words: pl.Series) -> FittedWords:
    return FittedWords(_sparse(own), words, Tfidf(own["idf"]), own["kept"], float(own["scale"][0]))


def _characters(own: Arrays, words: pl.Series) -> FittedCharacters:
    grams = unpack_words({"bytes": own["grams.bytes"], "ends": own["grams.ends"]})
    left, right = (_sparse(_own(side, own)) for side in ("left", "right"))
    pieces, rows = Pieces(grams, own["grams.idf"]), Tfidf(own["idf"])
    return FittedCharacters(left, right, words, pieces, rows, float(own["unseen"][0]), float(own["scale"][0]))


def _packed_sparse(matrix: sp.csr_array) -> Arrays:
    return {
        "data": matrix.data,
        "indices": matrix.indices,
        "indptr": matrix.indptr,
        "shape": np.array(matrix.shape, dtype=np.int64),
    }


def _sparse(own: Arrays) -> sp.csr_array:
    shape = (int(own["shape"][0]), int(own["shape"][1]))
    return sp.csr_array((own["data"], own["indices"], own["indptr"]), shape=shape)


def _prefixed(prefix: str, arrays: Arrays) -> Arrays:
    return {f"{prefix}.{name}": array for name, array in arrays.items()}


def _own(prefix: str, arrays: Arrays) -> Arrays:
    start = f"{prefix}."
    return {name.removeprefix(start): array for name, array in arrays.items() if name.startswith(start)}
