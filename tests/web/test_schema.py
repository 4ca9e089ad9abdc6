"""The API keeps to what it says of itself: schemathesis asks it everything, rightly and wrongly."""

from collections.abc import Iterator
from typing import Any

import polars as pl
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import APIOperation, Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from keysift.review.state import State
from keysift.web.api import application
from keysift.web.workbench import Workbench
from tests.web.conftest import ARGUMENTS

HOST = {"Host": "127.0.0.1"}
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
FEW, MANY = 3, 40
"""Requests to each operation, right ones and as many wrong ones."""
MOST = 200_000
"""Bytes of a file that this server takes."""


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory, corpus: pl.DataFrame) -> Iterator[Workbench]:
    """A workbench that has learned twice, so that every path has something to answer with."""
    folder = tmp_path_factory.mktemp("schema")
    corpus.write_csv(folder / "news.csv")
    with State.open(folder / "project") as state, Workbench(state, ARGUMENTS, most=MOST) as bench:
        for words in ("hockey", "baseball"):
            bench.resume(folder / "news.csv", {words: 1.0})
            bench.jobs.wait()
        yield bench


@pytest.mark.parametrize("examples", [FEW, pytest.param(MANY, marks=pytest.mark.long)])
@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
def test_every_answer_is_one_that_the_schema_tells_of(bench: Workbench, mode: GenerationMode, examples: int) -> None:
    schema = schemathesis.openapi.from_asgi("/api/openapi.json", application(bench), headers=HOST)
    wrong = {}
    operations = schema.exclude(path="/api/sample").get_all_operations()  # which takes seconds
    asked = [found.ok() for found in operations if isinstance(found, Ok)]
    for operation in asked:
        try:
            _ask(operation, mode, examples)
        except Unsatisfiable:
            pass  # there is nothing that can be said wrongly, or rightly
        except Exception as error:
            wrong[operation.label] = str(error)
    assert len(asked) > 20
    assert wrong == {}


def _ask(operation: "APIOperation[Any, Any, Any, Any]", mode: GenerationMode, examples: int) -> None:
    """Ask some requests of an operation that a schema allows, or does not allow."""

    @settings(max_examples=examples, suppress_health_check=list(HealthCheck), database=None)
    @given(case=operation.as_strategy(generation_mode=mode))
    def check(case: "Case[Any]") -> None:
        answer = case.call(headers=HOST)
        case.validate_response(answer, checks=CHECKS)
        if answer.status_code >= 400:
            assert answer.json()["error"].strip()

    check()
