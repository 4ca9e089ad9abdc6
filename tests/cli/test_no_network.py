"""No command reaches for the network unless it is asked to, and a file cannot make one do so.

The commands run in a child process that notes every attempt to find a name or to connect, and once more in a network
namespace without any route, where the system allows to make one.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from keysift.files.tensors import read_model, write_model

CHILD = """
import json, sys

attempts = []

def watch(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto", "socket.bind"):
        attempts.append(f"{event} {arguments[1:]}")
        raise OSError("the network is out of bounds")

sys.addaudithook(watch)
import keysift.demo

every = keysift.demo._source_files

def few(package):  # the demonstration, on a few files
    files = list(every(package))
    return files[10:14] + [(root, file) for root, file in files if "stats" in file.parts][:3]

keysift.demo._source_files = few
from keysift.cli.app import app

codes = []
for arguments in json.loads(sys.argv[1]):
    try:
        app(arguments)
        codes.append(0)
    except SystemExit as end:
        codes.append(end.code or 0)
print("ended:", json.dumps([codes, attempts]))
"""
ISOLATED = """
import socket, sys
try:
    socket.create_connection(("192.0.2.1", 80), timeout=5)
except OSError:
    pass
else:
    sys.exit("there is a network")
"""


def run_all(commands: list[list[object]], folder: Path, *before: str) -> tuple[list[int], list[str], str]:
    given = json.dumps([[str(one) for one in command] for command in commands])
    environment = {**os.environ, "KEYSIFT_CACHE": str(folder / "cache"), "HF_HUB_OFFLINE": "0"}
    done = subprocess.run(
        [*before, sys.executable, "-c", CHILD, given],
        capture_output=True, text=True, check=True, cwd=folder, env=environment,
    )  # fmt: skip
    codes, attempts = json.loads(done.stdout.rpartition("ended:")[2])
    return codes, attempts, done.stderr


def every_command(documents: Path, folder: Path) -> list[list[object]]:
    ranked, model, audit = folder / "ranked.csv", folder / "m.keysift", folder / "audit.csv"
    keywords = ["-k", "hockey, baseball", "--text", "text"]
    return [
        ["rank", documents, *keywords, "-o", ranked, "--model-out", model, "--report", folder / "r.html"],
        ["fit", documents, *keywords, "-o", folder / "f.keysift", "--work", folder / "work"],
        ["score", model, documents, "--text", "text", "-o", folder / "scored.csv"],
        ["thresholds", model, documents, "--text", "text", "--plot", folder / "sweep.html"],
        ["decide", ranked, "--threshold", "top=5", "-o", folder / "decided.csv"],
        ["decide", model, "--threshold", "top=5", "-o", folder / "d.keysift"],
        ["keywords", documents, *keywords],
        ["compare", ranked, folder / "decided.csv"],
        ["evaluate", ranked],
        ["simulate", documents, *keywords, "--plot", folder / "curve.html"],
        ["audit", "start", ranked, "--text", "text", "-n", "12", "-o", audit],
        ["demo", "--report", folder / "demo.html"],
        ["--help"],
        ["--version"],
    ]


def test_no_command_asks_for_the_network(documents: Path, tmp_path: Path) -> None:
    commands = every_command(documents, tmp_path)
    codes, attempts, told = run_all(commands, tmp_path)
    assert attempts == []
    assert codes == [0] * len(commands), told


def test_all_commands_work_where_there_is_no_network(documents: Path, tmp_path: Path) -> None:
    alone = ["unshare", "--map-root-user", "--net"]
    if shutil.which("unshare") is None or subprocess.run([*alone, "true"], capture_output=True, check=False).returncode:
        pytest.skip("this system does not allow to make a network namespace (unshare --map-root-user --net)")
    subprocess.run([*alone, sys.executable, "-c", ISOLATED], check=True)
    commands = every_command(documents, tmp_path)
    codes, attempts, told = run_all(commands, tmp_path, *alone)
    assert attempts == []
    assert codes == [0] * len(commands), told


@pytest.mark.parametrize("encoder", ["somebody/some-model", "some-model", "here", "./here"])
def test_a_file_that_names_an_encoder_loads_nothing(documents: Path, tmp_path: Path, encoder: str) -> None:
    """A model on a hub, or a folder where somebody happens to be: neither is even looked at."""
    folder = tmp_path / "here"
    folder.mkdir()
    (folder / "config.json").write_text("{}")  # as in a folder with a model
    model, named = tmp_path / "m.keysift", tmp_path / "named.keysift"
    vectors = tmp_path / "vectors.jsonl"
    frame = pl.read_csv(documents)
    frame.select("text", v=pl.Series([[float(label), 1.0] for label in frame["label"]])).write_ndjson(vectors)
    options = ["-k", "hockey, baseball", "--rounds", "0"]
    fitted, _, told = run_all([["fit", vectors, *options, "--vector-column", "v", "-o", model]], tmp_path)
    assert fitted == [0], told
    arrays, settings = read_model(model)
    settings["constructor"]["encoder"] = encoder
    write_model(named, arrays, settings)
    commands = [["score", named, vectors, "--text", "text"], ["thresholds", named, vectors, "--text", "text"]]
    codes, attempts, told = run_all([*commands, ["score", named, vectors, "--vector-column", "v"]], tmp_path)
    assert attempts == []
    assert codes == [2, 2, 0], told
    assert told.count(f"names the encoder '{encoder}', and what only a file names is not loaded") == 2
    assert f"ask for it with --encoder {encoder}, or hand in --vector-column" in told


def test_the_watch_notices_a_call(documents: Path, tmp_path: Path) -> None:
    """Whoever asks for a model on a hub makes a call, which the child sees: the tests above can fail."""
    pytest.importorskip("sentence_transformers")
    asked = ["rank", documents, "-k", "hockey", "--text", "text", "--encoder", "somebody/some-model"]
    codes, attempts, told = run_all([asked], tmp_path)
    assert codes == [2]
    assert attempts
    assert "Cannot load the encoder 'somebody/some-model'" in told
