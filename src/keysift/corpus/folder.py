"""A folder of files: one document or many from each, and what cannot be a document is named and left out."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Never

import polars as pl

from keysift.corpus.contents import cannot_read, fetch
from keysift.corpus.decoding import decode, is_binary
from keysift.corpus.suffixes import BINARY, COLLECTIONS, SINGLE, TABLES, kind_of
from keysift.errors import InputError, listed, warn

Readers = Mapping[str, Callable[[bytes, str], pl.DataFrame]]

PICTURES = {"bmp", "gif", "ico", "jpeg", "jpg", "png", "psd", "svg", "tif", "tiff", "webp"}
SOUNDS = {"aac", "avi", "flac", "m4a", "mkv", "mov", "mp3", "mp4", "ogg", "wav", "webm"}
ARCHIVES = {"7z", "bz2", "dmg", "iso", "jar", "rar", "tar", "tgz", "xz", "zip", "zst"}
PROGRAMS = {"class", "db", "dll", "exe", "keysift", "npy", "npz", "onnx", "pickle", "pkl", "pyc", "safetensors", "so"}
OFFICE = {"doc", "docx", "odp", "ods", "odt", "ppt", "pptx", "rtf", "xls"}
NEVER = PICTURES | SOUNDS | ARCHIVES | PROGRAMS | OFFICE
"""Kinds of files that are no documents, or none that keysift reads; they are not even opened."""
MOST = 10
"""Files that a message names."""
PLACE = "__place__"


def read_folder(folder: Path, encoding: str, readers: Readers, max_size: float | None = None) -> pl.DataFrame:
    """The documents of a folder, by the path of their file.

    Of a file that holds many, each has its own id, or else its number, behind the path: `export.ris#12`. Tables are
    read only where there is nothing else: beside documents they are labels or lists.
    """
    names, only_tables = folder_files(folder)
    return read_files(folder, names, encoding, readers, max_size, tables=only_tables, all_of_it=True)


def folder_files(folder: Path) -> tuple[list[str], bool]:
    """The visible files of a folder, by their paths in it, in order; and whether there is nothing but tables."""
    names = sorted(file.relative_to(folder).as_posix() for file in _visible_files(folder))
    kinds = {name: kind_of(name)[0] for name in names}
    some = {name for name in names if kinds[name] not in NEVER}
    return names, some == {name for name in names if is_table(kinds[name])}


def read_files(
    folder: Path,
    names: Sequence[str],
    encoding: str,
    readers: Readers,
    max_size: float | None = None,
    *,
    tables: bool,
    all_of_it: bool = False,
) -> pl.DataFrame:
    """The documents of some files of a folder; tables are read if `tables`, and no document at all is an error."""
    frames: list[pl.DataFrame] = []
    texts: list[tuple[str, str, int]] = []
    left_out: dict[str, str] = {}
    guessed: dict[str, str] = {}
    scans: list[str] = []
    for place, name in enumerate(names):
        kind, path = kind_of(name)[0], folder / name
        source = str(path)
        try:
            if kind in NEVER:
                raise InputError(f"a .{kind} file")
            if is_table(kind) and not tables:
                raise InputError("a table among documents; give it by itself")
            data = fetch(path, source, max_size)
            if kind not in BINARY:
                data = _as_text(data, encoding, name, guessed)
            if is_table(kind) or kind in (*SINGLE, *COLLECTIONS):
                frame = with_ids(readers[kind](data, source), name, single=kind in SINGLE)
                frames.append(frame.with_columns(pl.lit(place).alias(PLACE)))
                if kind == "pdf" and not frame["text"].item().strip():
                    scans.append(name)
            else:
                texts.append((name, data.decode(), place))
        except InputError as error:
            left_out[name] = str(error).removeprefix("Cannot read ").removeprefix(f"{source}: ").rstrip(".")
    _tell(folder, left_out, guessed, empty=all_of_it and not frames and not texts)
    if scans:
        warn(
            f"{folder}: {len(scans):,} .pdf without any text, read as empty: {listed(scans, MOST)}; if they are scans,"
            " recognise their text first."
        )
    if texts or not frames:
        schema = {"id": pl.String, "text": pl.String, PLACE: pl.Int32}
        frames.insert(0, pl.DataFrame(texts, schema=schema, orient="row"))
    return _together(frames).sort(PLACE, maintain_order=True).drop(PLACE)


def is_table(kind: str) -> bool:
    """Whether a kind of file is a table, and neither a document nor a collection of them."""
    return kind in TABLES and kind not in (*SINGLE, *COLLECTIONS, "txt")


def _as_text(data: bytes, encoding: str, name: str, guessed: dict[str, str]) -> bytes:
    if is_binary(data):
        raise InputError("no text")
    decoded = decode(data, encoding)
    if not decoded.sure:
        guessed[name] = decoded.encoding
    return decoded.text.encode()


def with_ids(frame: pl.DataFrame, name: str, *, single: bool = False, first: int = 1) -> pl.DataFrame:
    """The documents of one file with ids: its path, and behind it their own or their number from `first` on."""
    if single:
        frame = pl.DataFrame({"text": [""]}) if frame.is_empty() else frame  # an empty file is an empty document
        return frame.select(pl.lit(name).alias("id"), pl.exclude("id"))
    number = pl.int_range(first, pl.len() + first).cast(pl.String)
    own = pl.coalesce(pl.col("id").cast(pl.String), number) if "id" in frame.columns else number
    return frame.select(pl.concat_str(pl.lit(f"{name}#"), own).alias("id"), pl.exclude("id"))


def _together(frames: list[pl.DataFrame]) -> pl.DataFrame:
    """All rows, with the columns of all; one that is a list in some file is one in all."""
    lists = {name for frame in frames for name, dtype in frame.schema.items() if dtype == pl.List(pl.String)}
    alike = [
        frame.with_columns(
            pl.when(pl.col(name).is_not_null()).then(pl.concat_list(name))
            for name in lists & set(frame.columns)
            if frame.schema[name] == pl.String
        )
        for frame in frames
    ]
    return pl.concat(alike, how="diagonal_relaxed")


def _tell(folder: Path, left_out: dict[str, str], guessed: dict[str, str], *, empty: bool) -> None:
    """One sentence on what was left out, one on what was guessed."""
    if left_out and empty:
        raise InputError(
            f"{folder} contains no documents: {_files(left_out)}; give a folder with texts, pages, mails or references."
        )
    if left_out:
        warn(
            f"{folder}: {_count(left_out)} left out, because no document can be read from {_it(left_out)}:"
            f" {_files(left_out)}."
        )
    if guessed:
        warn(
            f"{folder}: {_count(guessed)} not in the encoding asked for, and read as looked right:"
            f" {_files(guessed)}; if letters look wrong, name it with encoding=."
        )


def _files(reasons: dict[str, str]) -> str:
    named = [f"{name!r} ({reason})" for name, reason in list(reasons.items())[:MOST]]
    rest = f" and {len(reasons) - MOST:,} more" if len(reasons) > MOST else ""
    return ", ".join(named) + rest


def _count(files: dict[str, str]) -> str:
    return "1 file was" if len(files) == 1 else f"{len(files):,} files were"


def _it(files: dict[str, str]) -> str:
    return "it" if len(files) == 1 else "them"


def _visible_files(folder: Path) -> Iterator[Path]:
    def unreadable(error: OSError) -> Never:
        raise cannot_read(str(error.filename), error) from error

    for parent, folders, files in os.walk(folder, onerror=unreadable):
        folders[:] = [name for name in folders if not name.startswith(".")]
        found = (Path(parent) / name for name in files if not name.startswith("."))
        yield from (file for file in found if file.is_file())
