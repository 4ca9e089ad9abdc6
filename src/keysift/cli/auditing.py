"""`audit start`, `label`, `report` and `apply`: a sample, the judging, what it proves, and a model cut by it."""

import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from keysift.cli.console import note, say, stages
from keysift.cli.options import Quiet
from keysift.cli.reading import Text
from keysift.errors import OutputError
from keysift.files.atomic import check_target, stamp_of
from keysift.present.wording import counted

if TYPE_CHECKING:
    import polars as pl

    from keysift.audit.answers import Audit
    from keysift.audit.sampling import Sample
    from keysift.cli.labelling import Saving
    from keysift.corpus.documents import Corpus

Ranked = Annotated[
    Path,
    typer.Argument(metavar="RANKED", help="The output of `keysift rank` or `score`.", show_default=False),
]
AuditFile = Annotated[
    Path, typer.Argument(metavar="AUDIT", help="The file from `keysift audit start`.", show_default=False)
]

Project = Annotated[
    Path | None,
    typer.Option(
        "--state", help="A project folder: answers of a review and of the audit count in both.", show_default=False
    ),
]

PLACES = ("at the top", "above the cut", "just below it", "far below it")
"""The strata of a sample, in the middle of a sentence."""


def start(
    ranked: Ranked,
    *,
    n: Annotated[int, typer.Option("-n", help="Documents to judge.")] = 100,
    output: Annotated[
        Path,
        typer.Option("--output", "-o", help="Write the sample here (.csv, .xlsx, .tsv, .jsonl).", show_default=False),
    ],
    seed: Annotated[int, typer.Option(help="Another seed, another sample.")] = 0,
    k: Annotated[int, typer.Option("--k", help="The first k are a stratum of their own, for precision at k.")] = 100,
    text: Text = None,
    state: Project = None,
    quiet: Quiet = False,
) -> None:
    """Draw a sample of a ranking to judge: the top, around the cut, and far below it."""
    from keysift.audit.ranked_table import ranking_from
    from keysift.audit.sampling import draw
    from keysift.audit.sheet import sheet_of
    from keysift.corpus.reading import read
    from keysift.corpus.writing import check_output, write

    if check_output(output).suffixes[:1] == [".ris"]:
        raise OutputError(
            f"Cannot write {output}: a sheet for answers needs columns; choose .csv, .xlsx, .tsv or .jsonl."
        )
    if output.exists() and ranked.exists() and output.samefile(ranked):
        raise OutputError(f"Cannot write {output}: it is the ranking, which would be lost; choose another name.")
    with stages(quiet) as progress:
        progress("Reading", 0.0)
        corpus = read(ranked, text=text, id="id")
        ranking = ranking_from(corpus.columns.with_columns(corpus.ids), texts=corpus.texts, source=str(ranked))
        progress("Reading", 1.0)
        sample = draw(ranking, n, seed=seed, k=k)
        fresh, taken = not (output.exists() and _holds_answers(output, sample)), 0
        if fresh:
            sheet = sheet_of(sample)
            if state is not None:
                sheet, taken = _with_project(sheet, corpus, state, output)
            write(sheet, output)
    if quiet:
        return
    if not fresh:
        say(f"{output} is this very sample and holds answers already; it was left as it is.")
    else:
        _describe(sample)
        said = f", {taken:,} of them answered in {state} already" if taken else ""
        say(f"Wrote {counted(len(sample.rows), 'document')} in random order to {output}{said}.")
    audit, project = shlex.quote(str(output)), _option(state)
    say(f"Next: answer y, n or unsure in the column 'answer', or here: keysift audit label {audit}{project}")
    say(f"Then: keysift audit report {shlex.quote(str(ranked))} {audit}{project}")


def label(audit: AuditFile, *, state: Project = None, quiet: Quiet = False) -> None:
    """Judge the documents here, one key each; every answer is saved at once, and you may stop at any time."""
    from keysift.audit.answers import parse_answers
    from keysift.audit.sheet import check_sheet
    from keysift.cli.labelling import Saving, label_all
    from keysift.corpus.reading import read_table
    from keysift.corpus.writing import check_output
    from keysift.files.lock import only_one

    check_output(audit)
    with only_one(audit, "is being labelled"):
        stamp = stamp_of(audit)
        frame, _ = read_table(audit)
        check_sheet(frame, str(audit))
        answers = parse_answers(frame, str(audit))
        saving = Saving(frame, audit, stamp)
        if state is None:
            left = label_all(frame, answers, saving)
        else:
            left = _label_with_project(frame, answers, saving, state)
    if quiet:
        return
    name = f"{shlex.quote(str(audit))}{_option(state)}"
    if left:
        say(f"Saved in {audit}; {counted(left, 'document')} left. Go on with: keysift audit label {name}")
    else:
        say(
            f"All {counted(len(answers), 'document')} answered. Next: keysift audit report RANKED {name}, where RANKED"
            " is the ranking that they were drawn from."
        )


def report(
    ranked: Ranked,
    audit: AuditFile,
    *,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write a page here, too (.html).", show_default=False)
    ] = None,
    k: Annotated[
        int | None, typer.Option("--k", help="For precision at k; by default that of the sample.", show_default=False)
    ] = None,
    state: Project = None,
    quiet: Quiet = False,
) -> None:
    """Say what the answers prove: precision, recall, prevalence, where to cut, and whether you can stop reading."""
    from keysift.audit.measures import measure
    from keysift.cli.audit_table import show_measures

    if output:
        if output.suffix.lower() not in (".html", ".htm"):
            raise OutputError(f"Cannot write the report {output}: its name must end in .html; rename it.")
        check_target(output)
    with stages(quiet) as progress:
        progress("Reading", 0.0)
        judged = _read(ranked, audit, state)
        progress("Reading", 1.0)
        measures = measure(judged, k=k)
        progress("Measuring", 1.0)
        if output:
            from keysift.present.audit import write_audit_report

            write_audit_report(output, judged, measures, source=str(ranked))
    show_measures(measures)
    if quiet:
        return
    if output:
        say(f"Wrote the report to {output}; open it in a browser.")
    given = f"{shlex.quote(str(ranked))} {shlex.quote(str(audit))}"
    say(f"Next, to cut a saved model there: keysift audit apply MODEL {given} -o AUDITED_MODEL")
    cut = f"keysift decide {shlex.quote(str(ranked))} --prior {measures.prior:.3g} -o decided.csv"
    say(f"Or only this ranking, by the same prior: {cut}")


def apply(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="The model that ranked.", show_default=False)],
    ranked: Ranked,
    audit: AuditFile,
    *,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Write the model with the audited cut here.", show_default=False)
    ],
    threshold: Annotated[
        str | None,
        typer.Option(
            help="Cut by prior, max_f1, precision=0.9, recall=0.95, top=100 or a score; by default as in the model.",
            show_default=False,
        ),
    ] = None,
    state: Project = None,
    quiet: Quiet = False,
) -> None:
    """Take prior and threshold of a model from the answers; its ranking stays as it is."""
    import numpy as np

    from keysift.audit.audited import check_made_by
    from keysift.audit.measures import figures_at
    from keysift.decide.cuts import parse_cut
    from keysift.loading import load_as
    from keysift.present.audit import measured_at
    from keysift.present.cut_facts import threshold_origin
    from keysift.ranker import KeywordRanker

    check_target(output)
    if output.exists() and any(path.exists() and output.samefile(path) for path in (ranked, audit)):
        raise OutputError(f"Cannot write {output}: it is an input, which would be lost; choose another name.")
    rule = None if threshold is None else parse_cut(threshold).plain
    clf = load_as(KeywordRanker, model)
    with stages(quiet) as progress:
        progress("Reading", 0.0)
        judged = _read(ranked, audit, state)
        progress("Reading", 1.0)
        check_made_by(judged, clf.model_.fingerprint, np.sort(clf.model_.summary))
        clf.apply_audit(judged, threshold=rule)
        clf.save(output)
    if not quiet:
        say(threshold_origin(clf))
        above = int((judged.ranking.scores > clf.threshold_).sum())
        say(f"{above:,} of {counted(len(judged.ranking), 'document')} of {ranked} are above {clf.threshold_:.3f} now.")
        say(measured_at(figures_at(judged, above)))
        say(f"Wrote the model to {output}. Next: keysift score {shlex.quote(str(output))} DOCUMENTS")


def _option(state: Path | None) -> str:
    return "" if state is None else f" --state {shlex.quote(str(state))}"


def _read(ranked: Path, audit: Path, state: Path | None) -> "Audit":
    import polars as pl

    from keysift.audit.answers import parse_answers, read_answers
    from keysift.audit.ranked_table import ranking_from
    from keysift.audit.sheet import check_sheet
    from keysift.corpus.reading import read_table
    from keysift.review.sheets import share
    from keysift.review.state import State

    frame, _ = read_table(ranked)
    ranking = ranking_from(frame, source=str(ranked))
    sheet, _ = read_table(audit)
    if state is not None:
        check_sheet(sheet, str(audit))
        with State.open(state, new=False) as project:
            shared = share(project, sheet, parse_answers(sheet, str(audit)), str(audit))
        sheet = sheet.with_columns(pl.Series("answer", shared.answers, dtype=pl.String))
    if {"id", "text"} <= set(sheet.columns):  # in the ranking any column may be the text
        # A sheet may have a space before an id that would be a formula.
        texts = dict(sheet.select(pl.col("id").cast(pl.String).str.strip_chars(), pl.col("text")).iter_rows())
        ranking = replace(ranking, texts=pl.Series("text", [texts.get(name.strip()) or "" for name in ranking.ids]))
    return read_answers(sheet, ranking, source=str(audit), ranked=str(ranked))


def _with_project(sheet: "pl.DataFrame", corpus: "Corpus", state: Path, output: Path) -> "tuple[pl.DataFrame, int]":
    """The sheet with the answers that the project has to its documents, and how many these are."""
    import polars as pl

    from keysift.cli.project import corpus_ids
    from keysift.review.fingerprints import fingerprints
    from keysift.review.sheets import share
    from keysift.review.state import State

    with State.open(state) as project:
        project.corpus(fingerprints(corpus.texts), corpus_ids(corpus), corpus.source)
        shared = share(project, sheet, sheet["answer"].to_list(), str(output))
    return sheet.with_columns(pl.Series("answer", shared.answers, dtype=pl.String)), shared.taken


def _label_with_project(frame: "pl.DataFrame", answers: list[str], saving: "Saving", state: Path) -> int:
    from keysift.cli.labelling import label_all
    from keysift.review.sheets import share
    from keysift.review.state import State

    with State.open(state, new=False) as project:
        shared = share(project, frame, answers, str(saving.path))
        if shared.taken:
            say(f"Took over {counted(shared.taken, 'answer')} of the project {state}.")
            saving(shared.answers)

        def save(now: list[str]) -> None:
            saving(now)
            shared.save(now)

        return label_all(frame, shared.answers, save)


def _holds_answers(output: Path, sample: "Sample") -> bool:
    """Whether the file is this sample with answers in it; answers to something else are never overwritten."""
    from keysift.audit.answers import parse_answers
    from keysift.audit.sheet import check_sheet, read_tag
    from keysift.corpus.reading import read_table

    frame, _ = read_table(output)
    try:
        check_sheet(frame, str(output))
    except ValueError:
        raise OutputError(f"Cannot write {output}: it is there already and is no audit; choose another name.") from None
    if not any(parse_answers(frame, str(output))):
        return False
    tags = {tag.sample for tag in map(read_tag, frame["tag"]) if tag is not None}
    if tags != {sample.tag}:
        raise OutputError(
            f"Cannot write {output}: it holds answers to another sample ({', '.join(sorted(tags))}; this one is"
            f" {sample.tag}); choose another name."
        )
    return True


def _describe(sample: "Sample") -> None:
    parts = [
        f"{taken:,} of {size:,} {where}"
        for where, size, taken in zip(PLACES, sample.plan.sizes, sample.plan.taken, strict=True)
        if size
    ]
    ranking = sample.ranking
    say(
        f"Drew from {counted(len(ranking), 'document')}, {ranking.above:,} of them above the cut"
        f" (fingerprint {ranking.fingerprint}, seed {sample.seed}): {'; '.join(parts)}."
    )
    if sample.n > len(sample.rows):
        note(f"There are only {len(sample.rows):,} documents, so all of them are in the sample.")
