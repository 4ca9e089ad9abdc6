"""What is finished is kept: files of shards with their checksums, in a folder of one corpus and one set of settings.

A file and the note of its checksum are each written whole or not at all, so a run that is killed at any moment leaves
only parts that are finished, and the same command goes on from them.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from keysift.errors import OutputError, SettingError, warn
from keysift.files.atomic import written_whole
from keysift.workfolder import check_folder

RUN = "run.json"
"""What the folder belongs to."""
CHUNK = 1 << 22
LONGEST = 80
"""Characters of a setting in a message."""


def open_ledger(folder: str | Path, identity: Mapping[str, Any]) -> Path:
    """The folder, made if need be; that of another corpus or other settings is refused by what differs."""
    folder = check_folder(folder)
    path = folder / RUN
    now = json.loads(json.dumps(identity))
    if path.exists():
        try:
            before = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            before = None
            warn(f"The file {path} of the work folder is damaged; all is made again.")
        if isinstance(before, dict):
            for name, value in now.items():
                if before.get(name) != value:
                    raise SettingError(
                        f"The work folder {folder} belongs to {_what(name)} ({_shown(before.get(name))}; now"
                        f" {_shown(value)}); choose another folder, or remove this one."
                    )
            return folder
        for file in folder.glob("*.json"):
            file.unlink()
    _write_text(path, json.dumps(now, ensure_ascii=False))
    return folder


def finish(folder: Path, name: str, write: Callable[[Path], object], info: Mapping[str, Any]) -> dict[str, Any]:
    """Keep a file under a name, with what is to be known of it; `write` is given the path to write to.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = finish(Path(folder), "a.txt", lambda path: path.write_text("done"), {"documents": 3})
    ...     finished(Path(folder), "a.txt")
    {'documents': 3}
    """
    try:
        with written_whole(folder / name) as part:
            write(part)
            checksum = checksum_of(part)
    except OutputError as error:
        raise OutputError(_enough_room(str(error))) from None
    except Exception as error:
        if not _is_full(error):
            raise
        raise OutputError(_enough_room(f"Cannot write {folder / name}: {error}")) from None
    _write_text(folder / f"{name}.json", json.dumps({"checksum": checksum, "info": dict(info)}, ensure_ascii=False))
    return dict(info)


def finished(folder: Path, name: str) -> dict[str, Any] | None:
    """What is known of a finished file; None where there is none, or where it is damaged, which is said."""
    note = folder / f"{name}.json"
    if not note.exists():
        return None
    try:
        kept = json.loads(note.read_text(encoding="utf-8"))
        if checksum_of(folder / name) == kept["checksum"]:
            return dict(kept["info"])
    except (OSError, ValueError, KeyError, TypeError):
        pass
    warn(f"The file {folder / name} of the work folder is damaged; it is made again.")
    return None


def checksum_of(path: Path) -> str:
    """A hash of all bytes of a file."""
    digest = hashlib.blake2b(digest_size=16)
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def _write_text(path: Path, text: str) -> None:
    try:
        with written_whole(path) as part:
            part.write_text(text, encoding="utf-8")
    except OutputError as error:
        raise OutputError(_enough_room(str(error))) from None


def _is_full(error: Exception) -> bool:
    return "os error 28" in str(error).lower() or "no space left" in str(error).lower()


def _enough_room(message: str) -> str:
    """The same complaint with what to do where the disk is full."""
    if "no space left" not in message.lower() and "os error 28" not in message.lower():
        return message
    first = message.partition("\n")[0].partition("; choose another place")[0].rstrip(".")
    return (
        f"{first}; the disk of the work folder is full: make room and give the same command again, which goes on from"
        " what is finished, or choose another folder with work=."
    )


def _what(name: str) -> str:
    return "another corpus" if name in ("source", "files", "columns") else f"other {name}"


def _shown(value: object) -> str:
    text = ", ".join(f"{one}" for one in value) if isinstance(value, list) else str(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} …"
