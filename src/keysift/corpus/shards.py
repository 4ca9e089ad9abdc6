"""A shard: some whole rows of a source, small enough for the memory of any machine, and how to read them.

A shard is a few numbers and names that JSON can hold, so it can be sent to another process or machine, which reads it.
"""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from keysift.corpus.contents import cannot_read
from keysift.corpus.detection import mended
from keysift.corpus.documents import Corpus, corpus_from
from keysift.corpus.folder import read_files, with_ids
from keysift.corpus.json_lines import read_json_lines
from keysift.corpus.reading import READERS, UNTYPED
from keysift.corpus.separated import read_separated
from keysift.errors import InputError, listed, warn

FILES = "files"
"""The kind of a shard that is some files of a folder."""
LINE = re.compile(r"\bline (\d[\d,]*)")
"""Where a message names a line."""


@dataclass(frozen=True)
class Shard:
    """Rows of one file from `start` to `stop`: bytes of text, rows of Parquet; or some files of a folder."""

    source: str
    """The name that messages show."""
    path: str
    kind: str
    start: int = 0
    stop: int = 0
    line: int = 1
    """In which the rows begin."""
    header: str = ""
    """The first row of the file, where it names columns."""
    separator: str = ""
    quoted: bool = False
    strict: bool = False
    """Whether bytes that are no UTF-8 are an error; else they are replaced, and it is said."""
    prefix: str = ""
    """Before each id, where the source is a folder of tables."""
    files: tuple[str, ...] = ()
    """Of the folder `path`."""
    encoding: str = "auto"
    """Of these files."""

    def plain(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return asdict(self)

    @classmethod
    def restore(cls, plain: Mapping[str, Any]) -> "Shard":
        """From what `plain` gave."""
        return cls(**{**plain, "files": tuple(plain["files"])})


@dataclass(frozen=True)
class Chosen:
    """Which columns of a source hold what, chosen once for all shards."""

    source: str
    text: tuple[str, ...]
    id: str | None
    vector_column: str | None = None

    def plain(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return asdict(self)

    @classmethod
    def restore(cls, plain: Mapping[str, Any]) -> "Chosen":
        """From what `plain` gave."""
        return cls(**{**plain, "text": tuple(plain["text"])})


def read_shard(shard: Shard, id: str | None = None) -> pl.DataFrame:
    """The rows of a shard as they are; numbers in the column `id` of JSON lines are kept exactly."""
    try:
        if shard.kind == "parquet":
            rows = pl.scan_parquet(shard.path, glob=False).slice(shard.start, shard.stop - shard.start)
            return rows.collect().with_columns(pl.col(pl.Categorical, pl.Enum).cast(pl.String))
        if shard.kind == FILES:
            return read_files(Path(shard.path), shard.files, shard.encoding, READERS, tables=False)
        with Path(shard.path).open("rb") as file:
            file.seek(shard.start)
            data = file.read(shard.stop - shard.start)
    except OSError as error:
        raise cannot_read(shard.source, error) from error
    except pl.exceptions.PolarsError as error:
        raise InputError(
            f"{shard.source}: it cannot be read as parquet ({str(error).partition(chr(10))[0]:.200}); create it again."
        ) from error
    return parse(shard, data, id)


def parse(shard: Shard, data: bytes, id: str | None = None) -> pl.DataFrame:
    r"""The rows that these bytes of a shard hold; a message names the line in the whole file.

    >>> parse(Shard("a.csv", "a.csv", "csv", header="id,text", separator=",", line=2), b"1,a goal\n").rows()
    [('1', 'a goal')]
    """
    data = _valid(data, shard)
    try:
        if shard.kind in UNTYPED:
            named = bool(shard.header)
            whole = f"{shard.header}\n".encode() + data if named else data
            quote = "double" if shard.quoted else "none"
            return read_separated(whole, shard.source, separator=shard.separator, no_header=not named, quote=quote)
        if shard.kind == "txt":
            return pl.read_lines(data, name="text")
        return read_json_lines(data, shard.source, id=id)
    except InputError as error:
        before = shard.line - 1 - bool(shard.header)
        raise InputError(
            LINE.sub(lambda found: f"line {int(found[1].replace(',', '')) + before:,}", str(error))
        ) from None


def read_documents(shard: Shard, chosen: Chosen) -> Corpus | None:
    """The documents of a shard; None where it holds none. Ids that the source does not have are numbered from 1."""
    frame = read_shard(shard, chosen.id)
    if frame.is_empty():
        return None
    missing = [name for name in (*chosen.text, chosen.id) if name is not None and name not in frame.columns]
    if any(name in missing for name in chosen.text) and shard.kind not in (FILES, "jsonl", "ndjson"):
        raise InputError(
            f"{shard.source} has no column {listed(missing)}, which other files have; the columns are"
            f" {listed(frame.columns)}; give files with the same columns."
        )
    frame = frame.with_columns(pl.lit(None, pl.String).alias(name) for name in missing)
    empty = [name for name in chosen.text if frame.schema[name] == pl.Null]
    frame = frame.with_columns(pl.col(name).cast(pl.String) for name in empty)
    corpus = corpus_from(
        frame,
        shard.source,
        text=chosen.text,
        id=chosen.id,
        vector_column=chosen.vector_column,
        typed=shard.kind not in UNTYPED,
    )
    if not shard.prefix:
        return corpus
    return replace(corpus, ids=with_ids(corpus.ids.to_frame(), shard.prefix)["id"])


def _valid(data: bytes, shard: Shard) -> bytes:
    try:
        data.decode()
    except UnicodeDecodeError as error:
        line = shard.line + data.count(b"\n", 0, error.start)
        where = f"{shard.source}: line {line:,}: bytes that are no UTF-8"
        if shard.strict:
            raise InputError(f"{where}; name the encoding of the file with encoding=.") from None
        warn(f"{where} were replaced by \ufffd; or name the encoding of the file with encoding=.")
        return mended(data)
    return data
