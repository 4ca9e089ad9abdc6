"""A workbench on the small corpus, and a client that talks to its API."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from fastapi.testclient import TestClient

from keysift.review.state import State
from keysift.web.api import application
from keysift.web.workbench import Workbench
from tests.light import LIGHT

ARGUMENTS: dict[str, Any] = {**LIGHT, "prior": "estimate", "threshold": "prior", "loss": "sigmoid", "random_state": 0}
HOSTILE = "<script>alert(1)</script> <img src=x onerror=alert(2)> \x1b[31mred\x1b[0m hockey goalie"


def news(folder: Path, corpus: pl.DataFrame) -> Path:
    """The small corpus as a file, and a document that means harm."""
    path = folder / "news.csv"
    texts = [*corpus["text"], HOSTILE, ""]
    topics = [*corpus["topic"], "sports", "law"]
    names = [f"d{place}" for place in range(len(texts))]
    pl.DataFrame({"id": names, "text": texts, "topic": topics}).write_csv(path)
    return path


def talking(bench: Workbench) -> TestClient:
    """A client of a workbench; within a `with` block."""
    return TestClient(application(bench), base_url="http://127.0.0.1:8765")


def learn(bench: Workbench, file: Path) -> None:
    """Learn from two keywords."""
    bench.resume(file, {"hockey": 1.0, "baseball": 1.0})
    bench.jobs.wait()
    assert bench.jobs.last is not None
    assert bench.jobs.last.state == "done", bench.jobs.last


@pytest.fixture
def file(tmp_path: Path, corpus: pl.DataFrame) -> Path:
    """The small corpus as a file."""
    return news(tmp_path, corpus)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    """A workbench with nothing in it."""
    with State.open(tmp_path / "project") as state, Workbench(state, ARGUMENTS, most=50_000) as bench:
        yield bench


@pytest.fixture
def client(bench: Workbench) -> Iterator[TestClient]:
    """Talks to it."""
    with talking(bench) as client:
        yield client


@pytest.fixture
def learned(bench: Workbench, client: TestClient, file: Path) -> TestClient:
    """Talks to it when it has learned from two keywords."""
    learn(bench, file)
    return client


@pytest.fixture(scope="module")
def looked_at(tmp_path_factory: pytest.TempPathFactory, corpus: pl.DataFrame) -> Iterator[TestClient]:
    """The same, for all tests of a module that only look."""
    folder = tmp_path_factory.mktemp("looked-at")
    with State.open(folder / "project") as state, Workbench(state, ARGUMENTS) as bench, talking(bench) as client:
        learn(bench, news(folder, corpus))
        yield client
