"""`keywords`: what each keyword finds, whether it fits the others, and which words might be added."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from keysift.cli.console import note, plain, say, stages
from keysift.cli.console import output as results
from keysift.cli.options import Keywords, Learning, Quiet
from keysift.cli.reading import DocumentOptions, Input
from keysift.cli.scale import ScaleOptions, look_at
from keysift.cli.showing import describe_language
from keysift.errors import InputError, KeywordError
from keysift.present.wording import counted

if TYPE_CHECKING:
    from keysift.features.prepared import Prepared, Progress
    from keysift.keywords.table import KeywordTable
    from keysift.present.keyword_facts import KeywordFacts
    from keysift.ranker import KeywordRanker


def keywords(
    source: Input,
    *,
    keywords: Keywords,
    no_learn: Annotated[bool, typer.Option("--no-learn", help="Only count: no agreement, no words to add.")] = False,
    reading: DocumentOptions,
    learning: Learning,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write the table here, as `rank` does.", show_default=False),
    ] = None,
    scale: ScaleOptions,
    quiet: Quiet = False,
) -> None:
    """Show what each keyword finds, whether it fits the others, and which words might be added."""
    from keysift.cli.ranking import check_targets
    from keysift.cli.surveying import counted_in_all, surveyed
    from keysift.keywords.parsing import file_named, spelled_out
    from keysift.present.keyword_facts import keyword_facts, keyword_frame
    from keysift.present.quality_facts import quality_facts

    clf = learning.ranker(keywords)
    check_targets([source, *learning.files(keywords)], output, None, None)
    if no_learn:
        clf.encoder, clf.views = None, "words"  # a keyword is found by its letters
    with look_at(source, reading, scale.scale(), None, None) as look, stages(quiet) as progress:
        if look.plan is None:
            corpus = reading.read(source, progress, spooled=look.spooled)
            prepared = clf.prepare(corpus.texts, embeddings=corpus.vectors, progress=progress)
            rows, obstacle = _rows(clf, prepared, no_learn, progress)
            documents = len(corpus.texts)
        else:
            corpus, prepared, survey, terms, each = surveyed(look, clf, reading, scale.scale(), progress)
            rows, obstacle = _rows(clf, prepared, no_learn, progress)
            rows, documents = counted_in_all(rows, clf, survey, terms, each), survey.documents
    learned = not no_learn and not obstacle
    facts = keyword_facts(
        rows,
        corpus,
        learned=learned,
        suggestions=clf.suggested_keywords_ if learned else (),
        quality=clf.quality_ if learned else None,
    )
    if output:
        from keysift.corpus.writing import write

        write(keyword_frame(rows, corpus), output)
    else:
        _show(facts, documents)
    for sentence in (*facts.to_add, *facts.doubts):
        results().print(plain(str(sentence)), soft_wrap=True)
    if learned and clf.quality_ is not None:
        for doubt in quality_facts(clf.quality_).doubts:
            note(doubt)
    if obstacle:
        note(f"Nothing could be learned, so agreement and words to add are missing: {obstacle}")
    if not quiet:
        describe_language(prepared, learning.language)
        for meaning in facts.columns:
            say(meaning)
        if any(row.expansions for row in rows):
            say("--never-add drops nearest words that mislead.")
        if output:
            say(f"Wrote the table to {output}.")
        asked = keywords if file_named(keywords) else spelled_out(clf.keywords)
        again = f"keysift rank {shlex.quote(source)} -k {shlex.quote(asked)} -o ranking.csv"
        say(f"Next: change the keywords, or rank, with the other options that you gave: {again}")


def _rows(
    clf: "KeywordRanker", prepared: "Prepared", no_learn: bool, progress: "Progress"
) -> tuple["KeywordTable", str]:
    """The table, and why nothing could be learned."""
    if no_learn:
        return clf.keyword_table(prepared, progress=progress), ""
    try:
        if prepared.weights is None:
            clf.fit(prepared, progress=progress)
        else:
            from keysift.streaming.run import learn_sample

            learn_sample(clf, prepared, progress)
    except (KeywordError, InputError) as error:
        return clf.keyword_table(prepared, progress=progress), str(error)
    return clf.keyword_table(), ""


def _show(facts: "KeywordFacts", documents: int) -> None:
    from keysift.cli.tables import terminal_table

    console = results()
    console.print(f"Keywords in {counted(documents, 'document')}")
    console.print(terminal_table(facts.table, show_lines=True))
    for listing in facts.examples:
        console.print(plain(f"{listing.name}:"), style="bold")
        for line in listing.lines:
            console.print(plain(f"  {line}"), no_wrap=True, overflow="ellipsis")
