"""A result as a folder of Parquet files with a manifest, which appears only when it is whole."""

import json
import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from keysift.errors import OutputError
from keysift.files.scratch import scratch_folder
from keysift.streaming.ledger import checksum_of

MANIFEST = "manifest.json"


def check_dataset(folder: str | Path) -> Path:
    """Return the folder, or say why no result can be written there before the work starts."""
    folder = Path(folder)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise OutputError(f"Cannot write the folder {folder}: there is something already; choose another name.")
    parent = folder.resolve().parent
    if not parent.is_dir() or not os.access(parent, os.W_OK):
        raise OutputError(f"Cannot write {folder}: the folder {parent} is not there, or not writable; choose another.")
    return folder


def write_dataset(pieces: Sequence[Path], folder: str | Path, facts: Mapping[str, Any]) -> None:
    """Copy the pieces and write the manifest: what is in each file, with a checksum, and the `facts` of the result."""
    folder = check_dataset(folder)
    try:
        with scratch_folder(folder.resolve().parent) as scratch:
            part = scratch / "whole"
            part.mkdir()
            files = []
            for piece in pieces:
                shutil.copyfile(piece, part / piece.name)
                files.append({"file": piece.name, "checksum": checksum_of(part / piece.name)})
            manifest = json.dumps({**facts, "files": files}, indent=1, ensure_ascii=False)
            (part / MANIFEST).write_text(manifest, encoding="utf-8")
            if folder.exists():
                folder.rmdir()
            part.rename(folder)
    except OSError as error:
        raise OutputError(f"Cannot write {folder}: {error.strerror or error}; choose another place.") from error
