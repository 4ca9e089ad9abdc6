"""A Ray cluster of two workers that is ours to hurt: workers killed in each pass, and all of it lost."""

import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import polars as pl
import pytest

from tests.streaming.made_stream import OPTIONS, made_documents, write_documents

pytest.importorskip("ray")
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc"),
]
DOCUMENTS = 10_000
SMALL = (
    "from keysift.corpus import scan; scan.SHARD_BYTES = 6_000; from keysift.engines import ray; ray.PATIENCE = 5;"
    " from keysift.cli import main; main()"
)
"""The command line with small shards, and little patience with a cluster that is away."""


@dataclass(frozen=True)
class Cluster:
    """A cluster that was started here; nobody without its token gets in, nor do we get into another."""

    address: str
    environment: dict[str, str]
    process: "subprocess.Popen[bytes]"

    def processes(self, kind: bytes = b"") -> list[int]:
        """Its own processes, by how their command begins."""
        return [pid for pid in _below(self.process.pid) if _command(pid).startswith(kind)]

    def lose(self) -> None:
        for pid in self.processes() if self.process.poll() is None else ():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.kill()
        self.process.wait()


def _below(pid: int) -> list[int]:
    try:
        threads = [path.read_text(encoding="ascii") for path in Path(f"/proc/{pid}/task").glob("*/children")]
    except OSError:
        return []
    children = [int(child) for listed in threads for child in listed.split()]
    return [one for child in children for one in (child, *_below(child))]


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


@contextmanager
def cluster() -> Iterator[Cluster]:
    with socket.socket() as one, socket.socket() as other:
        one.bind(("127.0.0.1", 0))
        other.bind(("127.0.0.1", 0))
        port, clients = one.getsockname()[1], other.getsockname()[1]
    paths = os.pathsep.join(path for path in sys.path if path)
    own = {**os.environ, "PYTHONPATH": paths, "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
    # Not in the folder of pytest: the names of sockets have to be short.
    with tempfile.TemporaryDirectory(prefix="ray-", ignore_cleanup_errors=True) as folder:
        command = [sys.executable, "-m", "ray.scripts.scripts", "start", "--head", f"--port={port}", "--num-cpus=2"]
        command += ["--include-dashboard=false", "--disable-usage-stats", f"--temp-dir={folder}", "--block"]
        command += ["--object-store-memory=100000000", f"--ray-client-server-port={clients}"]
        with subprocess.Popen(command, env=own, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            made = Cluster(f"127.0.0.1:{port}", own, process)
            try:
                wait_for(lambda: bool(made.processes(b"ray::")))
                yield made
            finally:
                made.lose()


def wait_for(done: Callable[[], bool], seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def command(*arguments: object, small: str = SMALL) -> list[str]:
    return [sys.executable, "-c", small, *map(str, arguments)]


@pytest.fixture(name="rank", scope="module")
def written_here(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command, but for its engine and its output; beside its input is what the local engine writes."""
    folder = tmp_path_factory.mktemp("documents")
    source = write_documents(folder / "in.csv", DOCUMENTS)
    rank = command("rank", source, *OPTIONS, "--sample", 200, "--id", "key", "-q")
    subprocess.run([*rank, "--memory", "500MB", "-o", folder / "whole.csv"], check=True)
    return rank


def whole_of(rank: list[str]) -> bytes:
    return next(Path(word) for word in rank if word.endswith("in.csv")).with_name("whole.csv").read_bytes()


def test_a_worker_killed_in_each_pass_changes_nothing(rank: list[str], tmp_path: Path) -> None:
    work, out, killed = tmp_path / "work", tmp_path / "out.csv", Counter[str]()
    with cluster() as ours:
        asked = [*rank, "--engine", "ray", "--address", ours.address, "--work", str(work), "-o", str(out)]
        with subprocess.Popen(asked, env=ours.environment, stderr=subprocess.PIPE, text=True) as process:
            for passed in ("survey", "scored"):
                wait_for(lambda name=passed: any((work / "shards").glob(f"{name}-*.json")))  # type: ignore[misc]
                wait_for(lambda: bool(ours.processes(b"ray::MapBatches")))
                for worker in ours.processes(b"ray::MapBatches")[:1]:
                    os.kill(worker, signal.SIGKILL)
                    # In the middle: there were shards to do when it died.
                    killed[passed] = len(list((work / "shards").glob(f"{passed}-*.json")))
            _, said = process.communicate(timeout=300)
    assert process.returncode == 0, said
    shards = len(list((work / "shards").glob("scored-*.parquet")))
    assert {name: 0 < done < shards for name, done in killed.items()} == {"survey": True, "scored": True}, killed
    assert sorted(pl.read_csv(out)["id"]) == sorted(made_documents(DOCUMENTS)["key"])  # each exactly once
    assert out.read_bytes() == whole_of(rank)


def test_a_cluster_that_is_lost_leaves_what_is_finished(rank: list[str], tmp_path: Path) -> None:
    work, out = tmp_path / "work", tmp_path / "out.csv"
    asked = [*rank, "--engine", "ray", "--work", str(work), "-o", str(out)]
    with cluster() as ours:
        at_ours = [*asked, "--address", ours.address]
        with subprocess.Popen(at_ours, env=ours.environment, stderr=subprocess.PIPE, text=True) as process:
            wait_for(lambda: any((work / "shards").glob("scored-*.json")))
            ours.lose()
            _, said = process.communicate(timeout=120)
    assert process.returncode == 2, said
    assert "The Ray cluster was lost" in said
    assert "What was finished is kept in the work folder: give the same command again" in said
    assert "Traceback" not in said
    assert not out.exists()
    kept = {path: path.stat().st_mtime_ns for path in (work / "shards").glob("s*.json")}
    with cluster() as other:
        subprocess.run([*asked, "--address", other.address], env=other.environment, check=True, timeout=300)
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    assert out.read_bytes() == whole_of(rank)
