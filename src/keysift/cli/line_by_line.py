"""`keysift score MODEL - -o -`: documents in, JSON lines out, a few at a time, as they come."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, BinaryIO

from keysift.cli.reading import DocumentOptions
from keysift.errors import InputError, SettingError

if TYPE_CHECKING:
    import polars as pl

    from keysift.ranker import KeywordRanker

BATCH = 1 << 20
"""Bytes that are scored together at most, but for a longer line."""
KINDS = ("jsonl", "ndjson", "txt", "csv", "tsv")


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
    from keysift.corpus.scan import first_row_end
    from keysift.corpus.separated import separator_of
    from keysift.corpus.shards import Shard, parse
    from keysift.corpus.sniffing import sniff

    shard: Shard | None = None
    line = 1
    for data in _whole_lines(stream):
        if shard is None:
            kind = reading.format or sniff(data, "standard input", reading.no_header)
            if kind not in KINDS:
                raise InputError(f"-o - reads {', '.join(KINDS)} line by line, not {kind}; write to a file with -o.")
            shard = Shard("standard input", "-", kind, quoted=reading.quote != "none")
            if kind in ("csv", "tsv"):
                separator = "\t" if kind == "tsv" else separator_of(data)
                end = 0 if reading.no_header else first_row_end(data, shard.quoted)
                header = data[:end].decode("utf-8", "replace").rstrip("\r\n")
                shard = Shard(shard.source, "-", kind, header=header, separator=separator, quoted=shard.quoted)
                line, data = line + data[:end].count(b"\n"), data[end:]
        if data.strip():
            yield parse(replace(shard, line=line), data, reading.id)
        line += data.count(b"\n")


def _whole_lines(stream: BinaryIO) -> Iterator[bytes]:
    """What has come so far, up to the end of its last line; a quoted line break ends none."""
    held = b""
    read = getattr(stream, "read1", stream.read)
    while chunk := read(BATCH):
        held += chunk
        end = held.rfind(b"\n") + 1
        if end:
            yield held[:end]
            held = held[end:]
    if held:
        yield held
