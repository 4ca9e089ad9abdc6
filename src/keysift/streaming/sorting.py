"""An external sort by score: every row goes to the bucket of its scores, and each bucket fits into memory.

A bucket is a file of blocks, each with its length before it, so that shard after shard can add to it.
"""

import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from keysift.errors import OutputError
from keysift.streaming.scores import EMPTY, ID, OWN, ROW, SCORE, scored_name

BUCKET_BYTES = 32_000_000
"""Rows sorted together."""
PLACE = f"{OWN}place"
"""The row in the whole source, counted from 0."""
LENGTH = 8
"""Bytes of the number before each block."""


def whole_schema(files: Sequence[Path]) -> dict[str, Any]:
    """The columns of all shards, each of a type that holds what every shard has."""
    empty = [pl.DataFrame(schema=pl.read_parquet_schema(file)) for file in files]
    try:
        return dict(pl.concat(empty, how="diagonal_relaxed").schema)
    except pl.exceptions.PolarsError:  # a list here and a number there: all of them as text
        names = dict.fromkeys(name for frame in empty for name in frame.columns)
        kinds = {name: {frame.schema[name] for frame in empty if name in frame.columns} for name in names}
        return {name: kinds[name].pop() if len(kinds[name]) == 1 else pl.String for name in names}


def in_schema(frame: pl.DataFrame, schema: Mapping[str, Any]) -> pl.DataFrame:
    """The same rows with these columns."""
    return frame.select(
        (pl.col(name).cast(kind) if frame.schema[name] != kind else pl.col(name))
        if name in frame.columns
        else pl.lit(None, kind).alias(name)
        for name, kind in schema.items()
    )


def numbered(folder: Path, infos: Sequence[Mapping[str, Any]], schema: Mapping[str, Any]) -> Iterator[pl.DataFrame]:
    """Every scored shard in turn, with the place of each row and, where the source has none, its id."""
    before, within = 0, dict[str, int]()
    for number, info in enumerate(infos):
        frame = pl.read_parquet(folder / scored_name(number))
        if not frame.height:
            continue
        prefix = str(info["prefix"])
        first = within.get(prefix, 0) if prefix else before
        if ID not in frame.columns:
            count = pl.col(ROW) + first + 1
            frame = frame.with_columns((pl.format(f"{prefix}#{{}}", count) if prefix else count).alias(ID))
        within[prefix] = first + frame.height
        yield in_schema(frame, schema).with_columns((pl.col(ROW) + before).alias(PLACE))
        before += frame.height


def edges_of(scores: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    """Scores between buckets, so that so many bytes of rows fall into buckets of about the same size."""
    buckets = max(1, -(-size // BUCKET_BYTES))
    if buckets == 1 or not len(scores):
        return np.empty(0)
    return np.unique(np.quantile(scores, np.arange(1, buckets) / buckets, method="nearest"))


def distribute(frames: Iterator[pl.DataFrame], edges: NDArray[np.float64], folder: Path) -> list[int]:
    """Add every row to the file of its bucket, the best scores to the first; how many rows each has."""
    counts = [0] * (len(edges) + 1)
    for file in folder.glob("bucket-*"):
        file.unlink()
    for frame in frames:
        bucket = len(edges) - np.searchsorted(edges, frame[SCORE].to_numpy(), side="right")
        for number in np.unique(bucket):
            rows = frame.filter(pl.Series(bucket == number))
            counts[number] += rows.height
            block = io.BytesIO()
            rows.write_ipc_stream(block)
            _append(bucket_file(folder, int(number)), block.getbuffer())
    return counts


def bucket_file(folder: Path, number: int) -> Path:
    """The file of a bucket."""
    return folder / f"bucket-{number:06d}"


def sorted_bucket(folder: Path, number: int) -> pl.DataFrame:
    """The rows of a bucket, best first; excluded and then empty documents last, ties in the order of the input."""
    blocks = []
    with bucket_file(folder, number).open("rb") as file:
        while length := file.read(LENGTH):
            blocks.append(pl.read_ipc_stream(io.BytesIO(file.read(int.from_bytes(length, "little")))))
    return pl.concat(blocks).sort([EMPTY, SCORE, PLACE], descending=[False, True, False])


def _append(path: Path, block: memoryview) -> None:
    try:
        with path.open("ab") as file:
            file.write(len(block).to_bytes(LENGTH, "little"))
            file.write(block)
    except OSError as error:
        raise OutputError(
            f"Cannot write {path}: {error.strerror or error}; make room and give the same command again, or choose"
            " another folder with work=."
        ) from error
