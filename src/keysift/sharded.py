"""Files of any size, shard by shard: learn from a sample of them, rank all of them, write.

What `keysift rank`, `fit` and `score` do above the sample, and `fit_files` and `rank_files` of the classifier.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from keysift.corpus.columns import Columns, joined
from keysift.corpus.documents import Corpus
from keysift.corpus.reading import found_again
from keysift.corpus.scan import Plan, choose, more_than, scan
from keysift.corpus.shards import Chosen
from keysift.corpus.spreadsheet import MOST_ROWS
from keysift.corpus.suffixes import kind_of
from keysift.corpus.writing import check_output, with_other_columns, write_pieces
from keysift.decide.decisions import Decisions
from keysift.errors import OutputError, SettingError, shortened
from keysift.features.prepared import Prepared, Progress
from keysift.files.scratch import scratch_folder
from keysift.loading import load_as
from keysift.present.doubts import doubts_of
from keysift.present.quality_facts import quality_facts
from keysift.present.wording import counted
from keysift.ranker import KeywordRanker
from keysift.settings import Settings
from keysift.streaming.dataset import check_dataset, write_dataset
from keysift.streaming.excerpt import Excerpt, excerpt_of
from keysift.streaming.gathered import Gathered
from keysift.streaming.ledger import finish, finished, open_ledger
from keysift.streaming.run import (
    MODEL,
    Stream,
    corpus_identity,
    decide_others,
    encodes,
    finish_all,
    first_rows,
    gather_all,
    identity,
    learn_sample,
    prepare_sample,
    remembered,
    score_all,
    settle,
    survey_all,
)
from keysift.streaming.scale import DataSet, Scale, beside
from keysift.streaming.scores import ScoreJob
from keysift.streaming.survey import Sample, Survey
from keysift.text.languages import NAMES
from keysift.workfolder import check_folder

SHOWN = 20
"""Best documents that are kept to be shown."""
Identity = Callable[[Plan, Chosen], Mapping[str, Any]]


@dataclass(frozen=True, eq=False)
class Outcome:
    """What came of ranking files."""

    documents: int
    positive: int
    """Documents that are decided positive."""
    out: int
    """Documents that are empty or excluded."""
    decisions: Decisions
    ranker: KeywordRanker
    """By which they were ranked."""
    best: Corpus | None = None
    """The first of the result, with all its columns; None where it was only learned."""
    excerpt: Excerpt | None = None
    """Some documents of it for a page, where one was asked for."""
    said: tuple[str, ...] = ()
    """What was learned from, in sentences."""
    doubts: tuple[str, ...] = ()


@contextmanager
def open_files(
    source: str | Path,
    columns: Mapping[str, Any],
    scale: Scale,
    work: str | Path | None,
    output: Path | None,
    identity: Identity,
    progress: Progress,
    remembered: Columns | None = None,
) -> Iterator[Stream]:
    """The shards of some files, and the folder that keeps what is finished of them."""
    kept = None if work is None else check_folder(work)
    with scratch_folder(beside(kept, output)) as folder:
        plan = scan(str(source), folder)
        check_result(output, plan)
        yield open_stream(plan, folder, columns, scale, kept, progress, identity, remembered)


def open_stream(
    plan: Plan,
    folder: Path,
    columns: Mapping[str, Any],
    scale: Scale,
    work: Path | None,
    progress: Progress,
    identity: Identity,
    remembered: Columns | None = None,
) -> Stream:
    """The columns of a source in shards, and who works on them; `folder` is kept only where it is a work folder."""
    chosen = choose(plan, **columns, remembered=remembered)
    kept = open_ledger((work or folder) / "shards", identity(plan, chosen))
    return Stream(plan, chosen, kept.resolve(), scale.start_engine(), progress, kept=work is not None)


def check_result(output: Path | None, plan: Plan) -> None:
    """Find out before the long work whether the result can be written."""
    if isinstance(output, DataSet):
        check_dataset(output)
    elif output is not None and kind_of(check_output(output))[0] == "xlsx" and more_than(plan, MOST_ROWS):
        raise OutputError(
            f"Cannot write {output}: there are more documents than the {MOST_ROWS:,} rows of a spreadsheet; choose .csv"
            " or .parquet, or a folder (-o ranking/)."
        )


def fit_identity(clf: KeywordRanker, scale: Scale) -> Identity:
    """What a work folder belongs to where all is learned."""
    return lambda plan, chosen: identity(plan, chosen, clf, scale.sample)


def rank_identity(clf: KeywordRanker, encoder: str | None) -> Identity:
    """What a work folder belongs to where all is scored by a model."""
    made = {"model": clf.model_.fingerprint, "encoder": str(encoder)}
    return lambda plan, chosen: corpus_identity(plan, chosen) | made


def check_named(clf: KeywordRanker) -> None:
    """Refuse parts of a ranker that other processes could not load by their names."""
    tokenizer = (clf.settings or Settings()).tokenizer
    parts = {"encoder": clf.encoder, "model": clf.model, "vectors": clf.vectors, "tokenizer": tokenizer}
    views = [clf.views] if isinstance(clf.views, str) else list(clf.views)
    for name, part in (*parts.items(), *(("views", view) for view in views)):
        if part is not None and not isinstance(part, str | Path):
            raise SettingError(
                f"{name}= must be named where files are worked on in other processes, which load it by its name; got"
                f" {shortened(part)}; name one that is there, or fit the documents in memory."
            )


def named_encoder(clf: KeywordRanker) -> str | None:
    """The encoder that workers may load beside the one that comes with keysift."""
    return clf.encoder if isinstance(clf.encoder, str) and clf.encoder != "minilm" else None


def fit_stream(
    stream: Stream,
    clf: KeywordRanker,
    scale: Scale,
    output: Path | None = None,
    *,
    ranked: bool = True,
    excerpt: bool = False,
) -> Outcome:
    """Learn from a sample and score everything, shard by shard; without `ranked` only the model is wanted."""
    fitted, told = _learned(stream, clf, scale)
    said = list(told["said"])
    if not (encode := encodes(fitted)):
        said.append("Sentence vectors: above the sample, words that the encoder taught stand in for them.")
    job = score_all(stream, fitted, stream.model, named_encoder(clf), encode=encode)
    gathered = gather_all(stream, fitted)
    decisions = settle(fitted, gathered)
    outcome = Outcome(gathered.documents, 0, gathered.out, decisions, fitted)
    if ranked:
        outcome = _write(stream, job, outcome, gathered, scale, output, excerpt)
    return replace(outcome, said=tuple(said), doubts=tuple(told["doubts"]))


def rank_stream(
    stream: Stream,
    clf: KeywordRanker,
    scale: Scale,
    output: Path | None,
    *,
    model: Path | None = None,
    encoder: str | None = None,
    prior: float | None = None,
    excerpt: bool = False,
) -> Outcome:
    """Score everything by what was learned before, shard by shard; `model` is its file, if there is one."""
    if model is None:
        finish(stream.folder, MODEL, clf.save, {})
    job = score_all(stream, clf, (model or stream.model).resolve(), encoder)
    gathered = gather_all(stream, clf)
    decisions = decide_others(clf, gathered, prior)
    outcome = Outcome(gathered.documents, 0, gathered.out, decisions, clf)
    return _write(stream, job, outcome, gathered, scale, output, excerpt)


def _learned(stream: Stream, clf: KeywordRanker, scale: Scale) -> tuple[KeywordRanker, dict[str, Any]]:
    """The model of the sample, from the work folder if it is there, and what is to be said of it."""
    told = finished(stream.folder, MODEL)
    if told is None:
        survey, sample, settings = survey_all(stream, clf, scale.sample, scale.learned_bytes())
        prepared = prepare_sample(clf, sample, settings, stream.progress)
        learn_sample(clf, prepared, stream.progress)
        clf.remember(remembered(stream.chosen))
        told = _lessons(stream, clf, prepared, survey, sample)
        finish(stream.folder, MODEL, clf.save, told)
    # Always from the file, so that a run that goes on does the same as one that was never stopped.
    fitted = load_as(KeywordRanker, stream.model, encoder=named_encoder(clf))
    fitted.prior, fitted.threshold = clf.prior, clf.threshold
    return fitted, told


def _lessons(stream: Stream, clf: KeywordRanker, prepared: Prepared, survey: Survey, sample: Sample) -> dict[str, Any]:
    """What was learned from, in sentences that a work folder keeps."""
    code = prepared.settings.language
    language = f"Language: {NAMES[code]}." if code in NAMES else "Language: not clear (--language tells which it is)."
    share = survey.held / max(1, survey.documents - survey.empty)
    kinds = f"{sample.held:,} of the {survey.held:,} with a keyword, and {len(sample.texts) - sample.held:,} others"
    said = [
        language,
        f"Read {counted(survey.documents, 'document')} ({stream.plan.source}, column {','.join(stream.chosen.text)!r},"
        f" {survey.empty:,} empty): {survey.held:,} hold a keyword ({share:.1%}).",
        f"Learned from {counted(len(sample.texts), 'document')}, chosen by their content: {kinds}, each counted for as"
        " many as it stands for.",
    ]
    if survey.excluded:
        said.append(f"{counted(survey.excluded, 'document')} with an excluded keyword: negative, and last.")
    if clf.quality_ is not None:
        said.append(quality_facts(clf.quality_).summary)
    return {"said": said, "doubts": list(doubts_of(clf))}


def _write(
    stream: Stream,
    job: ScoreJob,
    outcome: Outcome,
    gathered: Gathered,
    scale: Scale,
    output: Path | None,
    excerpt: bool,
) -> Outcome:
    """Sort, give reasons and write; with it, the outcome knows how many are positive, and the best."""
    clf, decisions = outcome.ranker, outcome.decisions
    pieces, positive = finish_all(
        stream,
        job,
        decisions,
        gathered,
        ordered=not scale.unsorted,
        all_reasons=scale.reasons == "all",
        with_text=output is not None and not _found_again(stream, output),
    )
    stream.progress("Writing", 0.0)
    if isinstance(output, DataSet):
        facts = {
            "documents": gathered.documents,
            "positive": positive,
            "source": stream.plan.source,
            "model": clf.model_.fingerprint,
            "threshold": decisions.threshold,
            "sorted": not scale.unsorted,
        }
        write_dataset(pieces, output, facts)
    elif output is not None:
        write_pieces(pieces, output)
    best, some = _best(stream, pieces[0]), None
    if excerpt:
        where = pieces, stream.plan.source, stream.chosen
        some = excerpt_of(*where, clf, decisions, gathered, positive, encode=job.encode)
    for piece in pieces:
        piece.unlink()
        piece.with_name(f"{piece.name}.json").unlink()
    stream.progress("Writing", 1.0)
    return replace(outcome, positive=positive, best=best, excerpt=some)


def _found_again(stream: Stream, output: Path) -> bool:
    """Whether the text of the result would be found without its name."""
    rows = first_rows(stream)
    results = pl.DataFrame({"id": range(rows.height)}).with_columns(
        rank=1, score=0.5, decision=1, chance=0.5, pseudo_positive=1, evidence=pl.lit(""), model=pl.lit("")
    )
    path = output / "part.parquet" if isinstance(output, DataSet) else output
    return found_again(with_other_columns(results, rows), remembered(stream.chosen), path)


def _best(stream: Stream, piece: Path) -> Corpus:
    best = pl.read_parquet(piece, n_rows=SHOWN).with_row_index("document")
    if "rank" not in best.columns:
        best = best.with_columns(rank=pl.col("document") + 1)
    return Corpus(best["id"], joined(best, stream.chosen.text), best, stream.plan.source)
