"""The way of a corpus larger than memory: survey, learn from a sample, score everything, decide, sort, write."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import keysift
from keysift.config import DEFAULT
from keysift.corpus.columns import Columns
from keysift.corpus.scan import Plan
from keysift.corpus.shards import Chosen, Shard, read_documents
from keysift.decide.cuts import cut_rule
from keysift.decide.decisions import Decisions
from keysift.decide.drift import summary_of
from keysift.engines.engine import Engine, EngineError, InThisProcess
from keysift.errors import InputError, SettingError, warn
from keysift.features.prepared import Prepared, Progress, silent
from keysift.features.views import view_names
from keysift.keywords.exclusions import check_sides
from keysift.keywords.expansion import excluded_keywords, expand
from keysift.keywords.match import Matches
from keysift.keywords.parsing import parse_keywords
from keysift.learn.checks import check_documents
from keysift.learn.scorer import ViewScorer
from keysift.pipeline import decide, learn, match, prepare
from keysift.ranker import KeywordRanker
from keysift.scoring import decide_new
from keysift.settings import Settings
from keysift.streaming.gathered import Gathered, decide_all, gather, needs_all
from keysift.streaming.ledger import finished
from keysift.streaming.pieces import PieceJob, finish_bucket, finish_rows, piece_name
from keysift.streaming.scores import ID, ScoreJob, score_shard, scored_name
from keysift.streaming.sorting import distribute, edges_of, numbered, whole_schema
from keysift.streaming.survey import BoundsSoFar, Sample, Survey, SurveyJob, draw, survey_name, survey_shard
from keysift.text.counts import count_words
from keysift.text.tokens import tokenize
from keysift.vectors.sources import get_vectors
from keysift.workfolder import vectors_identity

MODEL = "model.keysift"
"""The model in the work folder."""
KEPT = "What was finished is kept in the work folder: give the same command again, and it goes on from there."
NOT_KEPT = "Nothing was kept: name a folder with work=, and what is finished is there when you start again."


@dataclass(frozen=True)
class Stream:
    """A corpus in shards, the folder where its parts are kept, and who works on them."""

    plan: Plan
    chosen: Chosen
    folder: Path
    engine: Engine = field(default_factory=InThisProcess)
    progress: Progress = silent
    kept: bool = True
    """Whether the folder is still there after a failure."""

    @property
    def model(self) -> Path:
        """Where the model is kept."""
        return self.folder / MODEL

    def run(self, task: Callable[[Any, Any], Any], items: Sequence[Any], job: Any) -> Iterator[tuple[int, Any]]:
        """The place of each item and what a task says of it; where the workers are lost, what to do next is said."""
        try:
            yield from self.engine.map(task, items, job)
        except EngineError as error:
            raise EngineError(f"{error} {KEPT if self.kept else NOT_KEPT}") from None

    def each(
        self,
        stage: str,
        task: Callable[[Any, Any], Any],
        name: Callable[[int], str],
        job: Any,
        done: Callable[[str], None] = lambda name: None,
    ) -> list[dict[str, Any]]:
        """What a task says of every shard, in order; what is finished and whole is not done again.

        `done` is told the name of each file as it is there.
        """
        shards = list(enumerate(self.plan.shards))
        infos: dict[int, dict[str, Any]] = {}
        self.progress(stage, 0.0)
        for number, _ in shards:
            if (info := finished(self.folder, name(number))) is not None:
                infos[number] = info
                done(name(number))
        left = [item for item in shards if item[0] not in infos]
        for place, info in self.run(task, left, job):
            infos[left[place][0]] = info
            done(name(left[place][0]))
            self.progress(stage, len(infos) / len(shards))
        self.progress(stage, 1.0)
        in_order = [infos[number] for number, _ in shards]
        for message in dict.fromkeys(message for info in in_order for message in info.get("warnings", ())):
            warn(message)
        return in_order


def identity(plan: Plan, chosen: Chosen, clf: KeywordRanker, sample: int) -> dict[str, Any]:
    """What a work folder belongs to, by names that a message can show."""
    return {
        **corpus_identity(plan, chosen),
        "keywords": list(parse_keywords(clf.keywords).items()),
        "settings": (clf.settings or Settings()).plain(),
        "learning": (clf.learning or DEFAULT).plain(),
        "views": view_names(clf.views) if clf.views != "auto" else "auto",
        "encoder": str(clf.encoder),
        "loss": getattr(clf.loss, "name", str(clf.loss)),
        "model": str(clf.model),
        "training": str(clf.training) if clf.model != "linear" else "",
        "vectors": vectors_identity(clf.vectors),
        "random_state": str(clf.random_state),
        "sample": sample,
    }


def corpus_identity(plan: Plan, chosen: Chosen) -> dict[str, Any]:
    """The part of it that is the corpus and the version of keysift."""
    return {
        "source": plan.source,
        "files": [f"{name} {size} {time}" for name, size, time in plan.stamps],
        "columns": chosen.plain(),
        "shards": len(plan.shards),
        "version": keysift.__version__,
    }


def survey_all(
    stream: Stream, clf: KeywordRanker, sample: int, most_bytes: int | None = None
) -> tuple[Survey, Sample, Settings]:
    """Pass 1, by the language that the sample turns out to be in."""
    asked = clf.settings or Settings()
    settings = first = asked.settled(_beginning(stream))
    while True:
        job = survey_job(stream, clf, settings, sample)
        names = [survey_name(number, settings.language) for number in range(len(stream.plan.shards))]
        bounds = BoundsSoFar(stream.folder, sample)
        infos = stream.each("Counting", survey_shard, names.__getitem__, job, bounds.add)
        survey = sum(map(Survey.restore, infos), Survey())
        if survey.documents == survey.empty:
            raise InputError(f"{stream.plan.source} contains no document with a word in it; give at least two.")
        room = sample if most_bytes is None else most_bytes * survey.documents // max(1, survey.bytes)
        drawn = draw(
            [stream.folder / name for name in names], survey, max(2, min(sample, room)), evenly=clf.model != "linear"
        )
        found = asked.settled(tokenize(drawn.texts, settings.tokenizer))
        if found.language == settings.language or settings != first:  # at most once: a sample may waver
            return survey, drawn, settings
        settings = found  # the beginning misled, and keywords have other forms


def survey_job(stream: Stream, clf: KeywordRanker, settings: Settings, sample: int) -> SurveyJob:
    """What every shard is asked: where the keywords and their expansions are."""
    given = parse_keywords(clf.keywords)
    if settings.gamma and clf.vectors == "corpus":
        raise SettingError(
            "Words near a keyword cannot be learned from documents that do not fit into memory: leave gamma= out, or"
            " take vectors='glove-6b-50d'."
        )
    tokens = tokenize(pl.Series("text", [], dtype=pl.String), settings.tokenizer)
    vectors = get_vectors(clf.vectors, tokens) if settings.gamma else None
    expanded = expand(given, vectors, gamma=settings.gamma, never_add=settings.never_add, tokenizer=settings.tokenizer)
    excluded = excluded_keywords(given, settings.tokenizer)
    check_sides(expanded, excluded)
    terms = Matches.find(expanded, tokens, count_words(tokens), settings, excluded=excluded).terms
    return SurveyJob(str(stream.folder), stream.chosen, terms, excluded, settings, sample)


def _beginning(stream: Stream) -> Any:
    for shard in stream.plan.shards:
        if (corpus := read_documents(shard, stream.chosen)) is not None:
            return tokenize(corpus.texts.head(20_000)).filled
    raise InputError(f"{stream.plan.source} contains no documents; give a source with at least one.")


def prepare_sample(clf: KeywordRanker, sample: Sample, settings: Settings, progress: Progress = silent) -> Prepared:
    """The sample made ready, each document with the number that it stands for."""
    prepared = prepare(
        sample.texts,
        vectors=clf.vectors,
        views=clf.views,
        encoder=clf.encoder if sample.vectors is None else sample.vectors,
        settings=settings,
        learning=clf.learning,
        random_state=clf.random_state,
        progress=progress,
    )
    return replace(prepared, weights=sample.weights)


def learn_sample(clf: KeywordRanker, prepared: Prepared, progress: Progress = silent) -> None:
    """Learn from the sample; the decisions are provisional until all scores are known."""
    check_documents(prepared.tokens)
    matches = match(prepared, clf.keywords, progress)
    learned = learn(prepared, matches, loss=clf.loss, model=clf.model, training=clf.training, progress=progress)
    clf.adopt(prepared, matches, learned, decide(learned))
    # Only the model of the sample is wanted; its features take hundreds of megabytes.
    clf.learned_ = replace(learned, readable=None, fitted=None)


def score_all(
    stream: Stream, clf: KeywordRanker, model: Path, encoder: str | None = None, *, encode: bool = True
) -> ScoreJob:
    """Pass 2: all scores, kept shard by shard."""
    job = ScoreJob(str(stream.folder), str(model), clf.model_.fingerprint, stream.chosen, encoder, encode)
    stream.each("Scoring", score_shard, scored_name, job)
    return job


def encodes(clf: KeywordRanker) -> bool:
    """Whether pass 2 encodes: not where words were taught to stand in, as more than a sample would take too long."""
    scorer = clf.model_.scorer
    return not (isinstance(scorer, ViewScorer) and scorer.standing_in is not None)


def gather_all(stream: Stream, clf: KeywordRanker) -> Gathered:
    """The scores of all documents."""
    stream.progress("Deciding", 0.0)
    files = [stream.folder / scored_name(number) for number in range(len(stream.plan.shards))]
    gathered = gather(files, exact=needs_all(clf.threshold))
    stream.progress("Deciding", 1.0)
    return gathered


def settle(clf: KeywordRanker, gathered: Gathered) -> Decisions:
    """Decide by all scores, and let the model say so."""
    decisions = decide_all(clf, gathered)
    model = replace(clf.model_, summary=summary_of(gathered.held), n_documents=gathered.documents, n_empty=gathered.out)
    clf._assign_model(model, clf.learned_)
    clf._assign_decisions(decisions)
    return decisions


def decide_others(clf: KeywordRanker, gathered: Gathered, prior: float | None) -> Decisions:
    """Decisions about other documents than those of training, by a model that was loaded."""
    return decide_new(clf.model_, gathered, cut_rule(clf.threshold), prior, clf.learning or DEFAULT)


def finish_all(
    stream: Stream,
    job: ScoreJob,
    decisions: Decisions,
    gathered: Gathered,
    *,
    ordered: bool = True,
    all_reasons: bool = False,
    with_text: bool = False,
) -> tuple[list[Path], int]:
    """Pass 3: the pieces of the result in order, and how many documents are decided positive."""
    infos = [finished(stream.folder, scored_name(number)) or {} for number in range(len(stream.plan.shards))]
    schema = _schema(stream, infos)
    pieces = PieceJob(
        job.folder,
        job.model,
        job.fingerprint,
        job.chosen,
        decisions,
        gathered.top,
        job.encoder,
        job.encode,
        all_reasons,
        with_text,
    )
    frames = numbered(stream.folder, infos, schema)
    stream.progress("Sorting" if ordered else "Collecting", 0.0)
    items: Sequence[tuple[int, Any]]
    task: Callable[[Any, Any], Any]
    if ordered:
        counts = distribute(frames, edges_of(gathered.held, sum(info["bytes"] for info in infos)), stream.folder)
        first = np.cumsum([0, *counts])[:-1] + 1
        items = [(number, int(first[number])) for number, count in enumerate(counts) if count]
        task = finish_bucket
    else:
        items = []
        for number, frame in enumerate(frames):
            file = stream.folder / f"rows-{number:06d}"
            frame.write_ipc(file)
            items.append((number, str(file)))
        task = finish_rows
    stream.progress("Sorting" if ordered else "Collecting", 1.0)
    stream.progress("Giving reasons", 0.0)
    positive = 0
    for done, (_, info) in enumerate(stream.run(task, items, pieces), start=1):
        positive += info["positive"]
        stream.progress("Giving reasons", done / len(items))
    for file in (*stream.folder.glob("bucket-*"), *stream.folder.glob("rows-*")):
        file.unlink()
    return [stream.folder / piece_name(number) for number, _ in items], positive


def _schema(stream: Stream, infos: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    files = [stream.folder / scored_name(number) for number, info in enumerate(infos) if info.get("documents")]
    schema = whole_schema(files)
    if ID not in schema:
        schema[ID] = pl.String if any(info.get("prefix") for info in infos) else pl.Int64
    return schema


def remembered(chosen: Chosen) -> Columns:
    """The columns as a model remembers them."""
    return Columns(chosen.text, chosen.id)


def first_rows(stream: Stream, shards: Sequence[Shard] | None = None) -> pl.DataFrame:
    """Some rows of the source, to see which columns there are."""
    for shard in stream.plan.shards if shards is None else shards:
        if (corpus := read_documents(shard, stream.chosen)) is not None:
            return corpus.columns.head(1_000)
    raise InputError(f"{stream.plan.source} contains no documents; give a source with at least one.")
