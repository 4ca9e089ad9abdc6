"""`keywords`: what each keyword finds, before anything is learned."""

from rich.table import Table
from rich.text import Text

from keysift.cli.console import output as results_console
from keysift.cli.console import say, stages
from keysift.cli.options import Input, Keywords, Learning, Quiet, Reading

__all__ = ["keywords"]


def keywords(source: Input, *, keywords: Keywords, reading: Reading, learning: Learning, quiet: Quiet = False) -> None:
    """Show what each keyword and the words near it find in the documents."""
    clf = learning.classifier(keywords)
    with stages(quiet) as progress:
        progress("Reading", 0.0)
        corpus = reading.read(source)
        progress("Reading", 1.0)
        rows = clf.keyword_table(corpus.texts, progress=progress)
    console = results_console()
    table = Table(title=f"Keywords in {len(corpus.texts):,} documents", title_justify="left", show_lines=True)
    for name in (
        "keyword",
        "weight",
        "documents",
        "share",
        "vector",
        "alone",
        "nearest words: similarity (documents)",
    ):
        table.add_column(name, justify="right" if name in ("weight", "documents", "share", "alone") else "left")
    for row in rows:
        near = (f"{near.word} {near.similarity:.2f} ({near.documents:,})" for near in row.expansions)
        table.add_row(
            Text(row.keyword),
            f"{row.weight:g}",
            f"{row.documents:,}",
            f"{row.share:.2%}",
            "yes" if row.in_vectors else "no",
            f"{row.alone:,}",
            Text(", ".join(near)),
        )
    console.print(table)
    for row in rows:
        console.print(Text(f"{row.keyword}:", style="bold"))
        for document in row.examples:
            text = " ".join(corpus.texts[document][:400].split())
            console.print(Text(f"  {corpus.ids[document]}: {text}"), no_wrap=True, overflow="ellipsis")
    if not quiet:
        say("alone = documents that hold this keyword or a word near it, and none of another keyword's.")
        say(f"Next: keysift rank {source} --keywords … ranks the documents; --exclude drops nearest words.")
