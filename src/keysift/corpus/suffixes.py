"""What the name of a file says about its content."""

from pathlib import Path

TABLES = ("csv", "tsv", "jsonl", "ndjson", "parquet", "txt")
"""The kinds of files that documents are read from; `READERS` in `reading` has a function for each."""


def kind_of(path: str | Path) -> tuple[str, bool]:
    """Return the kind of file, in lower case and without its dot, and whether it is gzipped.

    >>> kind_of("News.CSV"), kind_of("news.jsonl.gz"), kind_of("news")
    (('csv', False), ('jsonl', True), ('', False))
    """
    name = Path(path).name.lower()
    return Path(name.removesuffix(".gz")).suffix.removeprefix("."), name.endswith(".gz")
