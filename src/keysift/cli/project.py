"""A project folder opened from the command line: what was asked for before is remembered."""

from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from keysift.cli.console import note, say
from keysift.cli.options import Learning
from keysift.cli.reading import DocumentOptions
from keysift.errors import InputError, SettingError
from keysift.present.wording import counted

if TYPE_CHECKING:
    from keysift.corpus.documents import Corpus
    from keysift.features.prepared import Progress
    from keysift.review.state import State
    from keysift.reviewer import Reviewer

T = TypeVar("T", DocumentOptions, Learning)


@dataclass(frozen=True)
class Asked:
    """What to review, and how."""

    source: str | None
    keywords: str | None
    labels: str | None
    no_duplicates: bool
    reading: DocumentOptions
    learning: Learning

    def with_remembered(self, settings: dict[str, Any]) -> "Asked":
        """The same, and what it leaves open as it was asked for the last time."""
        return Asked(
            source=self.source or settings.get("source"),
            keywords=self.keywords,
            labels=self.labels or settings.get("labels"),
            no_duplicates=self.no_duplicates or settings.get("no_duplicates", False),
            reading=_filled(self.reading, settings.get("reading", {})),
            learning=_filled(self.learning, settings.get("learning", {})),
        )

    def plain(self) -> dict[str, Any]:
        """As JSON can hold it; the keywords are kept apart, those of --exclude among them."""
        return {
            "source": str(Path(str(self.source)).resolve()),
            "labels": self.labels,
            "no_duplicates": self.no_duplicates,
            "reading": asdict(self.reading),
            "learning": asdict(replace(self.learning, exclude="")),
        }


def _filled(options: T, before: dict[str, Any]) -> T:
    """Options that were not given, so that they have their defaults, as they were before."""
    known = {
        field.name: before[field.name]
        for field in fields(options)
        if field.name in before and getattr(options, field.name) == field.default
    }
    return replace(options, **known)


def open_review(state: "State", asked: Asked, progress: "Progress", quiet: bool) -> "tuple[Corpus, Reviewer]":
    """The documents and a review of them that goes on where it was left; `asked` is remembered for the next time."""
    import numpy as np

    from keysift.keywords.parsing import parse_keywords, spelled_out
    from keysift.review.duplicates import groups
    from keysift.review.fingerprints import fingerprints
    from keysift.review.state import AUDIT, LABEL
    from keysift.reviewer import Reviewer
    from keysift.session import Session

    given, asked = asked.source, asked.with_remembered(state.settings)
    if asked.source is None:
        raise SettingError(
            f"{state.folder} does not know its documents yet; give them: keysift review DOCUMENTS -k … --state"
            f" {state.folder}."
        )
    if given is None and not Path(asked.source).exists():
        raise InputError(
            f"{asked.source}, the documents of the project {state.folder}, is not there any more; say where it is now:"
            f" keysift review DOCUMENTS --state {state.folder}."
        )
    if asked.source == "-":
        raise SettingError("A review needs a file: it reads the documents again when it goes on; got - .")
    if asked.keywords is not None:
        parse_keywords(asked.keywords, asked.learning.exclude)  # to complain before the long work
    corpus = asked.reading.read(asked.source, progress, ignore=() if asked.labels is None else (asked.labels,))
    keywords = asked.keywords or _known_keywords(state, corpus)
    clf = asked.learning.ranker(keywords)
    hashes = fingerprints(corpus.texts)
    labels = _labels(corpus, hashes, asked.labels)
    prepared = clf.prepare(corpus.texts, embeddings=corpus.vectors, progress=progress)
    session = Session(
        prepared,
        prior=clf.prior,
        threshold=clf.threshold,
        loss=clf.loss,
        random_state=clf.random_state,
        settings=clf.settings,
        learning=clf.learning,
    )
    session.keywords(clf.keywords)
    numbers = state.corpus(hashes, corpus_ids(corpus), corpus.source)  # from here on the project changes
    state.remember(asked.plain())
    _keep_labels(state, numbers.tolist(), labels, AUDIT if _is_sheet(corpus) else LABEL, quiet)
    if state.use_keywords(spelled_out(clf.keywords)) and len(versions := state.keywords) > 1 and not quiet:
        say(f"Keywords are now {versions[-1]} (before: {versions[-2]}); the answers stay.")
    _tell_gone(state)
    same = np.arange(len(prepared)) if asked.no_duplicates else groups(corpus.texts)
    review = Reviewer(session, state, numbers, same, progress=progress)
    if review.outdated:
        note("Documents were added since the last stop check, which says nothing of them; start another with c.")
    return corpus, review


def corpus_ids(corpus: "Corpus") -> list[str]:
    """The ids of a corpus as text; where one is there twice, the second is `id#2`."""
    from keysift.audit.ranked_table import unique_ids

    return unique_ids(corpus.ids).to_list()


def _known_keywords(state: "State", corpus: "Corpus") -> str:
    """Those of the last time; or, of a ranking, those that its documents hold."""
    from keysift.audit.ranked_table import word_list
    from keysift.corpus.columns import RANKING
    from keysift.keywords.parsing import spelled_out

    if versions := state.keywords:
        return versions[-1]
    if {*RANKING, "matched"} <= set(corpus.columns.columns):
        found = dict.fromkeys(word for cell in corpus.columns["matched"] for word in word_list(cell))
        if any(not word.startswith("-") for word in found):
            keywords = spelled_out(dict.fromkeys(found, 1.0))
            say(f"Keywords, from the ranking: {keywords} (--keywords gives others).")
            return keywords
    raise SettingError("There are no keywords to start from; give some: --keywords 'sports, hockey'.")


def _is_sheet(corpus: "Corpus") -> bool:
    from keysift.audit.sheet import check_sheet

    try:
        check_sheet(corpus.columns.with_columns(corpus.ids), corpus.source)
    except InputError:
        return False
    return True


def _labels(corpus: "Corpus", hashes: list[str], column: str | None) -> dict[int, str]:
    """The answers that came with the table; an audit sheet has them in its column `answer`."""
    from keysift.review.table_labels import labels_of

    if column is None and _is_sheet(corpus):
        column = "answer"
    return {} if column is None else labels_of(corpus.columns, column, hashes, corpus.source)


def _keep_labels(state: "State", numbers: list[int], labels: dict[int, str], chosen: str, quiet: bool) -> None:
    """Take over the answers of a table for documents that have none; answers that were given since stay."""
    if not labels:
        return
    known = state.answers()
    new = [(numbers[place], answer) for place, answer in labels.items() if numbers[place] not in known]
    if new:
        state.answer_all(new, chosen)
    others = sum(
        known[numbers[place]].answer not in (answer, "skipped")
        for place, answer in labels.items()
        if numbers[place] in known
    )
    if others:
        note(f"{counted(others, 'answer')} of the project differ from the table's; those of the project count.")
    if new and not quiet:
        say(f"Took over {counted(len(new), 'answer')} from the table.")


def _tell_gone(state: "State") -> None:
    gone, changed = state.gone()
    if gone:
        other = f" ({changed:,} have an id that is still there, with another text)" if changed else ""
        note(
            f"{counted(gone, 'answered document')} of the project {'is' if gone == 1 else 'are'} not among these"
            f"{other}; the answers are kept, and count when the documents are back."
        )
