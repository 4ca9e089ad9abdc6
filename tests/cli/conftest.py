from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner, Result

from keysift.cli.app import app
from tests.cli.light import SPORTS

Run = Callable[..., Result]


@pytest.fixture(name="run")
def run_command() -> Run:
    """The command line in this process: `run("rank", file, "--keywords", ...)`."""

    def run(*arguments: object, input: str | bytes | None = None) -> Result:
        return CliRunner().invoke(app, [str(argument) for argument in arguments], input=input, prog_name="keysift")

    return run


@pytest.fixture
def documents(tmp_path: Path, corpus: pl.DataFrame) -> Path:
    """The small corpus as a .csv with an id, a text and a label."""
    path = tmp_path / "documents.csv"
    labelled = corpus.with_columns(label=(pl.col("topic") == "sports").cast(pl.Int64)).drop("topic")
    labelled.with_row_index("id", offset=100).write_csv(path)
    return path


@pytest.fixture
def model(tmp_path: Path, documents: Path, run: Run) -> Path:
    path = tmp_path / "sports.keysift"
    assert run("fit", documents, *SPORTS, "--model-out", path, "-q").exit_code == 0
    return path


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return tmp_path / "project"


@pytest.fixture
def begun(run: Run, documents: Path, project: Path) -> Path:
    """A project with three answers and a note."""
    result = run("review", documents, *SPORTS, "--state", project, input="y\nn\no\nlook again\nu\nq\n")
    assert result.exit_code == 0, result.output
    return project
