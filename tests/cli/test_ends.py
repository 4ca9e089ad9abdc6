"""How a run ends before its end: signals, a full disk behind standard output, another process at the same file."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest

from tests.cli.light import SPORTS

COMMAND = [sys.executable, "-c", "from keysift.cli import main; main()"]
SLOW = """
import sys, time
from keysift.corpus import writing

def slow(frame, part, compression):
    part.write_text("half a ranking")
    print("writing", file=sys.stderr, flush=True)
    time.sleep(60)

writing.WRITERS["csv"] = slow
from keysift.cli import main
main()
"""
IMPORTING = """
import os, signal, sys

class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == "rich.console":
            os.kill(os.getpid(), signal.SIGINT)
            for _ in range(1000000): pass

sys.meta_path.insert(0, Interrupt())
from keysift.cli import main
main()
"""


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def start_writing(documents: Path, out: Path) -> subprocess.Popen[str]:
    """A run that has begun to write its result, and takes its time."""
    command = [sys.executable, "-c", SLOW, "rank", str(documents), *SPORTS, "-o", str(out), "-q"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    assert process.stderr is not None
    assert process.stderr.readline() == "writing\n"
    return process


def test_a_run_that_is_asked_to_end_cleans_up(documents: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    out.write_text("an earlier ranking")
    with start_writing(documents, out) as process:
        assert len(names(tmp_path)) == 3
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=30) == 143
        assert process.stderr is not None
        assert process.stderr.read() == "Stopped from outside. No file was left half-written.\n"
    assert names(tmp_path) == ["documents.csv", "out.csv"]
    assert out.read_text() == "an earlier ranking"


def test_what_a_killed_run_leaves_is_removed_by_the_next(documents: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    with start_writing(documents, out) as process:
        process.kill()
    (left,) = (name for name in names(tmp_path) if name != "documents.csv")
    assert left.startswith(".out.csv.keysift-")
    command = [*COMMAND, "rank", str(documents), *SPORTS, "-o", str(out), "-q"]
    subprocess.run(command, check=True, capture_output=True)
    assert names(tmp_path) == ["documents.csv", "out.csv"]


def test_interrupted_while_it_is_loaded() -> None:
    done = subprocess.run([sys.executable, "-c", IMPORTING, "--help"], capture_output=True, text=True, check=False)
    assert done.returncode == 130
    assert done.stdout == done.stderr == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_behind_standard_output(documents: Path, tmp_path: Path) -> None:
    with Path("/dev/full").open("w") as full:
        command = [*COMMAND, "rank", str(documents), *SPORTS, "-q"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2, done.stderr
    assert done.stderr == "Error: No space left on device; check it, then try again.\n"


def test_two_people_at_one_audit(documents: Path, tmp_path: Path) -> None:
    ranked, audit = tmp_path / "ranked.csv", tmp_path / "audit.csv"
    for command in (["rank", documents, *SPORTS, "-o", ranked], ["audit", "start", ranked, "-n", "12", "-o", audit]):
        subprocess.run([*COMMAND, *map(str, command), "-q"], check=True)
    label = [*COMMAND, "audit", "label", str(audit)]
    with subprocess.Popen(label, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as first:
        assert first.stdin is not None
        first.stdin.write(b"y\n")
        first.stdin.flush()
        for _ in range(300):  # until the first answer is saved
            if answered(audit) == 1:
                break
            time.sleep(0.1)
        second = subprocess.run(label, input="n\nn\n", capture_output=True, text=True, check=False)
        assert second.returncode == 2
        assert f"{audit} is being labelled by another process (number {first.pid}); finish there first." in (
            second.stderr.replace("\n", "")
        )
        first.communicate(b"n\nq\n", timeout=60)
    assert answered(audit) == 2
    again = subprocess.run(label, input="y\nq\n", capture_output=True, text=True, check=False)
    assert again.returncode == 0
    assert answered(audit) == 3
    assert names(tmp_path) == ["audit.csv", "documents.csv", "ranked.csv"]


def answered(audit: Path) -> int:
    return pl.read_csv(audit, infer_schema=False)["answer"].fill_null("").to_list().count("") * -1 + 12


def test_an_audit_that_a_spreadsheet_saves_meanwhile_keeps_both(documents: Path, tmp_path: Path) -> None:
    from keysift.audit import start
    from keysift.cli.labelling import Saving
    from keysift.errors import OutputError
    from keysift.files.atomic import stamp_of

    ranking = {
        "id": range(20),
        "rank": range(1, 21),
        "score": [9.0 - n for n in range(20)],
        "decision": [1] * 5 + [0] * 15,
    }
    sheet, audit = start(pl.DataFrame(ranking), 8), tmp_path / "audit.csv"
    sheet.write_csv(audit)
    saving = Saving(sheet, audit, stamp_of(audit))
    saving(["y"] + [""] * 7)
    saving(["y", "n"] + [""] * 6)
    elsewhere = ["y", "n", "n", "n"] + [""] * 4
    sheet.with_columns(pl.Series("answer", elsewhere)).write_csv(audit)
    os.utime(audit, ns=(1, 1))
    with pytest.raises(OutputError, match="was changed by another program while you answered"):
        saving(["y", "n", "y"] + [""] * 5)
    assert pl.read_csv(audit, infer_schema=False)["answer"].fill_null("").to_list() == elsewhere
