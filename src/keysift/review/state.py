"""The one state of a project: answers, notes, keywords, settings and stop checks, in a folder.

Answers follow documents by the hash of their text and by their id, so that a corpus that grew, shrank or was sorted
anew keeps them. Every change is one transaction, on the disk before the call returns.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from sqlite3 import Connection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keysift.errors import InputError
from keysift.review.database import FILE, in_sentences, opened, transaction

SKIPPED = "skipped"
BEST, EXPLORE, SAMPLE, AUDIT, LABEL, GIVEN = "best", "explore", "sample", "audit", "label", "given"
"""How a document came to be answered: the best, drawn now and then, drawn for a stop check, drawn by an audit, labelled
in the table, or chosen by a caller of Python. Only a sample and an audit are drawn at random."""
SAME = 0.5
"""At least this share of the smaller of two corpora is in the other, or they are two."""


@dataclass(frozen=True)
class Given:
    """What was said of a document."""

    answer: str
    """y, n, unsure or skipped."""
    chosen: str
    at: str


@dataclass(frozen=True, eq=False)
class Check:
    """A stop check: documents that were unread when it began, in the random order in which they are read."""

    number: int
    frame: NDArray[np.int64]
    """The numbers of the documents."""
    last_document: int
    """The highest number of a document that there was; later ones were added to the corpus since."""
    drawn: int | None
    """How many of the frame were read when it ended; None while it runs."""

    @property
    def running(self) -> bool:
        """Whether it goes on."""
        return self.drawn is None


class State:
    """A project folder; `State.open` gives one.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     with State.open(folder) as state:
    ...         documents = state.corpus(["hash of a", "hash of b"], ["a", "b"], "news.csv")
    ...         state.answer(int(documents[1]), "y", BEST)
    ...     with State.open(folder) as state:  # the corpus has grown, and was sorted anew
    ...         documents = state.corpus(["hash of b", "hash of c", "hash of a"], ["b", "c", "a"], "news.csv")
    ...         [documents.tolist().index(document) for document in state.answers()]
    [0]
    """

    def __init__(self, folder: Path, database: Connection) -> None:
        self.folder, self._database = folder, database

    @classmethod
    @contextmanager
    def open(cls, folder: str | Path, *, new: bool = True) -> "Iterator[State]":
        """The state of a folder, made if need be unless `new` is false; no other process has it meanwhile."""
        with opened(Path(folder), new=new) as database:
            yield cls(Path(folder), database)

    @property
    def path(self) -> Path:
        """The file."""
        return self.folder / FILE

    @property
    def settings(self) -> dict[str, Any]:
        """What was remembered."""
        return {name: json.loads(value) for name, value in self._rows("SELECT name, value FROM settings")}

    def remember(self, settings: Mapping[str, Any]) -> None:
        """Keep settings; others stay as they are."""
        rows = [(name, json.dumps(value)) for name, value in settings.items()]
        with self._saving("The settings were not saved"):
            self._database.executemany("INSERT OR REPLACE INTO settings VALUES (?, ?)", rows)

    @property
    def keywords(self) -> list[str]:
        """Every version of the keywords, the last one last."""
        return [keywords for (keywords,) in self._rows("SELECT keywords FROM keywords ORDER BY number")]

    def versions(self) -> list[tuple[int, str, str]]:
        """Number, keywords and time of every version, the last one last."""
        return [(int(number), keywords, at) for number, keywords, at in self._rows("SELECT * FROM keywords")]

    def use_keywords(self, keywords: str) -> bool:
        """Keep a version of the keywords; whether it is another than the last."""
        if self.keywords[-1:] == [keywords]:
            return False
        with self._saving("The keywords were not saved"):
            self._database.execute("INSERT INTO keywords (keywords, at) VALUES (?, ?)", (keywords, _now()))
        return True

    def corpus(self, hashes: Sequence[str], ids: Sequence[str], source: str) -> NDArray[np.int64]:
        """The number of each document of a corpus; new ones get one, and those that are gone keep theirs.

        An id may be empty, where there is none. A corpus that has little in common with the one before is refused, if
        there is an answer or a note to lose.
        """
        found = self.find(hashes, ids)
        known = {number for number in found if number is not None}
        before = {number for (number,) in self._rows("SELECT number FROM documents WHERE present")}
        kept = self._rows("SELECT 1 FROM answers UNION SELECT 1 FROM notes LIMIT 1")
        if kept and len(known & before) < SAME * min(len(before), len(hashes)):
            was = self.settings.get("source", "another file")
            raise InputError(
                f"The project {self.folder} belongs to another corpus: {len(before):,} documents of {was}, of which"
                f" {len(known & before):,} are among the {len(hashes):,} of {source}; give the documents it was started"
                " with (there may be more of them now), or choose another folder with state=."
            )
        with self._saving("The documents were not saved"):
            self._database.execute("UPDATE documents SET present = 0 WHERE present")
            for place, (number, hashed, id) in enumerate(zip(found, hashes, ids, strict=True)):
                if number is None:
                    found[place] = self._database.execute(
                        "INSERT INTO documents (hash, id) VALUES (?, ?)", (hashed, id)
                    ).lastrowid
                else:
                    change = "UPDATE documents SET id = coalesce(nullif(?, ''), id), present = 1 WHERE number = ?"
                    self._database.execute(change, (id, number))
        return np.array(found, dtype=np.int64)

    def find(self, hashes: Sequence[str], ids: Sequence[str], *, by_id: bool = False) -> list[int | None]:
        """The numbers of documents, None where one is not known: by text and id, then by the text alone.

        The text alone tells, because ids are often only the numbers of the rows. With `by_id` the id alone does, too:
        a spreadsheet cuts long texts.
        """
        both: dict[tuple[str, str], int] = {}
        by_hash: dict[str, list[int]] = defaultdict(list)
        alone: dict[str, int] = {}
        for number, hashed, id in self._rows("SELECT number, hash, id FROM documents ORDER BY present DESC, number"):
            both.setdefault((hashed, id), number)
            by_hash[hashed].append(number)
            alone.setdefault(id, number)
        found = [both.pop((hashed, id), None) for hashed, id in zip(hashes, ids, strict=True)]
        taken = set(found)
        for place, (hashed, id) in enumerate(zip(hashes, ids, strict=True)):
            if found[place] is None:
                free = [number for number in by_hash.get(hashed, ()) if number not in taken]
                number = free[0] if free else alone.get(id) if by_id else None
                found[place] = None if number in taken else number
                taken.add(found[place])
        return found

    def gone(self) -> tuple[int, int]:
        """How many answered documents are not in the corpus any more; and of how many of these an id still is there."""
        gone = "documents.present = 0 AND documents.number IN (SELECT document FROM answers WHERE answer != 'skipped')"
        same = "documents.id IN (SELECT id FROM documents WHERE present)"
        ((every,),) = self._rows(f"SELECT count(*) FROM documents WHERE {gone}")
        ((changed,),) = self._rows(f"SELECT count(*) FROM documents WHERE {gone} AND {same}")
        return int(every), int(changed)

    def answers(self) -> dict[int, Given]:
        """What was said of each document, by its number, in the order in which it was said."""
        rows = self._rows("SELECT document, answer, chosen, at FROM answers ORDER BY number")
        return {document: Given(answer, chosen, at) for document, answer, chosen, at in rows}

    def answers_by_text(self) -> dict[str, str]:
        """The answer to each text, by its hash; a text that was answered twice and differently has none."""
        rows = self._rows(
            "SELECT hash, min(answer) FROM answers JOIN documents ON document = documents.number"
            " WHERE answer != 'skipped' GROUP BY hash HAVING count(DISTINCT answer) = 1"
        )
        return dict(rows)

    def answer(self, document: int, answer: str, chosen: str) -> None:
        """Save an answer; it takes the place of an earlier one."""
        self.answer_all([(document, answer)], chosen)

    def answer_all(self, answers: Sequence[tuple[int, str]], chosen: str) -> None:
        """Save several answers, or none of them."""
        rows = [(document, answer, chosen, _now()) for document, answer in answers]
        with self._saving("The answer was not saved" if len(rows) == 1 else "The answers were not saved"):
            self._database.executemany(
                "INSERT OR REPLACE INTO answers (document, answer, chosen, at) VALUES (?, ?, ?, ?)", rows
            )

    def take_back(self, document: int) -> None:
        """Forget an answer."""
        with self._saving("The answer was not taken back"):
            self._database.execute("DELETE FROM answers WHERE document = ?", (document,))

    def notes(self) -> dict[int, str]:
        """The note on each document that has one."""
        return dict(self._rows("SELECT document, note FROM notes"))

    def note(self, document: int, note: str) -> None:
        """Save a note; an empty one takes an earlier one away."""
        with self._saving("The note was not saved"):
            self._database.execute("DELETE FROM notes WHERE document = ?", (document,))
            if note:
                self._database.execute("INSERT INTO notes VALUES (?, ?, ?)", (document, note, _now()))

    def checks(self) -> list[Check]:
        """Every stop check, the last one last."""
        rows = self._rows("SELECT number, frame, last_document, drawn FROM checks ORDER BY number")
        return [Check(number, np.frombuffer(frame, "<i8"), last, drawn) for number, frame, last, drawn in rows]

    def begin_check(self, frame: NDArray[np.int64]) -> None:
        """Start a stop check over documents, in the order in which they are to be read."""
        with self._saving("The stop check was not started"):
            self._database.execute(
                "INSERT INTO checks (frame, last_document, began) SELECT ?, coalesce(max(number), 0), ? FROM documents",
                (np.ascontiguousarray(frame, dtype="<i8").tobytes(), _now()),
            )

    def end_check(self, number: int, drawn: int) -> None:
        """End a stop check after so many documents; one without any is forgotten."""
        with self._saving("The end of the stop check was not saved"):
            if drawn:
                change = "UPDATE checks SET ended = ?, drawn = ? WHERE number = ?"
                self._database.execute(change, (_now(), drawn, number))
            else:
                self._database.execute("DELETE FROM checks WHERE number = ?", (number,))

    def _rows(self, query: str) -> list[tuple[Any, ...]]:
        with in_sentences(self.path, "Nothing was read"):
            return self._database.execute(query).fetchall()

    @contextmanager
    def _saving(self, lost: str) -> Iterator[None]:
        with transaction(self._database, self.path, lost):
            yield


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
