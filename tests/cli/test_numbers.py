"""Extreme numbers in every numeric option of every command: a right result or one sentence, and never a traceback."""

import functools
import inspect
import itertools
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_args

import polars as pl
import pytest
from typer.models import CommandInfo
from typer.testing import CliRunner, Result

from keysift.cli.app import app
from keysift.cli.command import with_options
from tests.cli.light import SPORTS

Run = Callable[..., Result]
pytestmark = pytest.mark.usefixtures("small_glove")

WHOLE = ("-1", "0", str(2**64), str(10**30), "9" * 5000)
REAL = ("nan", "inf", "-1", "0", "1e-320", "1e300")
NETWORK = {"--epochs", "--learning-rate", "--batch-size"}


def commands() -> Iterator[tuple[tuple[str, ...], inspect.Signature]]:
    for info in app.registered_commands:
        yield (str(info.name),), signature_of(info)
    for group in app.registered_groups:
        assert group.typer_instance is not None
        for info in group.typer_instance.registered_commands:
            yield (str(group.typer_instance.info.name), str(info.name)), signature_of(info)


def signature_of(info: CommandInfo) -> inspect.Signature:
    assert isinstance(info.cls, functools.partial)
    return inspect.signature(with_options(info.cls.args[0]))


def kinds_of(annotation: Any) -> set[Any]:
    """The types that an option takes: those of its union, or its own."""
    kind = get_args(annotation)[0]
    return set(get_args(kind)) or {kind}


def numeric_options() -> Iterator[tuple[tuple[str, ...], str, tuple[str, ...]]]:
    """Each option that takes a number; of those that commands share, the first command stands for the others."""
    seen: set[tuple[str, ...]] = set()
    for name, signature in commands():
        if name == ("serve",):  # what is right would go on for ever; its own tests have the rest
            continue
        for parameter in signature.parameters.values():
            kinds, given = kinds_of(parameter.annotation), get_args(parameter.annotation)[1]
            named = getattr(given, "default", None)  # an annotated option has its first name there
            flag = named if isinstance(named, str) else f"--{parameter.name.replace('_', '-')}"
            values = WHOLE if int in kinds else REAL if float in kinds else ()
            if flag in ("--prior", "--threshold"):  # texts as well, in some commands
                values = REAL
            own = (flag,) if name[0] in ("rank", "fit", "keywords", "evaluate", "simulate", "review") else (*name, flag)
            if values and own not in seen:
                seen.add(own)
                yield name, flag, values if flag != "--learning-rate" else values[:3]  # others train a network


CASES = [(name, flag, value) for name, flag, values in numeric_options() for value in values]


def test_all_numeric_options_are_here() -> None:
    found = {flag for _, flag, _ in CASES}
    expected = {"--prior", "--top", "--encode-budget", "--rounds", "--l2", "--round-l2", "--random-state", "--alpha"}
    expected |= {"--gamma", "--phi", "--epochs", "--learning-rate", "--batch-size", "--ask", "-n", "--k", "--seed"}
    assert found >= {*expected, "--threshold", "--points"}


@pytest.fixture(scope="module")
def arguments(small_glove: None, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[object]]:
    """What each command needs beside the option."""
    folder = tmp_path_factory.mktemp("numbers")
    documents, model, ranked, audit = (folder / name for name in ("d.csv", "m.keysift", "ranked.csv", "audit.csv"))
    texts = ["a hockey game", "a tax law", "the hockey team", "the court", "a baseball game", "bread and butter"]
    rows = [f"{number},{text} {more},{number % 2}" for more in "abc" for number, text in enumerate(texts)]
    documents.write_text("\n".join(["id,text,label", *rows]), encoding="utf-8")
    for command in (
        ["rank", documents, *SPORTS, "--text", "text", "-o", ranked, "--model-out", model],
        ["audit", "start", ranked, "-n", 12, "-o", audit],
    ):
        result = CliRunner().invoke(app, list(map(str, command)))
        assert result.exit_code == 0, result.output
    sheet = pl.read_csv(audit, infer_schema=False)
    answers = pl.Series("answer", list(itertools.islice(itertools.cycle("yn"), len(sheet))))
    sheet.with_columns(answers).write_csv(audit)
    learning = [documents, *SPORTS, "--text", "text"]
    return {
        "rank": learning,
        "fit": [*learning, "-o", folder / "out.keysift"],
        "score": [model, documents, "--text", "text"],
        "decide": [ranked, "-o", folder / "decided.csv"],
        "thresholds": [model, documents, "--text", "text"],
        "compare": [ranked, ranked],
        "keywords": learning,
        "evaluate": learning,
        "simulate": learning,
        "review": [*learning, "--state", folder / "project"],
        "audit start": [ranked, "--text", "text", "-o", folder / "new.csv"],
        "audit report": [ranked, audit],
        "audit apply": [model, ranked, audit, "-o", folder / "audited.keysift"],
    }


@pytest.mark.parametrize(("name", "flag", "value"), CASES, ids=[f"{' '.join(n)} {f} {v:.30}" for n, f, v in CASES])
def test_an_extreme_number(
    run: Run, arguments: dict[str, list[object]], name: tuple[str, ...], flag: str, value: str
) -> None:
    more = ["--model", "mlp"] if flag in NETWORK else []
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # of numpy; our own are told as notes
        result = run(*name, *arguments[" ".join(name)], flag, value, *more)
    assert result.exit_code in (0, 2), result.output
    assert result.exception is None or isinstance(result.exception, SystemExit), repr(result.exception)
    assert "Traceback" not in result.output
    assert "Warning" not in result.output
    if result.exit_code == 2:
        assert "Error" in result.stderr


def test_two_documents_and_an_option_that_is_gone(run: Run, tmp_path: Path) -> None:
    source = tmp_path / "two.txt"
    source.write_text("a hockey game\na tax law\n", encoding="utf-8")
    result = run("rank", source, "-k", "hockey", "--encoder", "none")
    assert result.exit_code == 2, result.output
    assert "look like all others to words, characters: nothing can be learned; use other keywords" in result.stderr
    gone = run("rank", source, "-k", "hockey", "--believe", "0.5")
    assert gone.exit_code == 2
    assert "--believe" in gone.output
