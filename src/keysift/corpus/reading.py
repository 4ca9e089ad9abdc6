"""Documents from a table, lines, a folder of files or standard input."""

from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path

import polars as pl

from keysift.corpus import diagnosis
from keysift.corpus.contents import STANDARD_INPUT, as_utf8, cannot_read, check_encoding, fetch
from keysift.corpus.decoding import OPEN
from keysift.corpus.documents import Corpus, corpus_from
from keysift.corpus.folder import read_folder
from keysift.corpus.mail import read_eml, read_mbox
from keysift.corpus.pdf import read_pdf
from keysift.corpus.pubmed import read_pubmed
from keysift.corpus.references import read_medline, read_ris
from keysift.corpus.spreadsheet import read_xlsx
from keysift.corpus.suffixes import BINARY, kind_of
from keysift.corpus.webpage import read_html
from keysift.errors import InputError


def read(
    path: str | Path,
    *,
    text: str | None = None,
    id: str | None = None,
    vector_column: str | None = None,
    encoding: str = "utf-8",
    format: str | None = None,
    ignore: Collection[str] = (),
    sheet: str | None = None,
) -> Corpus:
    r"""Read the documents of a file, a folder of files, or standard input (`-`), gzipped or not.

    `text` and `id` name columns. By default the text is the only text column, and the id is the column `id` or else
    the row number. `vector_column` names a column of lists of numbers (in csv as JSON). `format` is a key of
    `READERS`, for a source whose name does not show it. The columns of `ignore` are never taken for the text. `sheet`
    names a sheet of a spreadsheet.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "news.csv"
    ...     _ = path.write_text('id,year,body\n007,1999,"A goal, late"\n008,2001,Rain\n')
    ...     corpus = read(path)
    >>> corpus.ids.to_list(), corpus.texts.to_list(), corpus.columns.columns
    (['007', '008'], ['A goal, late', 'Rain'], ['year', 'body'])
    """
    frame, typed = read_table(path, encoding=encoding, format=format, sheet=sheet)
    if text is None and "text" in frame.columns:
        text = "text"
    source = STANDARD_INPUT if str(path) == "-" else str(path)
    return corpus_from(frame, source, text=text, id=id, vector_column=vector_column, ignore=ignore, typed=typed)


def read_table(
    path: str | Path, *, encoding: str = "utf-8", format: str | None = None, sheet: str | None = None
) -> tuple[pl.DataFrame, bool]:
    """Read a source as it is, and say whether its columns have types; in csv everything is a string."""
    check_encoding(encoding)
    if format is not None and format not in READERS:
        raise InputError(f"The format {format!r} is unknown; choose one of {', '.join(READERS)} with format=.")
    from_standard_input = str(path) == "-"
    source = STANDARD_INPUT if from_standard_input else str(path)
    file = None if from_standard_input else Path(path)
    if file is not None and _is_folder(file):
        if format is not None:
            raise InputError(f"{source} is a folder, where each file is one document; leave out format={format!r}.")
        return read_folder(file, encoding, READERS), False

    data = fetch(file, source)
    kind = format or ("txt" if file is None else _kind_by_suffix(file))
    if sheet is not None and kind != "xlsx":
        raise InputError(f"{source} has no sheets; leave out sheet={sheet!r}, which is for .xlsx.")
    if kind not in BINARY or (kind in PAGES and encoding not in OPEN):
        data = as_utf8(data, encoding, source)
    if kind == "xlsx":
        return read_xlsx(data, source, sheet), True
    return READERS[kind](data, source), kind not in UNTYPED


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError as error:
        raise cannot_read(str(path), error) from error


def _kind_by_suffix(file: Path) -> str:
    kind, _ = kind_of(file)
    if kind not in READERS:
        raise InputError(
            f"Cannot tell the format of {file}: its name should end in {', '.join(f'.{k}' for k in READERS)}, "
            f"each also with .gz; rename it, or choose one of {', '.join(READERS)} with format=."
        )
    return kind


def _comma_separated(data: bytes, source: str) -> pl.DataFrame:
    """Commas, or the semicolons that spreadsheets write where the comma marks decimals."""
    header = data.partition(b"\n")[0]
    return _separated(data, source, separator=";" if b";" in header and b"," not in header else ",")


def _separated(data: bytes, source: str, *, separator: str) -> pl.DataFrame:
    try:
        frame = pl.read_csv(data, separator=separator, infer_schema=False)
    except pl.exceptions.NoDataError:
        return pl.DataFrame()
    except pl.exceptions.PolarsError as error:
        if fault := diagnosis.csv_fault(data, separator):
            raise InputError(f"{source}: {fault}.") from error
        # A quote inside an unquoted field (5" disk): polars refuses it, the slow way reads it.
        return diagnosis.read_slowly(data, separator)

    # Polars pads a short row and turns a blank line into a row. Both lack separators, and every separator of the
    # file is either between two fields or within one.
    between = frame.width - 1
    missing = (frame.height + 1) * between + _within_fields(frame, separator) - data.count(separator.encode())
    if data.count(b'"') % 2 or missing:
        if fault := diagnosis.csv_fault(data, separator):
            raise InputError(f"{source}: {fault}.")
        frame = frame.filter(~pl.Series(diagnosis.blank_lines(data, separator), dtype=pl.Boolean))
    elif frame.width == 1:
        frame = frame.drop_nulls()  # a blank line; an empty document is written ""
    return frame.fill_null("")


def _within_fields(frame: pl.DataFrame, separator: str) -> int:
    counts = frame.select(pl.all().str.count_matches(separator, literal=True).sum())
    return int(sum(counts.row(0))) + sum(name.count(separator) for name in frame.columns)


def _json_lines(data: bytes, source: str) -> pl.DataFrame:
    if not data or data.isspace():
        return pl.DataFrame()
    try:
        return pl.read_ndjson(data, infer_schema_length=None)
    except pl.exceptions.PolarsError as error:
        fault = diagnosis.jsonl_fault(data)
        raise InputError(
            f"{source}: {fault or _quoted(error, 'JSON lines', 'write one JSON object per line')}."
        ) from error


def _parquet(data: bytes, source: str) -> pl.DataFrame:
    try:
        return pl.read_parquet(data).with_columns(pl.col(pl.Categorical, pl.Enum).cast(pl.String))
    except pl.exceptions.PolarsError as error:
        raise InputError(f"{source}: {_quoted(error, 'parquet', 'create it again')}.") from error


def _lines(data: bytes, source: str) -> pl.DataFrame:
    return pl.read_lines(data, name="text")


def _quoted(error: pl.exceptions.PolarsError, kind: str, remedy: str) -> str:
    first = str(error).partition("\n")[0].rstrip(".:; ")
    return f"it cannot be read as {kind} ({first}); {remedy}, or choose another format with format="


READERS: dict[str, Callable[[bytes, str], pl.DataFrame]] = {
    "csv": _comma_separated,
    "tsv": partial(_separated, separator="\t"),
    "jsonl": _json_lines,
    "ndjson": _json_lines,
    "parquet": _parquet,
    "txt": _lines,
    "xlsx": read_xlsx,
    "ris": read_ris,
    "nbib": read_medline,
    "xml": read_pubmed,
    "html": read_html,
    "htm": read_html,
    "eml": read_eml,
    "mbox": read_mbox,
    "pdf": read_pdf,
}
"""From the bytes of a source and its name to a table, by format."""

UNTYPED = {"csv", "tsv"}
PAGES = {"html", "htm"}
"""They say their encoding, unless the user says another."""
