"""The project that is open in the page: documents, ranking and answers, shared by every browser that looks at it."""

import threading
from pathlib import Path
from typing import Any

from keysift import __version__
from keysift.audit.ranked_table import unique_ids
from keysift.corpus.reading import read
from keysift.decide.cuts import Threshold
from keysift.errors import CancelledError, KeywordError
from keysift.features.prepared import Progress
from keysift.keywords.parsing import spelled_out
from keysift.pipeline import prepare
from keysift.ranker import KeywordRanker
from keysift.review.duplicates import groups
from keysift.review.fingerprints import fingerprints
from keysift.review.state import SKIPPED, State
from keysift.review.waiting import waiting
from keysift.reviewer import Reviewer
from keysift.session import Session
from keysift.web import schemas
from keysift.web.asking import after_asking
from keysift.web.chips import keywords_in
from keysift.web.jobs import Jobs
from keysift.web.memo import Memo
from keysift.web.opened import Opened
from keysift.web.project import KeptSample, Project, Told
from keysift.web.ranked import Ranked
from keysift.web.refusals import NotReadyError, about
from keysift.web.sample import SAMPLE, sample

UPLOAD = 500_000_000
"""Bytes of a file that are taken."""
TRIES = 3
"""Times that answers given meanwhile are learned without a lock, before they are with it."""
PREPARING = ("vectors", "views", "encoder", "settings", "learning", "random_state")
"""Arguments of `prepare`."""


class Workbench:
    """Everything that the page can do; within a `with` block."""

    def __init__(self, state: State, arguments: dict[str, Any], most: int = UPLOAD) -> None:
        self.project = Project(state, most)
        self.arguments = arguments
        """Of `KeywordRanker`, but for the keywords."""
        self.jobs = Jobs()
        self.memo = Memo()
        self.told = self.project.told
        """What answers to a random sample said last."""
        self.lock = threading.RLock()
        """Held by whoever answers or uses the files of the project, never for long; to look at a ranking takes none."""
        self._telling = threading.Lock()
        self._opened: Opened | None = None
        self._ranked: Ranked | None = None
        self._revision = 0
        self._seen: object = None

    def __enter__(self) -> "Workbench":
        return self

    def __exit__(self, *error: object) -> None:
        self.jobs.cancel()
        self.jobs.wait(5.0)
        self._put_away(self._ranked)

    @property
    def opened(self) -> Opened:
        """The documents, or a sentence that there are none."""
        if self._opened is None:
            raise NotReadyError("No documents are open yet; choose a file first.")
        return self._opened

    @property
    def ranked(self) -> Ranked:
        """The ranking, or a sentence that there is none."""
        if self._ranked is None:
            raise NotReadyError("Nothing is learned yet; give keywords, then learn.")
        return self._ranked

    @property
    def current(self) -> Ranked | None:
        """The ranking, if there is one."""
        return self._ranked

    def status(self) -> schemas.Status:
        """Where the project stands."""
        with self._telling:
            job, opened, ranked = self.jobs.last, self._opened, self._ranked
            seen = (opened, None if ranked is None else ranked.result, job and (job.number, job.state))
            if seen != self._seen:
                self._seen = seen
                self._revision += 1
            revision = self._revision
        return schemas.Status(
            version=__version__,
            project=str(self.project.folder),
            revision=revision,
            corpus=None if opened is None else self._corpus(opened),
            keywords=None if ranked is None else spelled_out(ranked.result.matches.typed),
            learned=None if ranked is None else ranked.version,
            answers=0 if ranked is None else len(ranked.answers()),
            job=job,
            files=self.project.files,
        )

    def changed(self) -> None:
        """Something that is shown has changed."""
        with self._telling:
            self._revision += 1

    def add_sample(self) -> Path:
        """Put the sample corpus among the files of the project."""
        self.project.keep_table(SAMPLE, sample())
        self.changed()
        return self.project.path(SAMPLE)

    def remove(self, file: str) -> None:
        """Take a file out of the project, unless its documents are open."""
        if self._opened is not None and self._opened.path == self.project.path(file):
            raise NotReadyError(f"The documents of {file} are open; open others first.")
        self.project.remove(file)
        self.changed()

    def open(self, file: str, text: list[str] | None = None, id: str | None = None) -> schemas.Job:
        """Open documents in the background."""
        return self._open(self.project.path(file), text, id)

    def resume(self, path: Path | None = None, keywords: dict[str, float] | None = None) -> None:
        """Go on where the project was left, or begin with a file and keywords."""
        settings = self.project.settings
        source = settings.get("source") if path is None else str(path.resolve())
        reading = settings.get("reading", {}) if source == settings.get("source") else {}
        versions = self.project.versions()
        if source is None:
            return
        known = keywords or (keywords_in(versions[-1].keywords) if versions else None)

        def work(progress: Progress, cancelled: threading.Event) -> None:
            self._read(Path(source), reading.get("text"), reading.get("id"), progress)
            if known:
                self._learn(known, progress, cancelled)

        self.jobs.start("learning" if known else "reading", work)

    def learn(self, keywords: dict[str, float]) -> schemas.Job:
        """Learn from keywords in the background; the last ranking stays until the new one is whole."""
        self.opened  # noqa: B018  to complain at once
        if not any(not word.startswith("-") for word in keywords):
            raise KeywordError("There is no keyword to learn from; give at least one that is not excluded.")
        return self.jobs.start("learning", lambda progress, cancelled: self._learn(keywords, progress, cancelled))

    def cut(self, prior: float | None, threshold: Threshold) -> None:
        """Cut the ranking elsewhere, now and when the project is opened again."""
        result = self.ranked.reviewer.decide(prior=prior, threshold=threshold)
        known = result.decisions.prior
        with self.lock:
            given = known.value if known.basis == "given" else None
            self.project.keep_cut(result.decisions.rule.plain, given, spelled_out(result.matches.typed))
        self.changed()

    def keep_sample(self) -> None:
        """Keep how the documents that are asked about were drawn, and whether the answers have decided."""
        ranked = self.ranked
        kept = KeptSample(ranked.drawn()[0].ranking.above, ranked.audit is not None)
        with self.lock:
            self.project.keep_sample(spelled_out(ranked.result.matches.typed), kept)

    def keep_told(self, told: Told | None) -> None:
        """Keep what answers to a random sample say, if they do."""
        if told is not None and told != self.told:
            with self.lock:
                self.project.keep_told(told)
            self.told = told

    def ranker(self) -> KeywordRanker:
        """The latest ranking as a fitted ranker, to score and to save."""
        ranked = self.ranked

        def make() -> KeywordRanker:
            result = ranked.result
            clf = KeywordRanker(result.matches.typed, **self.arguments)
            clf.threshold = result.decisions.rule.plain
            return clf.adopt(ranked.opened.prepared, result.matches, result.learned, result.decisions)

        return ranked.memo.once("ranker", ranked.result, make)

    def _open(self, path: Path, text: list[str] | None, id: str | None) -> schemas.Job:
        return self.jobs.start("reading", lambda progress, cancelled: self._read(path, text, id, progress))

    def _read(self, path: Path, text: list[str] | None, id: str | None, progress: Progress) -> None:
        progress("Reading", 0.0)
        with about(path):
            corpus = read(path, text=text, id=id)
        progress("Reading", 1.0)
        arguments = {name: self.arguments[name] for name in PREPARING if name in self.arguments}
        prepared = prepare(corpus.texts, **arguments, progress=progress)
        progress("Looking for duplicates", 0.0)
        same = groups(corpus.texts)
        progress("Looking for duplicates", 1.0)
        hashes, ids = fingerprints(corpus.texts), unique_ids(corpus.ids).to_list()
        with self.lock:
            numbers = self.project.state.corpus(hashes, ids, corpus.source)
            opened = Opened(path, corpus, prepared, numbers, same)
            self.project.remember(path, list(opened.columns.text), opened.columns.id)
            before, self._opened, self._ranked = self._ranked, opened, None
        self.changed()
        self._put_away(before)

    def _learn(self, keywords: dict[str, float], progress: Progress, cancelled: threading.Event) -> None:
        opened, spelled = self.opened, spelled_out(keywords)
        with self.lock:
            (rule, given), prior = self.project.cut(spelled), self.project.prior
            sample = self.project.sample(spelled)
        session = Session(
            opened.prepared,
            prior=self.arguments["prior"] if given is None else given,
            threshold=self.arguments["threshold"] if rule is None else rule,
            loss=self.arguments["loss"],
        )
        again = given is None and prior is not None and sample is not None and sample.used
        if given is None and prior is not None and not again:
            session.use_prior(prior)
        session.keywords(keywords)
        self._tell(session, opened, sample)
        session.learn(progress, cancelled)
        progress("Looking ahead", 0.0)
        asked = after_asking(session.result)
        for _ in range(TRIES):  # whoever goes on answering does not wait for what is learned of that
            self._tell(session, opened, sample)
            if session.settled:
                break
            session.learn(cancel=cancelled)
        with self.lock:
            if cancelled.is_set() or self._opened is not opened:
                raise CancelledError
            self._tell(session, opened, sample)
            state = self.project.state
            reviewer = Reviewer(session, state, opened.numbers, opened.groups, drawn_wait=sample is not None)
            version = self.project.use(spelled_out(session.result.matches.typed))
            redrawn = None if sample is None else (reviewer.result.learned, sample.above)
            ranked = Ranked(opened, version, reviewer, asked, redrawn)
            if again and prior is not None:
                try:
                    ranked.decide_again()
                except NotReadyError:
                    session.use_prior(prior)
                    reviewer.decide()
            ranking = ranked.result.ranking
            reviewer.__enter__()
            before, self._ranked = self._ranked, ranked
        self.project.keep_ranking(version, opened.numbers[ranking.order], ranking.positive[ranking.order])
        self.changed()
        self._put_away(before)

    def _tell(self, session: Session, opened: Opened, sample: KeptSample | None) -> None:
        """The answers of the project, and none but these; those to a sample of the ranking wait."""
        with self.lock:
            said = self.project.state.answers()
        drawn = {} if sample is None else waiting(said)
        place_of = {number: place for place, number in enumerate(opened.numbers.tolist() if said else [])}
        known = {
            place_of[number]: given.answer
            for number, given in said.items()
            if number in place_of and number not in drawn and given.answer != SKIPPED
        }
        for place in session.answers.keys() - known.keys():
            session.answer(place, None)
        for place, answer in known.items():
            session.answer(place, answer)

    @staticmethod
    def _put_away(ranked: Ranked | None) -> None:
        """Its thread ends when it has learned what it is at; nobody else waits for that."""
        if ranked is not None:
            ranked.reviewer.__exit__()

    def _corpus(self, opened: Opened) -> schemas.Corpus:
        return schemas.Corpus(
            file=opened.path.name,
            documents=len(opened.prepared),
            text=list(opened.columns.text),
            id=opened.columns.id,
            language=opened.language,
        )
