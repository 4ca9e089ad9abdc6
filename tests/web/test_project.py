from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import anyio
import numpy as np
import pytest

from keysift.review.state import State
from keysift.web.project import Project
from keysift.web.refusals import NotThereError, TooLargeError, WrongTypeError


async def parts(*chunks: bytes) -> AsyncIterator[bytes]:
    for chunk in chunks:
        yield chunk


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with State.open(tmp_path) as state:
        yield Project(state, most=10)


def keep(project: Project, *chunks: bytes) -> None:
    """Keep a file, in a thread of its own: where a browser was tested before, this one has an event loop already."""
    with ThreadPoolExecutor(1) as elsewhere:
        elsewhere.submit(anyio.run, project.keep, "a.csv", parts(*chunks)).result()


@pytest.mark.parametrize("name", ["../a.csv", "a/b.csv", "..", ".csv", "a\\b.csv", "C:a.csv", "a\n.csv", "", "x" * 201])
def test_a_name_is_that_of_a_file_and_nothing_else(project: Project, name: str) -> None:
    with pytest.raises(WrongTypeError, match=r"must end in \.csv"):
        project.check_new(name)
    with pytest.raises(NotThereError):
        project.path(name)


def test_a_file_is_kept_whole_or_not_at_all(project: Project) -> None:
    keep(project, b"id,", b"text")
    assert project.path("a.csv").read_bytes() == b"id,text"
    with pytest.raises(TooLargeError, match="start keysift serve with the"):
        keep(project, b"12345", b"67890", b"1")
    assert project.path("a.csv").read_bytes() == b"id,text"
    assert project.files == ["a.csv"]
    with pytest.raises(TooLargeError):
        project.check_new("b.csv", 11)


def test_versions_have_names_and_rankings(project: Project) -> None:
    first, second = project.use("hockey"), project.use("hockey, goalie")
    assert project.use("hockey, goalie") == second != first
    project.rename(first, " one word ")
    assert [version.name for version in project.versions()] == ["one word", ""]
    project.keep_ranking(first, np.array([3, 1, 2]), np.array([True, False, False]))
    assert project.ranking(first)["document"].to_list() == [3, 1, 2]
    with pytest.raises(NotThereError, match="learn from its keywords again"):
        project.ranking(second)
    with pytest.raises(NotThereError, match="no version 7"):
        project.rename(7, "x")
