"""A prepared corpus kept in a folder, so that the next run with other keywords starts where this one was ready.

One file holds tokens, counts, features, neighbours and the most similar documents; it is written whole or not at all,
holds no text of any document, and belongs to one corpus and one choice of settings: another is refused by name.
"""

import hashlib
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import scipy.sparse as sp

from keysift.errors import KeysiftWarning, ModelFileError, OutputError, SettingError
from keysift.features.lexical import FittedWeights, LsaView, TfidfView
from keysift.features.means import Factors, FittedMeans, PieceView, WordView
from keysift.features.prepared import Prepared
from keysift.features.rows import Shares, Tfidf
from keysift.features.view import FittedView, View
from keysift.files.atomic import check_target
from keysift.files.tensors import Arrays, read_model, write_model
from keysift.learn.nearest import Examples, Similar
from keysift.learn.neighbours import Neighbours
from keysift.text.vocabulary import locate
from keysift.vectors.pieces import load_pieces
from keysift.vectors.words import WordVectors

FILE = "prepared.keysift-work"
LONGEST = 80
"""Characters of a setting in a message."""
KEPT = ("views", "neighbours", "similar")
"""What is worth keeping of a prepared corpus beside its tokens."""
DECISIVE = ("lsa_size", "neighbours", "most_compared", "common_word", "example_words", "copy_similarity", "known_words")
"""Fields of LearnConfig that features and neighbours depend on."""


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
    learning = prepared.config.plain()
    return Identity(
        source,
        len(prepared),
        hash_of(prepared.texts),
        {
            "vectors": _vectors(vectors),
            "views": [view.name for view in prepared.views],
            "stop_words": prepared.settings.plain()["stop_words"],
            "tokenizer": None if prepared.settings.tokenizer is None else hash_of(prepared.tokens.words),
            "random_state": prepared.seed,
            **{name: learning[name] for name in DECISIVE},
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
    return replace(prepared, memo={**memo, **prepared.memo})


def keep(folder: str | Path, prepared: Prepared, identity: Identity) -> bool:
    """Write what was made of the corpus, unless the folder has it already; whether something was written."""
    path = check_folder(folder) / FILE
    if set(_worth_keeping(prepared)) <= set(prepared.memo.get("from work folder", ())):
        return False
    arrays, kept = _pack(prepared)
    write_model(path, arrays, {"identity": identity.plain(), "kept": kept})
    return True


def _again(path: Path, prepared: Prepared) -> Prepared:
    warnings.warn(
        f"The file {path} of the work folder is damaged, or from another version of keysift; it is made again.",
        KeysiftWarning,
        stacklevel=3,
    )
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


def _worth_keeping(prepared: Prepared) -> list[str]:
    """What was made of the corpus and may be kept; what depends on a view of a user's own may not."""
    memo = prepared.memo
    views: Mapping[str, FittedView] = memo.get("views", memo.get("kept views", {}))
    sparse = next((name for name, fitted in views.items() if isinstance(fitted.X, sp.csr_array)), None)
    if sparse is None or sparse in _built_in(prepared):
        return [name for name in KEPT if name in memo or (name == "views" and views)]
    return ["views"] if views else []


def _built_in(prepared: Prepared) -> set[str]:
    """The views of keysift itself, by name."""
    return {view.name for view in prepared.views if type(view) in (WordView, PieceView, TfidfView, LsaView)}


def _vectors(vectors: object) -> str:
    if isinstance(vectors, WordVectors):
        return vectors.name
    path = Path(str(vectors))
    try:
        return f"{vectors} {path.stat().st_size} {path.stat().st_mtime_ns}" if path.is_file() else str(vectors)
    except OSError:  # too long to be the name of a file
        return str(vectors)


def _pack(prepared: Prepared) -> tuple[Arrays, dict[str, Any]]:
    arrays: Arrays = {}
    names, views = _worth_keeping(prepared), prepared.memo.get("views", prepared.memo.get("kept views", {}))
    kept: dict[str, Any] = {"views": {}, "names": names}
    for name, fitted in views.items():
        if name not in _built_in(prepared):
            continue
        if isinstance(fitted, FittedWeights):
            kept["views"][name] = "weights"
            arrays |= _prefixed(f"view.{name}", _packed_weights(fitted))
        elif isinstance(fitted, FittedMeans):
            kept["views"][name] = "means"
            arrays |= _prefixed(f"view.{name}", _packed_means(fitted))
    if "neighbours" in names:
        arrays |= _prefixed("neighbours", _packed_sparse(prepared.memo["neighbours"].graph))
    if "similar" in names:
        examples, similar = prepared.memo["similar"]
        arrays |= _prefixed("examples", {"idf": examples.weigh.idf, **_packed_sparse(examples.documents)})
        arrays |= _prefixed("similar", {"places": similar.places, "similarity": similar.similarity})
        arrays |= _prefixed("similar", _packed_sparse(similar.rows))
    return arrays, kept


def _unpack(arrays: Arrays, kept: Mapping[str, Any], prepared: Prepared) -> dict[str, Any]:
    """The memo of a prepared corpus."""
    by_name: dict[str, View] = {view.name: view for view in prepared.views}
    words, config = prepared.tokens.words, prepared.config
    views: dict[str, FittedView] = {}
    for name, kind in kept["views"].items():
        own = _own(f"view.{name}", arrays)
        if kind == "weights":
            views[name] = _weights(own, words)
        else:
            view = by_name[name]
            if not isinstance(view, WordView | PieceView):
                raise TypeError(f"{name} has no mean vectors")
            views[name] = _means(own, words, view, prepared.vocabulary())
    memo: dict[str, Any] = {"kept views": views}
    if "neighbours" in kept["names"]:
        memo["neighbours"] = Neighbours(_sparse(_own("neighbours", arrays)), config)
    if "similar" in kept["names"]:
        own, similar = _own("examples", arrays), _own("similar", arrays)
        examples = Examples(
            Tfidf(own["idf"]), _sparse(own), config.neighbours, config.example_words, config.copy_similarity
        )
        memo["similar"] = examples, Similar(_sparse(similar), similar["places"], similar["similarity"])
    memo["from work folder"] = list(kept["names"])
    memo["vocabulary"] = prepared.vocabulary()
    return memo


def _packed_weights(fitted: FittedWeights) -> Arrays:
    X: Arrays = _packed_sparse(fitted.X) if isinstance(fitted.X, sp.csr_array) else {"X": fitted.X}
    directions = {} if fitted.directions is None else {"directions": fitted.directions}
    rest = {"idf": fitted.rows.idf, "kept": fitted.kept, "mean": fitted.mean, "scale": np.array([fitted.scale])}
    return {**X, **directions, **rest}


def _weights(own: Arrays, words: pl.Series) -> FittedWeights:
    X = own["X"] if "X" in own else _sparse(own)
    scale = float(own["scale"][0])
    return FittedWeights(X, words, Tfidf(own["idf"]), own["kept"], own.get("directions"), own["mean"], scale)


def _packed_means(fitted: FittedMeans) -> Arrays:
    assert isinstance(fitted.X, np.ndarray), "mean vectors are dense"
    plain: Arrays = {"X": fitted.X, "average": fitted.average, "mean": fitted.mean, "scale": fitted.scale}
    outside = next(iter(fitted.memo.values()), None)
    arrays: Arrays = {**plain, **_prefixed("words", _packed_factors(fitted.rows.known, fitted.factors))}
    if outside is not None:
        arrays |= _prefixed("outside", _packed_factors(outside[2], outside[3]))
    return arrays


def _means(own: Arrays, words: pl.Series, view: WordView | PieceView, vocabulary: pl.Series) -> FittedMeans:
    known, factors = _factors(_own("words", own), view)
    fitted = FittedMeans(
        own["X"], words, Shares(known), factors, view.look_up, own["average"], own["mean"], own["scale"]
    )
    if outside := _own("outside", own):
        fitted.memo[id(vocabulary)] = (vocabulary, locate(vocabulary, words), *_factors(outside, view))
    return fitted


def _packed_factors(known: np.ndarray[Any, Any], factors: Factors) -> Arrays:
    """Vectors of words as they are; of word pieces only how words are spelled in them."""
    first = factors[0]
    return {"known": known, **(_packed_sparse(first) if isinstance(first, sp.csr_array) else {"matrix": first})}


def _factors(own: Arrays, view: WordView | PieceView) -> tuple[Any, Factors]:
    if isinstance(view, PieceView):
        return own["known"], (_sparse(own), load_pieces().matrix)
    return own["known"], (own["matrix"],)


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
