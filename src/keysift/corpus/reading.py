"""Documents from a table, lines, a folder of files or standard input."""

from collections.abc import Callable, Collection, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from keysift.corpus.beginnings import binary_kind, textual_kind
from keysift.corpus.columns import Columns, text_columns
from keysift.corpus.contents import STANDARD_INPUT, as_utf8, cannot_read, check_encoding, fetch, printable
from keysift.corpus.decoding import OPEN
from keysift.corpus.detection import AUTO
from keysift.corpus.documents import Corpus, corpus_from
from keysift.corpus.folder import read_folder
from keysift.corpus.json_lines import read_json_lines
from keysift.corpus.mail import read_eml, read_mbox
from keysift.corpus.medline import read_medline
from keysift.corpus.parquet import read_parquet
from keysift.corpus.pdf import read_pdf
from keysift.corpus.pubmed import read_pubmed
from keysift.corpus.references import read_ris
from keysift.corpus.separated import read_comma_separated, read_separated
from keysift.corpus.sniffing import sniff
from keysift.corpus.spreadsheet import read_xlsx
from keysift.corpus.suffixes import BINARY, kind_of
from keysift.corpus.webpage import read_html
from keysift.errors import InputError


def read(
    path: str | Path,
    *,
    text: str | Sequence[str] | None = None,
    id: str | None = None,
    vector_column: str | None = None,
    encoding: str = AUTO,
    format: str | None = None,
    no_header: bool = False,
    quote: str = "auto",
    max_size: float | None = None,
    ignore: Collection[str] = (),
    remembered: Columns | None = None,
    sheet: str | None = None,
    spooled: Path | None = None,
) -> Corpus:
    r"""Read the documents of a file, a folder of files, or standard input (`-`), gzipped or not.

    `text` and `id` name columns; the text may be in several, "title,abstract". By default the text is the only text
    column, or the one with a well-known name (text, body, abstract, …), and the id is the column `id` or else the row
    number; or they are those of `remembered`, if the source has them. `vector_column` names a column of lists of
    numbers (in csv as JSON). `format` is a key of `READERS`, for a source whose name does not show it. A csv without
    names in its first row is read with `no_header`; `quote` is "none" where a quote is a letter like any other.
    `max_size` is how much may be read or unzipped, in gigabytes. The columns of `ignore` are never taken for the text.
    `sheet` names a sheet of a spreadsheet. `spooled` is a file with what came from standard input.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "news.csv"
    ...     _ = path.write_text('id,year,body\n007,1999,"A goal, late"\n008,2001,Rain\n')
    ...     corpus = read(path)
    >>> corpus.ids.to_list(), corpus.texts.to_list(), corpus.columns.columns
    (['007', '008'], ['A goal, late', 'Rain'], ['year', 'body'])
    """
    frame, typed = read_table(
        path,
        encoding=encoding,
        format=format,
        no_header=no_header,
        quote=quote,
        max_size=max_size,
        id=id,
        sheet=sheet,
        spooled=spooled,
    )
    source = STANDARD_INPUT if str(path) == "-" else printable(path)
    return corpus_from(
        frame,
        source,
        text=text,
        id=id,
        vector_column=vector_column,
        ignore=ignore,
        remembered=remembered,
        typed=typed,
    )


def read_table(
    path: str | Path,
    *,
    encoding: str = AUTO,
    format: str | None = None,
    no_header: bool = False,
    quote: str = "auto",
    max_size: float | None = None,
    id: str | None = None,
    sheet: str | None = None,
    spooled: Path | None = None,
) -> tuple[pl.DataFrame, bool]:
    """Read a source as it is, and say whether its columns have types; in csv everything is a string.

    The other arguments are those of `read`.
    """
    check_encoding(encoding)
    if format is not None and format not in READERS:
        raise InputError(f"The format {format!r} is unknown; choose one of {', '.join(READERS)} with format=.")
    from_standard_input = str(path) == "-"
    source = STANDARD_INPUT if from_standard_input else printable(path)
    file = None if from_standard_input else Path(path)
    if file is not None and is_folder(file):
        if format is not None:
            raise InputError(f"{source} is a folder, where each file is one document; leave out format={format!r}.")
        return read_folder(file, encoding, READERS, max_size), False

    data = fetch(spooled or file, source, max_size)
    kind = format or (None if file is None else kind_by_suffix(file))
    if kind is None:
        kind = binary_kind(data) or _kind_of_own_encoding(data, source, no_header)
    if sheet is not None and kind != "xlsx":
        raise InputError(f"{source} has no sheets; leave out sheet={sheet!r}, which is for .xlsx.")
    if kind not in BINARY or (kind in PAGES and encoding not in OPEN):
        data = as_utf8(data, encoding, source)
        kind = kind or sniff(data, source, no_header)
    return READERS[kind](data, source, **_how(kind, source, no_header, quote, id, sheet)), kind not in UNTYPED


def found_again(frame: pl.DataFrame, columns: Columns | None, path: str | Path) -> bool:
    """Whether the text of a ranking would be found without its name, once it is written to `path`.

    >>> ranked = pl.DataFrame({"rank": [1], "score": [0.5], "decision": [1], "evidence": [""], "a": ["x"], "b": ["y"]})
    >>> before = Columns(("b",), None)
    >>> found_again(ranked, before, "r.csv"), found_again(ranked.drop("a"), before, "r.csv")
    (False, True)
    """
    odd = [name for name, kind in frame.schema.items() if not kind.is_numeric() and kind != pl.String]
    plain = frame.with_columns(pl.lit("[]").alias(name) for name in odd)  # in csv they are strings
    try:
        found = text_columns(plain, "", None, not_text={"id"}, typed=kind_of(path)[0] not in UNTYPED)
    except InputError:
        return False
    return columns is not None and found == columns.text


def _how(kind: str, source: str, no_header: bool, quote: str, id: str | None, sheet: str | None) -> dict[str, Any]:
    """The arguments of the reader of one kind."""
    if kind in UNTYPED:
        return {"no_header": no_header, "quote": quote}
    if no_header or quote != "auto":
        given = "no_header=" if no_header else "quote="
        raise InputError(f"{source} is read as {kind}, which has no header and no quotes; leave out {given}.")
    return {"id": id} if kind in JSON else {"sheet": sheet} if kind == "xlsx" else {}


def is_folder(path: Path) -> bool:
    """Whether a path is a folder; an error says why that cannot be told."""
    try:
        return path.is_dir()
    except OSError as error:
        raise cannot_read(printable(path), error) from error
    except ValueError:
        return False  # a NUL in the name; to read it says so


def kind_by_suffix(file: Path) -> str:
    """The kind of a file that its name shows."""
    kind, _ = kind_of(file)
    if kind not in READERS:
        raise InputError(
            f"Cannot tell the format of {printable(file)}: its name should end in"
            f" {', '.join(f'.{k}' for k in READERS)}, each also with .gz; rename it,"
            f" or choose one of {', '.join(READERS)} with format=."
        )
    return kind


def _kind_of_own_encoding(data: bytes, source: str, no_header: bool) -> str | None:
    """Mails and pages, which say their encoding themselves and must not be decoded before."""
    return sniff(data, source) if not no_header and textual_kind(data) in BINARY else None


def _lines(data: bytes, source: str) -> pl.DataFrame:
    return pl.read_lines(data, name="text")


READERS: dict[str, Callable[..., pl.DataFrame]] = {
    "csv": read_comma_separated,
    "tsv": partial(read_separated, separator="\t"),
    "jsonl": read_json_lines,
    "ndjson": read_json_lines,
    "parquet": read_parquet,
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
"""From the bytes of a source and its name to a table, by format; `_how` says which other arguments some take."""

UNTYPED = {"csv", "tsv"}
JSON = {"jsonl", "ndjson"}
PAGES = {"html", "htm"}
"""They say their encoding, unless the user says another."""
