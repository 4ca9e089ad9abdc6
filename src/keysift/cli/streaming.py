"""`rank`, `fit` and `score` on corpora larger than memory: what they say of what `keysift.sharded` does."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from keysift.cli.console import note, say, stages
from keysift.cli.reading import DocumentOptions
from keysift.cli.scale import Look
from keysift.cli.showing import describe_files, describe_threshold, show_top
from keysift.errors import SettingError
from keysift.present.wording import counted
from keysift.streaming.scale import Scale

if TYPE_CHECKING:
    from keysift.ranker import KeywordRanker
    from keysift.sharded import Outcome


def rank_streamed(
    look: Look,
    clf: "KeywordRanker",
    reading: DocumentOptions,
    scale: Scale,
    work: Path | None,
    *,
    output: Path | None,
    report: Path | None = None,
    model_out: Path | None,
    quiet: bool,
    ranked: bool = True,
) -> None:
    """Learn from a sample and score everything, shard by shard; without `ranked` only the model is wanted."""
    from keysift.sharded import check_result, fit_identity, fit_stream, open_stream

    assert look.plan is not None
    check_result(output, look.plan)
    with stages(quiet) as progress:
        own = fit_identity(clf, scale)
        stream = open_stream(look.plan, look.folder, reading.columns(), scale, work, progress, own)
        outcome = fit_stream(stream, clf, scale, output, ranked=ranked, excerpt=report is not None)
        _write_report(outcome, report)
        if model_out:
            outcome.ranker.save(model_out)
    if ranked and output is None:
        _show(outcome)
    for doubt in outcome.doubts:
        note(doubt)
    if not quiet:
        for sentence in outcome.said:
            say(sentence)
        describe_threshold(outcome.ranker)
        if ranked:
            _say_decided(outcome)
        describe_files(output, report, model_out)


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
    report: Path | None,
    quiet: bool,
) -> None:
    """Score everything with a saved model, shard by shard."""
    from keysift.sharded import check_result, open_stream, rank_identity, rank_stream

    assert look.plan is not None
    check_result(output, look.plan)
    with stages(quiet) as progress:
        own = rank_identity(clf, encoder)
        stream = open_stream(look.plan, look.folder, reading.columns(), scale, work, progress, own, clf.columns_)
        asked: dict[str, Any] = {"model": model, "encoder": encoder, "prior": prior}
        outcome = rank_stream(stream, clf, scale, output, **asked, excerpt=report is not None)
        _write_report(outcome, report, prior)
    if output is None:
        _show(outcome)
    if not quiet:
        say(
            f"Read {counted(outcome.documents, 'document')} ({stream.plan.source}), {outcome.out:,} of them empty or"
            " excluded."
        )
        _say_decided(outcome)
        describe_files(output, report, None)


def refuse_above_sample(scale: Scale, report: Path | None, ask: int | None) -> None:
    """What needs all documents in memory, or ranks that nobody asked for."""
    if report is not None and scale.unsorted:
        raise SettingError("--report shows the best documents, which --unsorted does not look for; leave out one.")
    if ask is not None:
        raise SettingError(
            "--ask needs all documents in memory, and there are more than --sample; write the ranking with -o, and ask"
            " with `keysift audit start`, or raise --sample."
        )


def _write_report(outcome: "Outcome", report: Path | None, prior: float | None = None) -> None:
    if report is not None and outcome.excerpt is not None:
        from keysift.present.report import write_excerpt_report

        write_excerpt_report(report, outcome.ranker, outcome.excerpt, prior=prior)


def _show(outcome: "Outcome") -> None:
    assert outcome.best is not None
    show_top(outcome.best, outcome.best.columns, total=outcome.documents)


def _say_decided(outcome: "Outcome") -> None:
    from keysift.present.cut_facts import is_provisional

    verb, waits = "scores" if outcome.positive == 1 else "score", " (provisional)"
    say(
        f"{outcome.positive:,} of {counted(outcome.documents, 'document')} {verb} above the threshold"
        f" {outcome.decisions.threshold:.3f}{waits if is_provisional(outcome.ranker) else ''}."
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
