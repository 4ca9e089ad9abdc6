"""`rank`, `fit` and `score` on corpora larger than memory: what they do, and what they say."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from keysift.cli.console import note, say, stages
from keysift.cli.reading import DocumentOptions
from keysift.cli.scale import DataSet, Look, Scale
from keysift.cli.showing import describe_files, describe_threshold, show_top, tell_doubts
from keysift.errors import SettingError
from keysift.present.wording import counted

if TYPE_CHECKING:
    from keysift.corpus.columns import Columns
    from keysift.decide.decisions import Decisions
    from keysift.features.prepared import Prepared, Progress
    from keysift.ranker import KeywordRanker
    from keysift.streaming.gathered import Gathered
    from keysift.streaming.run import Stream
    from keysift.streaming.scores import ScoreJob
    from keysift.streaming.survey import Sample, Survey


def rank_streamed(
    look: Look,
    clf: "KeywordRanker",
    reading: DocumentOptions,
    scale: Scale,
    work: Path | None,
    *,
    output: Path | None,
    model_out: Path | None,
    quiet: bool,
    ranked: bool = True,
) -> None:
    """Learn from a sample and score everything, shard by shard; without `ranked` only the model is wanted."""
    from keysift.streaming.run import encodes, gather_all, identity, score_all, settle

    check_output(output)
    with stages(quiet) as progress:
        stream = open_stream(
            look, reading, scale, work, progress, lambda plan, chosen: identity(plan, chosen, clf, scale.sample)
        )
        fitted, said = learned(stream, clf, scale)
        encode = encodes(fitted)
        job = score_all(stream, fitted, stream.model, _encoder(clf), encode=encode)
        gathered = gather_all(stream, fitted)
        decisions = settle(fitted, gathered)
        positive = write_streamed(stream, job, fitted, decisions, gathered, scale, output) if ranked else 0
        if model_out:
            fitted.save(model_out)
    for doubt in said["doubts"]:
        note(doubt)
    if not quiet:
        for sentence in said["said"]:
            say(sentence)
        if not encode:
            say("Sentence vectors: above --sample, words that the encoder taught stand in for them.")
        describe_threshold(fitted)
        if ranked:
            _say_decided(positive, gathered, decisions, fitted)
        describe_files(output, None, model_out)


def score_streamed(
    look: Look,
    clf: "KeywordRanker",
    model: Path,
    reading: DocumentOptions,
    scale: Scale,
    work: Path | None,
    *,
    prior: float | None,
    encoder: str | None,
    output: Path | None,
    quiet: bool,
) -> None:
    """Score everything with a saved model, shard by shard."""
    from keysift.streaming.run import corpus_identity, decide_others, gather_all, score_all

    check_output(output)
    with stages(quiet) as progress:
        made = {"model": clf.model_.fingerprint, "encoder": str(encoder)}
        stream = open_stream(
            look,
            reading,
            scale,
            work,
            progress,
            lambda plan, chosen: corpus_identity(plan, chosen) | made,
            clf.columns_,
        )
        job = score_all(stream, clf, model.resolve(), encoder)
        gathered = gather_all(stream, clf)
        decisions = decide_others(clf, gathered, prior)
        positive = write_streamed(stream, job, clf, decisions, gathered, scale, output)
    if not quiet:
        say(
            f"Read {counted(gathered.documents, 'document')} ({stream.plan.source}), {gathered.out:,} of them empty or"
            " excluded."
        )
        _say_decided(positive, gathered, decisions, clf)
        describe_files(output, None, None)


def open_stream(
    look: Look,
    reading: DocumentOptions,
    scale: Scale,
    work: Path | None,
    progress: "Progress",
    identity: Any,
    remembered: "Columns | None" = None,
) -> "Stream":
    """The shards, the columns that were chosen, and the folder that keeps what is finished."""
    from keysift.corpus.scan import choose
    from keysift.streaming.ledger import open_ledger
    from keysift.streaming.run import Stream

    assert look.plan is not None
    chosen = choose(
        look.plan, text=reading.text, id=reading.id, vector_column=reading.vector_column, remembered=remembered
    )
    folder = open_ledger(work / "shards" if work else look.folder / "shards", identity(look.plan, chosen))
    return Stream(look.plan, chosen, folder.resolve(), scale.start_engine(), progress)


def learned(stream: "Stream", clf: "KeywordRanker", scale: Scale) -> tuple["KeywordRanker", dict[str, Any]]:
    """The model of the sample, from the work folder if it is there, and what is to be said of it."""
    from keysift.loading import load_as
    from keysift.ranker import KeywordRanker
    from keysift.streaming.ledger import finish, finished
    from keysift.streaming.run import MODEL, learn_sample, prepare_sample, remembered, survey_all

    said = finished(stream.folder, MODEL)
    if said is None:
        survey, sample, settings = survey_all(stream, clf, scale.sample, scale.learned_bytes())
        prepared = prepare_sample(clf, sample, settings, stream.progress)
        learn_sample(clf, prepared, stream.progress)
        clf.remember(remembered(stream.chosen))
        said = _lessons(stream, clf, prepared, survey, sample)
        finish(stream.folder, MODEL, clf.save, said)
    # Always from the file, so that a run that goes on does the same as one that was never stopped.
    fitted = load_as(KeywordRanker, stream.model, encoder=_encoder(clf))
    fitted.prior, fitted.threshold = clf.prior, clf.threshold
    return fitted, said


def _encoder(clf: "KeywordRanker") -> str | None:
    return clf.encoder if isinstance(clf.encoder, str) and clf.encoder != "minilm" else None


def _lessons(
    stream: "Stream", clf: "KeywordRanker", prepared: "Prepared", survey: "Survey", sample: "Sample"
) -> dict[str, Any]:
    """What was learned from, in sentences that a work folder keeps."""
    from keysift.present.quality_facts import quality_facts
    from keysift.text.languages import NAMES

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
    doubts: list[str] = []
    tell_doubts(clf, doubts.append)
    return {"said": said, "doubts": doubts}


def check_output(output: Path | None) -> None:
    """Find out before the long work whether the result can be written."""
    if isinstance(output, DataSet):
        from keysift.streaming.dataset import check_dataset

        check_dataset(output)
    elif output is not None:
        from keysift.corpus.writing import check_streamed

        check_streamed(output)


def refuse_above_sample(report: Path | None, ask: int | None) -> None:
    """What needs all documents in memory."""
    if report is not None:
        raise SettingError(
            "--report needs all documents in memory, and there are more than --sample; write the ranking with -o, or"
            " raise --sample."
        )
    if ask is not None:
        raise SettingError(
            "--ask needs all documents in memory, and there are more than --sample; write the ranking with -o, and ask"
            " with `keysift audit start`, or raise --sample."
        )


def write_streamed(
    stream: "Stream",
    job: "ScoreJob",
    clf: "KeywordRanker",
    decisions: "Decisions",
    gathered: "Gathered",
    scale: Scale,
    output: Path | None,
) -> int:
    """Sort, give reasons and write, or show the best; how many documents are decided positive."""
    from keysift.corpus.writing import write_pieces
    from keysift.streaming.dataset import write_dataset
    from keysift.streaming.run import finish_all

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
    else:
        _show(stream, pieces[0], gathered.documents)
    for piece in pieces:
        piece.unlink()
        piece.with_name(f"{piece.name}.json").unlink()
    stream.progress("Writing", 1.0)
    return positive


def _found_again(stream: "Stream", output: Path) -> bool:
    """Whether the text of the result would be found without its name."""
    import polars as pl

    from keysift.corpus.reading import found_again
    from keysift.corpus.writing import with_other_columns
    from keysift.streaming.run import first_rows, remembered

    rows = first_rows(stream)
    results = pl.DataFrame({"id": range(rows.height)}).with_columns(
        rank=1, score=0.5, decision=1, chance=0.5, pseudo_positive=1, evidence=pl.lit(""), model=pl.lit("")
    )
    path = output / "part.parquet" if isinstance(output, DataSet) else output
    return found_again(with_other_columns(results, rows), remembered(stream.chosen), path)


def _show(stream: "Stream", piece: Path, documents: int) -> None:
    import polars as pl

    from keysift.corpus.columns import joined
    from keysift.corpus.documents import Corpus

    best = pl.read_parquet(piece).head(20).with_row_index("document")
    if "rank" not in best.columns:
        best = best.with_columns(rank=pl.col("document") + 1)
    corpus = Corpus(best["id"], joined(best, stream.chosen.text), best, stream.plan.source)
    show_top(corpus, best, total=documents)


def _say_decided(positive: int, gathered: "Gathered", decisions: "Decisions", clf: "KeywordRanker") -> None:
    from keysift.present.cut_facts import is_provisional

    verb, waits = "scores" if positive == 1 else "score", " (provisional)" if is_provisional(clf) else ""
    say(
        f"{positive:,} of {counted(gathered.documents, 'document')} {verb} above the threshold"
        f" {decisions.threshold:.3f}{waits}."
    )


def fit_streamed(
    look: Look,
    clf: "KeywordRanker",
    reading: DocumentOptions,
    scale: Scale,
    work: Path | None,
    *,
    model_out: Path,
    quiet: bool,
) -> None:
    """Learn from a sample, and decide by all scores."""
    whole = replace(scale, unsorted=True)
    rank_streamed(look, clf, reading, whole, work, output=None, model_out=model_out, quiet=quiet, ranked=False)
