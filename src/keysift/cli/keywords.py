"""`keywords`: what each keyword finds, before anything is learned."""

from rich.table import Table

from keysift.cli.console import counted, one_line, plain, say, stages
from keysift.cli.console import output as results_console
from keysift.cli.options import Input, Keywords, Learning, Quiet, Reading

__all__ = ["keywords"]


def keywords(source: Input, *, keywords: Keywords, reading: Reading, learning: Learning, quiet: Quiet = False) -> None:
    """Show what each keyword and the words near it find in the documents."""
    clf = learning.classifier(keywords)
    from keysift.keywords.table import HEADS, NUMBERS

    with stages(quiet) as progress:
        corpus = reading.read(source, progress)
        rows = clf.keyword_table(corpus.texts, progress=progress)
    console = results_console()
    console.print(f"Keywords in {counted(len(corpus.texts), 'document')}")
    table = Table(show_lines=True)
    for place, head in enumerate(HEADS):
        table.add_column(head, justify="right" if place in NUMBERS else "left")
    for row in rows:
        table.add_row(*map(plain, row.cells))
    console.print(table)
    for row in rows:
        console.print(plain(f"{row.keyword}:"), style="bold")
        for document in row.examples:
            line = f"  {corpus.ids[document]}: {one_line(corpus.texts[document]).plain}"
            console.print(plain(line), no_wrap=True, overflow="ellipsis")
    if not quiet:
        say("alone = documents that hold this keyword or a word near it, and none of another keyword's.")
        say("Next: keysift rank with the same options ranks the documents; --exclude drops nearest words that mislead.")
