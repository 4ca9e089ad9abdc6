"""Terminals, pipes, and an end before the end."""

import os
import shlex
import signal
import subprocess
import sys
import unicodedata
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from typer.testing import Result

from tests.cli.light import SPORTS

Run = Callable[..., Result]
COMMAND = [sys.executable, "-c", "from keysift.cli import main; main()"]
pytestmark = pytest.mark.usefixtures("small_glove")


def test_progress_bars_on_a_terminal(documents: Path, tmp_path: Path) -> None:
    reader, terminal = os.openpty()
    command = [*COMMAND, "rank", str(documents), *SPORTS, "-o", str(tmp_path / "out.csv")]
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100"}
    process = subprocess.Popen(command, stderr=terminal, stdout=subprocess.DEVNULL, env=environment)
    os.close(terminal)
    seen = b""
    while True:
        try:
            part = os.read(reader, 4096)
        except OSError:  # the terminal is closed
            break
        if not part:
            break
        seen += part
    os.close(reader)
    assert process.wait() == 0
    assert "━".encode() in seen
    assert b"Fitting all pairs" in seen


def test_interrupting_leaves_no_file(tmp_path: Path, corpus: pl.DataFrame) -> None:
    source, out = tmp_path / "large.parquet", tmp_path / "out.csv"
    pl.concat([corpus] * 4000).write_parquet(source)
    command = [*COMMAND, "rank", str(source), "--text", "text", *SPORTS, "-o", str(out)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    assert process.stderr is not None
    assert "Reading" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    told = process.stderr.read()
    process.stderr.close()
    assert process.wait() == 130, told
    assert "Stopped. No file was left half-written." in told
    assert "Traceback" not in told
    assert [path.name for path in tmp_path.iterdir()] == ["large.parquet"]


def test_interrupting_the_writing_leaves_no_file(
    run: Run, documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from keysift.corpus import writing

    def interrupted(frame: pl.DataFrame, part: Path, compression: str) -> None:
        part.write_text("half a ranking")
        raise KeyboardInterrupt

    monkeypatch.setitem(writing.WRITERS, "csv", interrupted)
    result = run("rank", documents, *SPORTS, "-o", tmp_path / "out.csv")
    assert result.exit_code == 130
    assert "Stopped. No file was left half-written." in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["documents.csv"]


def test_text_cannot_steer_the_terminal(run: Run, documents: Path, tmp_path: Path) -> None:
    with documents.open("a") as file:
        file.write('7,"\x1b[31mhockey \x1b]0;title\x07 [red]hockey[/red] baseball",1\n')
    for command in ("rank", "keywords"):
        result = run(command, documents, *SPORTS)
        assert "\x1b" not in result.output
        assert "\x07" not in result.output
        assert "[red]hockey[/red]" in result.stdout


def steers(text: str) -> set[str]:
    """The characters that a terminal would obey, or that hide from the reader."""
    return {one for one in text if unicodedata.category(one) in ("Cc", "Cf", "Cs", "Zl", "Zp") and one != "\n"}


def test_no_format_character_reaches_the_terminal_from_anywhere(run: Run, documents: Path, tmp_path: Path) -> None:
    """From a text, an id, a column, a file's name, a keyword, a label or an option."""
    evil = "\u202efdp.exe\u200b\x1b[2J\u2028\x9b31m"
    folder = tmp_path / f"folder{evil[:8]}"
    folder.mkdir()
    source = folder / f"documents{evil[:1]}.csv"
    frame = pl.read_csv(documents, infer_schema=False)
    frame = frame.with_columns(text=pl.col("text") + f" {evil} hockey", id=pl.col("id") + evil, label=pl.lit(evil))
    frame.write_csv(source)
    ranked, model, audit = (folder / f"{evil[:1]}{name}" for name in ("ranked.csv", "m.keysift", "audit.csv"))
    keywords = ["-k", f"hockey{evil[:1]}, baseball", "--encoder", "none", "--rounds", "0", "--text", "text"]
    for command in (
        ["rank", source, *keywords, "--model-out", model],
        ["rank", source, *keywords, "-o", ranked],
        ["rank", source, "-k", evil, "--text", "text"],
        ["keywords", source, *keywords],
        ["score", model, source, "--text", "text"],
        ["score", source, source],
        ["thresholds", model, source, "--text", "text"],
        ["evaluate", ranked],
        ["evaluate", ranked, "--label", evil],
        ["compare", ranked, ranked],
        ["decide", ranked, "--threshold", "top=3", "-o", folder / "decided.csv"],
        ["audit", "start", ranked, "--text", "text", "-n", 12, "-o", audit],
        ["audit", "label", audit],
        ["audit", "report", ranked, audit],
        ["rank", source, source, evil],
        ["rank", source, f"--{evil}"],
        ["rank", source, "-k", "a", "--top", evil],
        [evil],
    ):
        result = run(*command, input=f"y\nn\n{evil}\nb\nq\n" if "label" in command else None)
        assert result.exception is None or isinstance(result.exception, SystemExit), repr(result.exception)
        assert result.output.strip()
        assert steers(result.output) == set(), command


@pytest.mark.parametrize("closed", ["stdin", "stdout", "stderr"])
def test_closed_streams_do_no_harm(documents: Path, tmp_path: Path, closed: str) -> None:
    redirect = {"stdin": "<&-", "stdout": ">&-", "stderr": "2>&-"}[closed]
    out = tmp_path / "out.csv"
    command = shlex.join([*COMMAND, "rank", str(documents), *SPORTS, "-o", str(out)])
    finished = subprocess.run(f"{command} {redirect}", shell=True, capture_output=True, text=True)
    assert finished.returncode == 0, finished.stderr
    assert "Traceback" not in finished.stderr
    assert out.exists()


def test_a_terminal_without_unicode(documents: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    command = [*COMMAND, "rank", str(documents), *SPORTS]
    finished = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert finished.returncode == 0, finished.stderr
