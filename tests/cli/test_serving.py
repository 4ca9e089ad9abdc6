"""`keysift serve` in a process of its own: it starts, serves, stops, and goes on where it was."""

import json
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from tests.cli.light import COMMAND, LIGHT, answers

Run = Callable[..., Result]


@contextmanager
def serving(*arguments: object) -> Iterator[tuple[str, "subprocess.Popen[str]"]]:
    """A server, and the address that it printed."""
    command = [*COMMAND, "serve", *map(str, arguments), "--port", "0", "--no-browser", *LIGHT]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        try:
            address = re.search(r"http://\S+", server.stderr.readline())
            assert address, server.stderr.read()
            yield address.group(), server
        finally:
            server.kill()


def ask(address: str, path: str, body: Any = None, **headers: str) -> Any:
    """What the server says, as soon as it does."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{address}{path}", data, {"content-type": "application/json", **headers})
    for _ in range(200):
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return json.load(answer)
        except ConnectionRefusedError:
            time.sleep(0.05)
    raise AssertionError("no answer")


def learned(address: str) -> dict[str, Any]:
    for _ in range(400):
        status: dict[str, Any] = ask(address, "api/status")
        if status["job"] is None or status["job"]["state"] != "running":
            return status
        time.sleep(0.05)
    raise AssertionError(status)


def test_killed_in_the_middle_nothing_is_lost(documents: Path, tmp_path: Path) -> None:
    project = tmp_path / "project"
    with serving(documents, "-k", "hockey, baseball", "--project", project) as (address, server):
        assert learned(address)["keywords"] == "hockey, baseball"
        for answer in "yny":
            document = ask(address, "api/review")["shown"]["document"]
            ask(address, "api/review/answer", {"document": document, "answer": answer})
        server.send_signal(signal.SIGKILL)
        server.wait()
    assert answers(project) == ["y", "n", "y"]
    with serving("--project", project) as (address, server):
        status = learned(address)
        assert (status["answers"], status["keywords"]) == (3, "hockey, baseball")
        assert status["corpus"]["file"] == documents.name
        server.send_signal(signal.SIGINT)
        assert server.wait(20) == 0
        assert server.stderr is not None
        assert f"Stopped. Everything is kept in {project}." in server.stderr.read()


def test_a_second_server_or_review_of_the_project_is_refused(run: Run, documents: Path, tmp_path: Path) -> None:
    project = tmp_path / "project"
    with serving("--project", project) as (address, _):
        assert learned(address)["corpus"] is None
        second = run("serve", "--project", project, "--port", "0", "--no-browser")
        assert second.exit_code == 2
        assert "is open" in second.stderr


def test_another_host_needs_the_token_that_is_printed(tmp_path: Path) -> None:
    with serving("--project", tmp_path / "project", "--host", "0.0.0.0") as (printed, _):
        address, _, token = printed.partition("?token=")
        local = re.sub(r"//[^:/]+", "//127.0.0.1", address)
        for _ in range(100):
            try:
                with pytest.raises(urllib.error.HTTPError, match="401"):
                    ask(local, "api/status")
                break
            except urllib.error.URLError:
                time.sleep(0.05)
        assert ask(local, "api/status", authorization=f"Bearer {token}")["corpus"] is None


def test_a_port_that_is_taken_is_told_before_anything_is_made(run: Run, tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        result = run("serve", "--project", tmp_path / "project", "--port", port, "--no-browser")
    assert result.exit_code == 2
    assert f"Cannot listen at 127.0.0.1:{port}" in result.stderr
    assert "--port" in result.stderr
    assert not (tmp_path / "project").exists()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [(["nothing.csv"], "There is no file nothing.csv"), (["--port", "70000"], "from 0 to 65535")],
)
def test_what_cannot_be_served(run: Run, tmp_path: Path, arguments: list[str], told: str) -> None:
    result = run("serve", *arguments, "--project", tmp_path / "project", "--no-browser")
    assert result.exit_code == 2
    assert told in result.stderr
    assert not (tmp_path / "project").exists()


def test_without_the_extra_the_pip_line_is_told(tmp_path: Path) -> None:
    hidden = "import sys; sys.modules['fastapi'] = None; from keysift.cli import main; main()"
    command = [sys.executable, "-c", hidden, "serve", "--project", str(tmp_path / "project")]
    ended = subprocess.run(command, capture_output=True, text=True)
    assert ended.returncode == 2
    assert "pip install 'keysift[web]'" in ended.stderr
    assert "Traceback" not in ended.stderr
