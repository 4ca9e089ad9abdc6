"""The SQLite file of a project: opened by one process at a time, and every error of it in a sentence.

The journal is SQLite's own beside the file and is on the disk before the file changes, so that a transaction that was
told to be done outlives a killed process, and one that was not leaves no trace.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from keysift.errors import InputError, KeysiftError, OutputError
from keysift.files.lock import only_one

FILE = "review.sqlite"
VERSION = 1
"""Of the tables; a file with a higher one was written by a newer keysift."""
OURS = 0x6B657973
"""The application id of the file."""
SCHEMA = """
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE keywords (number INTEGER PRIMARY KEY AUTOINCREMENT, keywords TEXT NOT NULL, at TEXT NOT NULL);
CREATE TABLE documents (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    hash TEXT NOT NULL,
    id TEXT NOT NULL,
    present INTEGER NOT NULL DEFAULT 1
);
CREATE TABLE answers (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    document INTEGER NOT NULL UNIQUE REFERENCES documents,
    answer TEXT NOT NULL CHECK (answer IN ('y', 'n', 'unsure', 'skipped')),
    chosen TEXT NOT NULL CHECK (chosen IN ('best', 'explore', 'sample', 'audit', 'label', 'given')),
    at TEXT NOT NULL
);
CREATE TABLE notes (document INTEGER PRIMARY KEY REFERENCES documents, note TEXT NOT NULL, at TEXT NOT NULL);
CREATE TABLE checks (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    frame BLOB NOT NULL,
    last_document INTEGER NOT NULL,
    began TEXT NOT NULL,
    ended TEXT,
    drawn INTEGER
);
"""


@contextmanager
def opened(folder: Path, *, new: bool = True) -> Iterator[sqlite3.Connection]:
    """The database of a project folder, made if need be unless `new` is false; nobody else has it at the same time.

    Where the block fails before anything is kept, what was made for it goes away again.
    """
    path, folder_is_new, file_is_new = folder / FILE, not folder.exists(), not (folder / FILE).exists()
    if folder.exists() and not folder.is_dir():
        raise OutputError(f"Cannot use {folder} as a project: it is a file; give a folder, or the name of a new one.")
    if not new and not path.exists():
        raise InputError(
            f"{folder} holds no review ({FILE} is not there); start one: keysift review DOCUMENTS -k KEYWORDS --state"
            f" {folder}."
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(
            f"Cannot make the project {folder}: {(error.strerror or str(error)).lower()}; choose another place."
        ) from error
    kept = True
    try:
        with only_one(path, "is open in a review or an audit"):
            # Answers are written one by one: each statement is its own transaction, or says where one begins.
            # A server answers in several threads, one at a time.
            database = sqlite3.connect(path, isolation_level=None, timeout=5.0, check_same_thread=False)
            try:
                with in_sentences(path, "Nothing was read"):
                    _make_ready(database, path)
                yield database
            except BaseException:
                kept = not file_is_new or _holds_something(database)
                raise
            finally:
                database.close()
                if not kept:
                    path.unlink(missing_ok=True)
    finally:
        if folder_is_new and not kept:
            with suppress(OSError):  # somebody put something there
                folder.rmdir()


def _holds_something(database: sqlite3.Connection) -> bool:
    """Whether anything was kept in it."""
    tables = ("settings", "keywords", "documents")
    try:
        return any(database.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone() for table in tables)
    except sqlite3.Error:
        return True  # nobody knows, so nothing is removed


@contextmanager
def transaction(database: sqlite3.Connection, path: Path, lost: str) -> Iterator[None]:
    """All of the block or nothing of it; `lost` says what failing means, as in "The answer was not saved"."""
    with in_sentences(path, lost):
        database.execute("BEGIN IMMEDIATE")
        try:
            yield
            database.execute("COMMIT")
        except BaseException:
            if database.in_transaction:
                database.execute("ROLLBACK")
            raise


@contextmanager
def in_sentences(path: Path, lost: str) -> Iterator[None]:
    """Whatever SQLite complains of, in a sentence that begins with what it means for the user."""
    try:
        yield
    except sqlite3.Error as error:
        raise _told(error, path, lost) from error


def _told(error: sqlite3.Error, path: Path, lost: str) -> KeysiftError:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
        return OutputError(
            f"{lost}: the disk is full or fails ({path}: {error}); free some space, then go on: what was saved before"
            " is kept."
        )
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return OutputError(f"{lost}: {path} cannot be written ({error}); make it writable, or copy the folder.")
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return OutputError(f"{lost}: {path} is in use by another program; finish there first.")
    if code in (0, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):  # 0: found by our own check
        return InputError(
            f"{lost}: {path} is damaged, or no project of keysift ({error}); put a copy of it back, or choose another"
            " folder."
        )
    return InputError(f"{lost}: {path} cannot be used ({error}); put a copy of it back, or choose another folder.")


def _make_ready(database: sqlite3.Connection, path: Path) -> None:
    database.execute("PRAGMA foreign_keys = ON")
    database.execute("PRAGMA synchronous = FULL")
    version, ours = (
        int(database.execute(f"PRAGMA {name}").fetchone()[0]) for name in ("user_version", "application_id")
    )
    made = bool(database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])
    if made and ours != OURS:
        raise InputError(f"{path} is no project of keysift; choose another folder.")
    if version > VERSION:
        raise InputError(
            f"{path} was written by a newer keysift (its format is {version}, and this one knows {VERSION}); update"
            " keysift: pip install --upgrade keysift."
        )
    if made:
        fault = database.execute("PRAGMA quick_check(1)").fetchone()[0]
        if fault != "ok":
            raise sqlite3.DatabaseError(str(fault))
        return
    database.executescript(f"BEGIN; {SCHEMA} PRAGMA application_id = {OURS}; PRAGMA user_version = {VERSION}; COMMIT;")
