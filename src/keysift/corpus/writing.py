"""Write rankings to a file, in the format of its suffix."""

import gzip
import io
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import chain, count
from pathlib import Path
from typing import Literal

import polars as pl

from keysift.corpus.references import as_ris
from keysift.corpus.spreadsheet import write_xlsx
from keysift.corpus.suffixes import kind_of
from keysift.errors import OutputError, listed
from keysift.files.atomic import check_target, written_whole

Compression = Literal["gzip", "uncompressed"]


def check_output(path: str | Path) -> Path:
    """Return `path`, or raise an error before any work starts if no result can be written there.

    >>> check_output("ranking.csv").name
    'ranking.csv'
    >>> check_output("ranking.doc")
    Traceback (most recent call last):
    ...
    keysift.errors.OutputError: Cannot write ranking.doc: its name must end in .csv, ...
    """
    kind, zipped = kind_of(path)
    if kind not in WRITERS or (zipped and kind not in TEXTUAL):
        allowed = chain((f".{kind}" for kind in WRITERS), (f".{kind}.gz" for kind in TEXTUAL))
        raise OutputError(f"Cannot write {path}: its name must end in {', '.join(allowed)}; rename it.")
    return check_target(path)


def check_columns(frame: pl.DataFrame, path: str | Path) -> None:
    """Raise an error if the format of `path` cannot hold one of the columns.

    >>> check_columns(pl.DataFrame({"page": [b"a"]}), "ranking.parquet")
    """
    if kind_of(path)[0] in TEXTUAL:
        _refuse_bytes(frame)


def with_other_columns(results: pl.DataFrame, others: pl.DataFrame) -> pl.DataFrame:
    """Put the other columns next to the results; a column whose name is taken is renamed, not lost.

    >>> others = pl.DataFrame({"text": ["a goal"], "score": [3]})
    >>> with_other_columns(pl.DataFrame({"score": [0.5]}), others).columns
    ['score', 'text', 'score_input']
    """
    taken = {*results.columns, *others.columns}
    names = {}
    for name in others.columns:
        if name in results.columns:
            names[name] = next(new for new in _input_names(name) if new not in taken)
            taken.add(names[name])
    return results.hstack(others.rename(names))


def write(frame: pl.DataFrame, path: str | Path) -> None:
    r"""Write a table by the suffix of `path`, whole or not at all.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "ranking.csv"
    ...     write(pl.DataFrame({"score": [0.5], "evidence": [["goal", "match"]]}), path)
    ...     path.read_text()
    'score,evidence\n0.5,"[""goal"",""match""]"\n'
    """
    path = check_output(path)
    kind, zipped = kind_of(path)
    try:
        with written_whole(path) as part:
            WRITERS[kind](frame, part, "gzip" if zipped else "uncompressed")
    except pl.exceptions.PolarsError as error:
        first = str(error).partition("\n")[0].rstrip(".")
        raise OutputError(f"Cannot write {path}: {first}; choose another place or suffix.") from error


def write_pieces(pieces: Sequence[Path], path: str | Path) -> None:
    """Write the rows of some Parquet files to one file by its suffix, one piece after the other in memory."""
    path = check_output(path)
    kind, zipped = kind_of(path)
    try:
        with written_whole(path) as part:
            if kind == "parquet":
                pl.scan_parquet(list(pieces), glob=False).sink_parquet(part)
                return
            frames = map(pl.read_parquet, pieces)
            if kind == "xlsx":
                write_xlsx(map(_textual, frames), part)
                return
            with gzip.open(part, "wb") if zipped else part.open("wb") as file:
                for number, frame in enumerate(frames):
                    file.write(as_text(frame, kind, header=number == 0))
    except pl.exceptions.PolarsError as error:
        first = str(error).partition("\n")[0].rstrip(".")
        raise OutputError(f"Cannot write {path}: {first}; choose another place or suffix.") from error


def as_text(frame: pl.DataFrame, kind: str, *, header: bool = True) -> bytes:
    r"""The rows of a table as they are written to .csv, .tsv, .jsonl or .ris; without `header` to follow other rows.

    >>> as_text(pl.DataFrame({"score": [0.5]}), "csv", header=False), as_text(pl.DataFrame({"score": [0.5]}), "jsonl")
    (b'0.5\n', b'{"score":0.5}\n')
    """
    _refuse_bytes(frame)
    buffer = io.BytesIO()
    if kind == "ris":
        buffer.writelines(f"{record}\n".encode() for record in as_ris(frame))
    elif kind in ("jsonl", "ndjson"):
        frame.write_ndjson(buffer)
    else:
        _textual(frame).write_csv(buffer, separator="\t" if kind == "tsv" else ",", include_header=header)
    return buffer.getvalue()


def _input_names(name: str) -> Iterable[str]:
    return chain([f"{name}_input"], (f"{name}_input{number}" for number in count(2)))


def _separated(frame: pl.DataFrame, part: Path, compression: Compression, *, separator: str) -> None:
    frame = _textual(frame)
    if frame.width == 1:
        # A null alone in its row would be a blank line, which readers skip.
        frame = frame.select(pl.all().cast(pl.String).fill_null(""))
    with part.open("wb") as file:  # polars takes no name that is not UTF-8
        frame.write_csv(file, separator=separator, compression=compression, check_extension=False)


def _json_lines(frame: pl.DataFrame, part: Path, compression: Compression) -> None:
    _refuse_bytes(frame)
    with part.open("wb") as file:
        frame.write_ndjson(file, compression=compression, check_extension=False)


def _parquet(frame: pl.DataFrame, part: Path, compression: Compression) -> None:
    with part.open("wb") as file:
        frame.write_parquet(file)


def _spreadsheet(frame: pl.DataFrame, part: Path, compression: Compression) -> None:
    write_xlsx([_textual(frame)], part)


def _references(frame: pl.DataFrame, part: Path, compression: Compression) -> None:
    with gzip.open(part, "wb") if compression == "gzip" else part.open("wb") as file:
        file.write(as_text(frame, "ris"))


def _textual(frame: pl.DataFrame) -> pl.DataFrame:
    """The same table with a text for each value that is none."""
    _refuse_bytes(frame)
    return frame.with_columns(_flat(frame[name]) for name in frame.columns)


def _flat(column: pl.Series) -> pl.Series:
    if isinstance(column.dtype, pl.Duration):
        return column.dt.to_string("iso")
    if not column.dtype.is_nested():
        return column
    # Polars makes JSON of structs only: wrap each value in {"v":...}, and cut that off again.
    wrapped = pl.DataFrame({"v": column}).to_struct(column.name).struct.json_encode()
    json = wrapped.str.slice(len('{"v":')).str.head(-len("}"))
    return json.set(column.is_null(), None)


def _refuse_bytes(frame: pl.DataFrame) -> None:
    if names := [name for name, dtype in frame.schema.items() if _holds_bytes(dtype)]:
        raise OutputError(
            f"Cannot write the columns {listed(names)} as text: they contain bytes; choose .parquet, or leave them out."
        )


def _holds_bytes(dtype: object) -> bool:
    match dtype:
        case pl.Binary():
            return True
        case pl.List() | pl.Array():
            return _holds_bytes(dtype.inner)
        case pl.Struct():
            return any(_holds_bytes(field.dtype) for field in dtype.fields)
        case _:
            return False


WRITERS: dict[str, Callable[[pl.DataFrame, Path, Compression], None]] = {
    "csv": partial(_separated, separator=","),
    "tsv": partial(_separated, separator="\t"),
    "jsonl": _json_lines,
    "ndjson": _json_lines,
    "parquet": _parquet,
    "xlsx": _spreadsheet,
    "ris": _references,
}
"""From a table to a file, by suffix."""

TEXTUAL = [kind for kind in WRITERS if kind not in ("parquet", "xlsx")]
