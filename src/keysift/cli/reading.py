"""How documents are read: the options of every command that reads some."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from keysift.cli.console import note

if TYPE_CHECKING:
    import polars as pl

    from keysift.corpus.columns import Columns
    from keysift.corpus.documents import Corpus
    from keysift.features.prepared import Progress

Input = Annotated[
    str,
    typer.Argument(
        metavar="INPUT",
        help="Documents: .csv, .tsv, .xlsx, .jsonl, .parquet, .txt (one a line), .ris, .nbib, PubMed .xml, .html, .eml,"
        " .mbox, .pdf, each also .gz, a folder of them, 'data/*.csv', or - .",
        show_default=False,
    ),
]
Text = Annotated[
    list[str] | None,
    typer.Option(help="Column of the texts; several are joined: title,abstract.", metavar="<str>", show_default=False),
]


@dataclass(frozen=True)
class DocumentOptions:
    """How to read the documents."""

    text: Text = None
    id: Annotated[str | None, typer.Option(help="Column of the ids.", show_default=False)] = None
    encoding: Annotated[
        str, typer.Option(help="Encoding of the file: auto, or utf-8, cp1252, …", rich_help_panel="Reading")
    ] = "auto"
    format: Annotated[
        str | None,
        typer.Option(
            help="csv, tsv, jsonl, parquet, txt, xlsx, ris, …, where the name does not tell.",
            rich_help_panel="Reading",
            show_default=False,
        ),
    ] = None
    no_header: Annotated[
        bool,
        typer.Option(
            "--no-header", help="The first row is a document; columns are column_1, …", rich_help_panel="Reading"
        ),
    ] = False
    quote: Annotated[
        str,
        typer.Option(help="In csv and tsv: double, none (a quote is a letter), or auto.", rich_help_panel="Reading"),
    ] = "auto"
    max_size: Annotated[
        float | None,
        typer.Option(help="The most to read or unzip, in GB.", rich_help_panel="Reading", show_default=False),
    ] = None
    sheet: Annotated[
        str | None,
        typer.Option(help="Sheet of an .xlsx; by default the first.", rich_help_panel="Reading", show_default=False),
    ] = None
    vector_column: Annotated[
        str | None,
        typer.Option(
            help="Column with a sentence vector for each text: lists, in csv as JSON.",
            rich_help_panel="Reading",
            show_default=False,
        ),
    ] = None

    def read(
        self,
        source: str,
        progress: "Progress",
        ignore: tuple[str, ...] = (),
        remembered: "Columns | None" = None,
        spooled: "Path | None" = None,
    ) -> "Corpus":
        """Read the documents of a source, from the columns that a model remembers if none are named."""
        from keysift.corpus.reading import read

        progress("Reading", 0.0)
        corpus = read(
            source,
            text=self.text,
            id=self.id,
            vector_column=self.vector_column,
            **self.how(),
            ignore=ignore,
            remembered=remembered,
            spooled=spooled,
        )
        progress("Reading", 1.0)
        if (double := corpus.ids.filter(corpus.ids.is_duplicated())).len():
            note(
                f"The ids of {source} are not all different ({double[0]!r} is there more than once): a ranking by them"
                " cannot be compared with another."
            )
        return corpus

    def table(self, source: str) -> "pl.DataFrame":
        """Read a source as it is."""
        from keysift.corpus.reading import read_table

        return read_table(source, **self.how(), id=self.id)[0]

    def columns(self) -> dict[str, Any]:
        """The options that say which columns are read."""
        return {"text": self.text, "id": self.id, "vector_column": self.vector_column}

    def how(self) -> dict[str, Any]:
        """The options that say how to read, and not what."""
        return {name: getattr(self, name) for name in ("encoding", "format", "no_header", "quote", "max_size", "sheet")}
