"""`keywords`: what each keyword finds, what the others believe of it, and which words might be added."""

from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from keysift.cli.console import counted, note, one_line, output, plain, say, stages
from keysift.cli.options import Input, Keywords, Learning, Quiet, Reading
from keysift.errors import InputError, KeywordError

if TYPE_CHECKING:
    from keysift.classifier import KeywordClassifier, Progress
    from keysift.corpus import Corpus
    from keysift.keywords import KeywordRow

__all__ = ["keywords"]


def keywords(
    source: Input,
    *,
    keywords: Keywords,
    no_learn: Annotated[bool, typer.Option("--no-learn", help="Only count: no belief, no words to add.")] = False,
    reading: Reading,
    learning: Learning,
    quiet: Quiet = False,
) -> None:
    """Show what each keyword finds, whether the others believe in it, and which words might be added."""
    clf = learning.classifier(keywords)
    with stages(quiet) as progress:
        corpus = reading.read(source, progress)
        rows, obstacle = _rows(clf, corpus, no_learn, progress)
    learned = not no_learn and not obstacle
    _show(rows, corpus)
    if learned:
        _show_advice(clf, rows)
    if obstacle:
        note(f"Nothing could be learned, so beliefs and words to add are missing: {obstacle}")
    if not quiet:
        _explain(rows, clf.quality_.basis if learned and clf.quality_ else "")


def _rows(
    clf: "KeywordClassifier", corpus: "Corpus", no_learn: bool, progress: "Progress"
) -> tuple[list["KeywordRow"], str]:
    """The table, and why nothing could be learned."""
    if no_learn:
        return clf.keyword_table(corpus.texts, progress=progress), ""
    try:
        clf.fit(corpus.texts, embeddings=corpus.vectors, progress=progress)
    except (KeywordError, InputError) as error:
        return clf.keyword_table(corpus.texts, progress=progress), str(error)
    return clf.keyword_table(), ""


def _show(rows: list["KeywordRow"], corpus: "Corpus") -> None:
    from keysift.keywords.table import HEADS, NUMBERS

    console = output()
    console.print(f"Keywords in {counted(len(corpus.texts), 'document')}")
    shown = [place for place in range(len(HEADS)) if any(row.cells[place] for row in rows)]
    table = Table(show_lines=True)
    for place in shown:
        table.add_column(HEADS[place], justify="right" if place in NUMBERS else "left")
    for row in rows:
        table.add_row(*(plain(row.cells[place]) for place in shown))
    console.print(table)
    for row in rows:
        console.print(plain(f"{row.keyword}:"), style="bold")
        for document in row.examples:
            line = f"  {corpus.ids[document]}: {one_line(corpus.texts[document]).plain}"
            console.print(plain(line), no_wrap=True, overflow="ellipsis")


def _show_advice(clf: "KeywordClassifier", rows: list["KeywordRow"]) -> None:
    from keysift.keywords.table import to_drop

    console = output()
    words = "; ".join(word.cell for word in clf.suggested_keywords_)
    console.print(plain(f"Words to add: {words or 'none that stands out'}."), soft_wrap=True)
    console.print(plain(f"To drop: {to_drop(rows)}."), soft_wrap=True)


BELIEF = {
    "keywords": "with this keyword hidden and left out",
    "documents": "with the only keyword hidden, by the other half of them, because there is no keyword to leave out",
}


def _explain(rows: list["KeywordRow"], basis: str) -> None:
    say("alone = documents that hold this keyword or a word near it, and none of another keyword's.")
    if basis in BELIEF:
        say(f"belief = how surely its documents are found {BELIEF[basis]}; 0.5 is chance.")
    if basis:
        say("Words to add are so much more frequent in the best documents of the ranking.")
    exclude = "; --exclude drops nearest words that mislead" if any(row.expansions for row in rows) else ""
    say(f"Next: change the keywords, or rank with the same options: keysift rank{exclude}.")
