"""A source of any size as shards: files, folders, globs and standard input, never all of it in memory."""

import codecs
import glob
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from keysift.corpus.beginnings import binary_kind
from keysift.corpus.columns import Columns
from keysift.corpus.contents import STANDARD_INPUT, cannot_read, check_encoding, printable
from keysift.corpus.cutting import cut_rows
from keysift.corpus.documents import corpus_from
from keysift.corpus.folder import folder_files, is_table
from keysift.corpus.reading import JSON, UNTYPED, is_folder, kind_by_suffix, read_table
from keysift.corpus.separated import SEPARATOR_LINE, quotes_matter, separator_of
from keysift.corpus.shards import FILES, Chosen, Shard, read_shard
from keysift.corpus.sniffing import sniff
from keysift.corpus.spool import HEAD, UTF8, beginning, encoding_of, is_gzip, spool
from keysift.errors import InputError, listed, warn

SHARD_BYTES = 4_000_000
"""Text in a shard; a longer row is a shard of its own."""
SHARD_FILES = 2_000
"""Files of a folder in a shard."""
TRIES = 100
"""Line breaks that are looked at for the end of a row."""
LINES = (*UNTYPED, *JSON, "txt")
"""Kinds of text that are cut between rows."""
MAGIC = "*?["
"""Characters that make a name a pattern."""


@dataclass(frozen=True)
class Plan:
    """The shards of a source, in order, and what tells whether the source is still the same."""

    source: str
    shards: tuple[Shard, ...]
    stamps: tuple[tuple[str, int, int], ...]
    """Name, size and time of change of every file; of standard input a hash."""
    most_documents: int
    """There are no more; a folder's files are one each at least."""
    bytes: int
    """Of text, about."""


def is_pattern(source: str) -> bool:
    """Whether a source names many files by a pattern.

    >>> is_pattern("data/*.parquet"), is_pattern("data.csv")
    (True, False)
    """
    try:
        return any(mark in source for mark in MAGIC) and not Path(source).exists()
    except (OSError, ValueError):
        return False


def scan(source: str, folder: Path, spooled: Path | None = None, **how: Any) -> Plan:
    r"""Find the shards of a source; `how` are the arguments of `read_table`, and `folder` is one for plain copies.

    `spooled` is what came from standard input, if it was read already.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     for name in ("a", "b"):
    ...         _ = (Path(folder) / f"{name}.csv").write_text(f"id,text\n{name},a goal\n")
    ...     plan = scan(f"{folder}/*.csv", Path(folder))
    ...     [read_shard(shard).rows() for shard in plan.shards]
    [[('a', 'a goal')], [('b', 'a goal')]]
    """
    check_encoding(how.get("encoding", "auto"))
    if source == "-":
        return _Scan(STANDARD_INPUT, folder, how).standard_input(spooled)
    if is_pattern(source):
        files = [Path(name) for name in sorted(glob.glob(source, recursive=True))]  # noqa: PTH207, of any folder
        files = [file for file in files if file.is_file()]
        if not files:
            raise InputError(f"No file matches {printable(source)}; check the pattern.")
        return _Scan(printable(source), folder, how).files(files)
    path = Path(source)
    if is_folder(path):
        return _Scan(printable(source), folder, how).folder(path)
    return _Scan(printable(source), folder, how).files([path])


def choose(plan: Plan, *, remembered: Columns | None = None, ignore: Any = (), **named: Any) -> Chosen:
    """Choose the columns by the first shard that has rows; `named` are `text`, `id` and `vector_column`."""
    for shard in plan.shards:
        frame = read_shard(shard, named.get("id"))
        if frame.is_empty():
            continue
        typed = shard.kind not in UNTYPED
        corpus = corpus_from(frame, plan.source, remembered=remembered, ignore=ignore, typed=typed, **named)
        assert corpus.read_from is not None
        return Chosen(plan.source, corpus.read_from.text, corpus.read_from.id, named.get("vector_column"))
    raise InputError(f"{plan.source} contains no documents; give a source with at least one.")


def more_than(plan: Plan, documents: int) -> bool:
    """Whether a source has more documents than so many; counted only where their greatest number leaves it open."""
    if plan.most_documents <= documents:
        return False
    counted = 0
    return any((counted := counted + read_shard(shard).height) > documents for shard in plan.shards)


class _Scan:
    """One look at a source."""

    def __init__(self, source: str, spooled: Path, how: dict[str, Any]) -> None:
        self.source, self.spooled, self.how = source, spooled, how
        self.shards: list[Shard] = []
        self.stamps: list[tuple[str, int, int]] = []
        self.documents = self.bytes = 0
        self.schema: tuple[str, dict[str, Any]] | None = None

    def plan(self) -> Plan:
        return Plan(self.source, tuple(self.shards), tuple(self.stamps), self.documents, self.bytes)

    def standard_input(self, given: Path | None) -> Plan:
        copy = given or self.spooled / "standard-input"
        if given is None:
            spool(None, copy, STANDARD_INPUT, encoding="utf-8", max_size=self.how.get("max_size"))
        with copy.open("rb") as file:  # it has no time of change: its content tells whether it is another
            content = int.from_bytes(hashlib.file_digest(file, "blake2b").digest()[:8])
        self.stamps.append((STANDARD_INPUT, copy.stat().st_size, content))
        self._file(copy, STANDARD_INPUT)
        return self.plan()

    def files(self, files: list[Path]) -> Plan:
        for file in files:
            name = printable(file)
            self._stamp(file, name)
            if file.stat().st_size == 0 and len(files) > 1:
                warn(f"{name} is empty and passed over.")
                continue
            self._file(file, name)
        return self.plan()

    def folder(self, folder: Path) -> Plan:
        if self.how.get("format") is not None:
            given = self.how["format"]
            raise InputError(f"{folder} is a folder, where each file is one document; leave out format={given!r}.")
        names, only_tables = folder_files(folder)
        for name in names:
            self._stamp(folder / name, name)
        if only_tables:
            for name in names:
                if is_table(kind_by_suffix(folder / name)):
                    self._file(folder / name, str(folder / name), prefix=name)
            return self.plan()
        sizes = [size for _, size, _ in self.stamps]
        first, held = 0, 0
        for place, size in enumerate(sizes):
            held += size
            if held >= SHARD_BYTES or place + 1 - first >= SHARD_FILES or place + 1 == len(names):
                encoding = self.how.get("encoding", "auto")
                some = tuple(names[first : place + 1])
                self.shards.append(Shard(self.source, str(folder), FILES, files=some, encoding=encoding))
                first, held = place + 1, 0
        self.documents, self.bytes = len(names), sum(sizes)
        return self.plan()

    def _stamp(self, file: Path, name: str) -> None:
        try:
            state = file.stat()
        except OSError as error:
            raise cannot_read(name, error) from error
        self.stamps.append((name, state.st_size, state.st_mtime_ns))

    def _file(self, file: Path, name: str, prefix: str = "") -> None:
        kind = self.how.get("format") or (None if name == STANDARD_INPUT else kind_by_suffix(file))
        if kind is None:
            head = beginning(file)
            kind = binary_kind(head) or sniff(head, name, self.how.get("no_header", False))
        if kind == "parquet" and not is_gzip(file):
            found = self._parquet(file, name)
        elif kind in LINES:
            found = self._lines(file, name, kind)
        else:
            found = self._whole(file, name, kind)
        self.shards += [replace(shard, prefix=prefix) for shard in found]

    def _parquet(self, file: Path, name: str) -> Iterator[Shard]:
        try:
            rows = pl.scan_parquet(file, glob=False)
            schema = dict(rows.collect_schema())
            height = int(rows.select(pl.len()).collect().item())
            few = rows.head(1_000).collect()
        except pl.exceptions.PolarsError as error:
            first = str(error).partition("\n")[0]
            raise InputError(f"{name}: it cannot be read as parquet ({first:.200}); create it again.") from error
        self._same_schema(name, schema)
        size = max(1, int(few.estimated_size()) // max(1, few.height))
        step = max(1, SHARD_BYTES // size)
        self.documents += height
        self.bytes += size * height
        if not height:
            warn(f"{name} has no rows and is passed over.")
        for start in range(0, height, step):
            yield Shard(name, str(file), "parquet", start, min(start + step, height))

    def _lines(self, file: Path, name: str, kind: str) -> Iterator[Shard]:
        head = beginning(file)
        asked = self.how.get("encoding", "auto")
        encoding = encoding_of(head, asked, name)
        if is_gzip(file) or codecs.lookup(encoding).name not in UTF8:
            copy = self.spooled / f"{len(self.stamps):06d}.{kind}"
            spool(file, copy, name, encoding=encoding, max_size=self.how.get("max_size"))
            file, head = copy, beginning(copy)
        if not head.strip():
            warn(f"{name} is empty and passed over.")
            return
        mark = len(b"\xef\xbb\xbf") if head.startswith(b"\xef\xbb\xbf") else 0
        shard = Shard(name, str(file), kind, mark, strict=asked != "auto")
        if kind in UNTYPED:
            settled = self._table(shard, head[mark:], name)
            if settled is None:  # quotes where they do not belong: only the whole file tells its rows
                yield from self._whole(file, name, kind)
                return
            shard = settled
        for piece in cut_rows(file, SHARD_BYTES, start=shard.start, line=shard.line, quoted=shard.quoted):
            self.bytes += piece.stop - piece.start
            yield replace(shard, start=piece.start, stop=piece.stop, line=piece.line)
        with file.open("rb") as lines:
            self.documents += sum(chunk.count(b"\n") for chunk in iter(lambda: lines.read(HEAD), b"")) + 1

    def _table(self, shard: Shard, head: bytes, name: str) -> Shard | None:
        """The shard with its header, its separator and what a quote means; None where that cannot be told."""
        skipped, separator = 0, "\t" if shard.kind == "tsv" else separator_of(head)
        if shard.kind == "csv" and (told := SEPARATOR_LINE.match(head)):
            separator, skipped = told[1].decode(), told.end()
        blank = len(head) - len(head[skipped:].lstrip(b"\r\n"))
        whole = head[blank:]
        if len(head) >= HEAD:
            whole = whole[: _last_row(whole)]
        quoted = quotes_matter(whole, name, separator, self.how.get("quote", "auto"))
        if quoted is None or b"\n" not in whole:
            return None
        shard = replace(shard, separator=separator, quoted=quoted, start=shard.start + blank)
        if self.how.get("no_header", False):
            columns = tuple(read_shard(replace(shard, stop=shard.start + whole.index(b"\n") + 1)).columns)
            self._same_schema(name, dict.fromkeys(columns, "text"))
            return shard
        end = first_row_end(whole, quoted)
        header = whole[:end].decode("utf-8", "replace").rstrip("\r\n")
        names = read_shard(replace(shard, header=header, stop=shard.start)).columns
        self._same_schema(name, dict.fromkeys(names, "text"))
        lines = head[: blank + end].count(b"\n")
        return replace(shard, header=header, start=shard.start + end, line=1 + lines)

    def _whole(self, file: Path, name: str, kind: str) -> Iterator[Shard]:
        """A file that cannot be read in pieces is read once, and kept as Parquet."""
        frame, _ = read_table(file, **{**self.how, "format": kind})
        copy = self.spooled / f"{len(self.stamps):06d}-whole.parquet"
        frame.write_parquet(copy)
        for shard in self._parquet(copy, name) if frame.height else ():
            yield replace(shard, source=name)

    def _same_schema(self, name: str, schema: dict[str, Any]) -> None:
        if self.schema is None:
            self.schema = (name, schema)
            return
        first, expected = self.schema
        if set(schema) != set(expected):
            more, less = listed(set(schema) - set(expected)), listed(set(expected) - set(schema))
            differs = " and ".join(
                part for part in (f"it has {more} beside" if more else "", f"it lacks {less}" if less else "") if part
            )
            raise InputError(
                f"{name} has other columns than {first}: {differs}; give files with the same columns, or leave it out."
            )
        for column, kind in schema.items():
            if kind != expected[column]:
                raise InputError(
                    f"The column {column!r} of {name} holds {kind}, and in {first} {expected[column]}; give files with"
                    " the same columns, or leave it out."
                )


def _last_row(data: bytes) -> int:
    """The end of the last row that is whole; all of it where that cannot be told."""
    end = len(data)
    for _ in range(TRIES):
        end = data.rfind(b"\n", 0, end)
        if end < 0:
            break
        if data.count(b'"', 0, end) % 2 == 0:
            return end + 1
    return len(data)


def first_row_end(data: bytes, quoted: bool) -> int:
    r"""Where the first row of a table ends.

    >>> first_row_end(b'"a\nb",c\nd', quoted=True)
    8
    """
    end = data.find(b"\n") + 1
    while quoted and data.count(b'"', 0, end) % 2 and (further := data.find(b"\n", end)) >= 0:
        end = further + 1
    return end or len(data)
