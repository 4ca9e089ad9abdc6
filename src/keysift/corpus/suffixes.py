"""What the name of a file says about its content."""

from pathlib import Path

TABLES: tuple[str, ...] = ("csv", "tsv", "jsonl", "ndjson", "parquet", "txt", "xlsx")
TABLES += ("ris", "nbib", "xml", "html", "htm", "eml", "mbox", "pdf")
"""The kinds of files that documents are read from; `READERS` in `reading` has a function for each."""
SINGLE = ("html", "htm", "eml", "pdf")
"""Kinds that are one document; in a folder a text file is one, too."""
COLLECTIONS = ("ris", "nbib", "xml", "mbox")
"""Kinds that hold many documents, each with the same columns wherever it is from."""
BINARY = ("parquet", "xlsx", "xml", "html", "htm", "eml", "mbox", "pdf")
"""Kinds that are no text, or that say their encoding themselves."""


def kind_of(path: str | Path) -> tuple[str, bool]:
    """Return the kind of file, in lower case and without its dot, and whether it is gzipped.

    >>> kind_of("News.CSV"), kind_of("news.jsonl.gz"), kind_of("news")
    (('csv', False), ('jsonl', True), ('', False))
    """
    name = Path(path).name.lower()
    return Path(name.removesuffix(".gz")).suffix.removeprefix("."), name.endswith(".gz")
