"""`evaluate`: all metrics, for a file that has labels."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from keysift.cli.console import Stages, note, plain, say, stages
from keysift.cli.console import output as results_console
from keysift.cli.options import Learning, Quiet
from keysift.cli.ranking import check_targets
from keysift.cli.reading import DocumentOptions, Input
from keysift.cli.tables import terminal_table
from keysift.errors import InputError, SettingError, listed

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

WHOLE = r"^(-?\d+)\.0+$"
"""A whole number as programs write it that know no missing ones: 1.0 is the label 1."""
NAN = "nan"
"""What the same programs write where there is no label."""
YES = ("1", "true", "t", "yes", "y", "pos", "positive", "relevant")
NO = ("0", "-1", "false", "f", "no", "n", "neg", "negative", "irrelevant")


def evaluate(
    source: Input,
    *,
    label: Annotated[str, typer.Option(help="Column of the labels.")] = "label",
    positive: Annotated[
        str | None,
        typer.Option(help="The label that means relevant, if not 1, yes or true.", show_default=False),
    ] = None,
    model: Annotated[Path | None, typer.Option(help="Score the texts with this model.", show_default=False)] = None,
    keywords: Annotated[
        str | None,
        typer.Option("--keywords", "-k", help="Learn from the texts with these keywords.", show_default=False),
    ] = None,
    reading: DocumentOptions,
    learning: Learning,
    plot: Annotated[
        Path | None, typer.Option(help="Write a page with precision and recall here (.html).", show_default=False)
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Compare a ranking with labels: AUC, average precision; precision, recall, F1 and confusion table at the cut.

    The ranking is in the file already (the output of rank or score), or comes from --model or from --keywords.
    """
    from keysift.metrics import evaluate as all_metrics
    from keysift.present.evaluation import evaluation_facts

    if model and keywords:
        raise SettingError("Give --model or --keywords, not both.")
    check_targets([source, model] if model else [source], None, plot, None)
    with stages(quiet) as progress:
        if model or keywords:
            scores, decisions, frame = _rank(source, label, positive, model, keywords, reading, learning, progress)
        else:
            frame = reading.table(source)
            scores, decisions = _ranked_columns(frame, source)
    known, labels = read_labels(frame, source, label, positive)
    if not known.all():
        note(f"{int((~known).sum()):,} documents have no label in {label!r} and are left out.")
    metrics = all_metrics(labels[known], scores[known], decisions[known])
    console = results_console()
    console.print(plain(f"{metrics.documents:,} labelled documents of {source}"))
    facts = evaluation_facts(metrics)
    console.print(terminal_table(facts.metrics))
    console.print(terminal_table(facts.confusion))
    if plot:
        from keysift.metrics import measured_cuts
        from keysift.present.evaluation import write_evaluation

        write_evaluation(plot, metrics, measured_cuts(labels[known], scores[known]), source=source)
    if not quiet:
        basis = "the score column" if not (model or keywords) else f"the model {model}" if model else "the keywords"
        say(f"Ranking from {basis}; decisions at its threshold. AUC does not depend on the threshold.")
        say(facts.decided)
        if plot:
            say(f"Wrote the page with the curves to {plot}.")


def _rank(
    source: str,
    label: str,
    positive: str | None,
    model: Path | None,
    keywords: str | None,
    reading: DocumentOptions,
    learning: Learning,
    progress: Stages,
) -> tuple["NDArray[np.float64]", "NDArray[np.int64]", "pl.DataFrame"]:
    from keysift.loading import load_as
    from keysift.ranker import KeywordRanker

    asked = None if learning.encoder == Learning.encoder else learning.encoder  # the default asks for nothing
    clf = load_as(KeywordRanker, model, encoder=asked) if model else learning.ranker(str(keywords))
    remembered = clf.columns_ if model else None
    corpus = reading.read(source, progress, ignore=(label,), remembered=remembered)
    read_labels(corpus.columns, source, label, positive)  # to complain before the long work
    make_ranking = clf.rank if model else clf.fit_rank
    ranking = make_ranking(corpus.texts, embeddings=corpus.vectors, progress=progress)
    in_order = ranking.sort("document")
    return in_order["score"].to_numpy(), in_order["decision"].to_numpy(), corpus.columns


def _ranked_columns(frame: "pl.DataFrame", source: str) -> tuple["NDArray[np.float64]", "NDArray[np.int64]"]:
    import polars as pl

    if lacking := [name for name in ("score", "decision") if name not in frame.columns]:
        raise InputError(
            f"{source} has no column {' and no column '.join(map(repr, lacking))}; give the output of keysift rank or"
            " score, or say how to rank with --model or --keywords."
        )
    scores = frame["score"].cast(pl.Float64, strict=False)
    decisions = frame["decision"].cast(pl.Float64, strict=False)
    wrong = ~scores.is_finite().fill_null(False) | ~decisions.is_in([0.0, 1.0]).fill_null(False)
    if wrong.any():
        raise InputError(
            f"{source}: row {int(wrong.arg_true()[0]) + 1} has no number in 'score', or neither 0 nor 1 in 'decision';"
            " give the output of keysift rank or score."
        )
    return scores.to_numpy(), decisions.cast(pl.Int64).to_numpy()


def read_labels(
    frame: "pl.DataFrame", source: str, label: str, positive: str | None
) -> tuple["NDArray[np.bool_]", "NDArray[np.int64]"]:
    """Which documents have a label, and whether it is the positive one."""
    import polars as pl

    if label not in frame.columns:
        raise InputError(
            f"{source} has no column {label!r}; the columns are {listed(frame.columns)}; name the labels with --label."
        )
    values = frame[label].cast(pl.String).str.strip_chars().str.replace(WHOLE, "$1")
    known = (values.is_not_null() & (values != "") & (values.str.to_lowercase() != NAN)).fill_null(False)
    values = values.set(~known, None)
    if positive is not None:
        is_positive = values == re.sub(WHOLE, r"\1", positive.strip())
        if not is_positive.any():
            raise InputError(f"No label in {label!r} of {source} is {positive!r}; there are {_few(values)}.")
    else:
        lower = values.str.to_lowercase()
        is_positive = lower.is_in(YES)
        if not (is_positive | lower.is_in(NO) | ~known).all():
            raise InputError(
                f"The labels in {label!r} of {source} are {_few(values)}; use 1 and 0, or say which is relevant with"
                " --positive."
            )
    return known.to_numpy(), is_positive.fill_null(False).cast(pl.Int64).to_numpy()


def _few(values: "pl.Series") -> str:
    return listed(values.drop_nulls().str.head(40).unique(maintain_order=True), most=8)
