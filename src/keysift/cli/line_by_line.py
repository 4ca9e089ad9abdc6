"""`keysift score MODEL - -o -`: documents in, JSON lines out, a few at a time, as they come."""

import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, BinaryIO

from keysift.cli.reading import DocumentOptions
from keysift.errors import InputError, SettingError

if TYPE_CHECKING:
    import polars as pl

    from keysift.corpus.shards import Shard
    from keysift.ranker import KeywordRanker

BATCH = 1 << 20
"""Bytes that are scored together at most, but for a longer line."""
TABLES = ("csv", "tsv")
KINDS = ("jsonl", "ndjson", "txt", *TABLES)
GZIP = 31
"""The kind of compression, as zlib calls it."""
ZIP = "a spreadsheet (.xlsx) or another .zip"
"""What cannot be told apart by its beginning alone."""


def score_lines(clf: "KeywordRanker", source: str, reading: DocumentOptions, prior: float | None) -> None:
    """Score documents as they come, and print each with its score, decision and chance, in the same order."""
    if prior is not None:
        raise SettingError("--prior cuts anew by all scores, which -o - does not wait for; write to a file with -o.")
    if source != "-":
        raise SettingError(f"-o - is for documents from standard input; write a file with -o, or pipe {source!r} in.")
    from keysift.corpus.writing import as_text

    for frame in _frames(sys.stdin.buffer, reading):
        result = scored_frame(clf, frame, reading)
        sys.stdout.buffer.write(as_text(result, "jsonl"))
        sys.stdout.buffer.flush()


def scored_frame(clf: "KeywordRanker", frame: "pl.DataFrame", reading: DocumentOptions) -> "pl.DataFrame":
    """The rows with score, decision and chance before their own columns."""
    from keysift.corpus.documents import corpus_from
    from keysift.streaming.arrow import score_frame

    corpus = corpus_from(
        frame,
        "standard input",
        text=reading.text,
        id=reading.id,
        vector_column=reading.vector_column,
        remembered=clf.columns_,
    )
    return score_frame(clf, corpus)


def _frames(stream: BinaryIO, reading: DocumentOptions) -> Iterator["pl.DataFrame"]:
    from keysift.corpus.shards import Shard, parse

    shard: Shard | None = None
    held, line = b"", 1
    for chunk in chain(_chunks(stream), [b""]):
        held += chunk
        if shard is None:
            if not held or (chunk and b"\n" not in held):
                continue
            shard, end = _beginning(held, reading)
            line, held = line + held[:end].count(b"\n"), held[end:]
        end = row_end(held, shard.kind in TABLES and shard.quoted) if chunk else len(held)
        data, held = held[:end], held[end:]
        if data.strip():
            yield parse(replace(shard, line=line), data, reading.id)
        line += data.count(b"\n")


def _chunks(stream: BinaryIO) -> Iterator[bytes]:
    """What comes, as it comes; unzipped where it is gzip."""
    from keysift.corpus.contents import GZIP_MAGIC

    read = getattr(stream, "read1", stream.read)
    first = read(BATCH)
    chunks = chain([first], iter(lambda: read(BATCH), b""))
    parts = _unzipped(chunks) if first.startswith(GZIP_MAGIC) else chunks
    return (part for part in parts if part)  # what is empty is the end


def _unzipped(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """No more than `BATCH` bytes at a time, however much a few bytes unzip to."""
    import zlib

    unzip = zlib.decompressobj(GZIP)
    try:
        for chunk in chunks:
            data, held_back = chunk, False
            while data or held_back:
                if unzip.eof:  # another file comes after the first
                    unzip = zlib.decompressobj(GZIP)
                yield (plain := unzip.decompress(data, BATCH))
                data, held_back = unzip.unused_data or unzip.unconsumed_tail, len(plain) == BATCH and not unzip.eof
    except zlib.error as error:
        raise InputError(f"Standard input is damaged gzip ({error}); create or download the file again.") from error
    if not unzip.eof:
        raise InputError("Standard input is gzip that ends too early; create or download the file again.")


def _beginning(data: bytes, reading: DocumentOptions) -> "tuple[Shard, int]":
    """What the first lines tell of the others, and where the documents begin."""
    from keysift.corpus.beginnings import ZIP_MAGIC, binary_kind
    from keysift.corpus.scan import first_row_end
    from keysift.corpus.separated import separator_of
    from keysift.corpus.shards import Shard
    from keysift.corpus.sniffing import sniff

    if begun := ZIP if data.startswith(ZIP_MAGIC) else binary_kind(data):
        raise InputError(f"-o - reads {', '.join(KINDS)} line by line, not {begun}; write to a file with -o.")
    kind = reading.format or sniff(data[: data.rfind(b"\n") + 1] or data, "standard input", reading.no_header)
    if kind not in KINDS:
        raise InputError(f"-o - reads {', '.join(KINDS)} line by line, not {kind}; write to a file with -o.")
    shard = Shard("standard input", "-", kind, quoted=reading.quote != "none")
    if kind not in TABLES:
        return shard, 0
    end = 0 if reading.no_header else first_row_end(data, shard.quoted)
    header = data[:end].decode("utf-8", "replace").rstrip("\r\n")
    return replace(shard, header=header, separator="\t" if kind == "tsv" else separator_of(data)), end


def row_end(data: bytes, quoted: bool) -> int:
    r"""Where the last whole row of some ends; in a table a quoted line break ends none.

    >>> row_end(b'1,a\n2,"b\nc', quoted=True), row_end(b'1,a\n2,"b\nc', quoted=False), row_end(b'"a\n', quoted=True)
    (4, 9, 0)
    """
    end = data.rfind(b"\n") + 1
    odd = quoted and data.count(b'"', 0, end) % 2
    while odd and end:
        before = data.rfind(b"\n", 0, end - 1) + 1
        odd ^= data.count(b'"', before, end) % 2
        end = before
    return end
