from collections.abc import Callable

import pytest
from typer.testing import Result

import keysift

Run = Callable[..., Result]


def test_version(run: Run) -> None:
    assert run("--version").stdout == f"keysift {keysift.__version__}\n"


def test_help_lists_the_commands(run: Run) -> None:
    text = run("--help").stdout
    assert all(name in text for name in ("rank", "fit", "score", "keywords", "evaluate", "demo"))


@pytest.mark.parametrize("command", ["rank", "fit", "keywords", "evaluate"])
def test_options_have_the_names_of_the_constructor(run: Run, command: str) -> None:
    text = run(command, "--help").stdout
    parameters = {name for name in keysift.KeywordClassifier([]).get_params() if name != "settings"}
    settings = {name for name in keysift.Settings.__dataclass_fields__ if name not in ("tokenizer", "max_iter", "tol")}
    for name in parameters | settings:
        assert f"--{name.replace('_', '-')}" in text, name


def test_demo(run: Run, tmp_path: object) -> None:
    report = f"{tmp_path}/demo.html"
    result = run("demo", "--report", report)
    assert result.exit_code == 0, result.output
    assert "counting the keywords" in result.stdout
    assert "precision at 100" in result.stdout
    assert f"Wrote the report to {report}" in result.stderr


def test_options_have_the_defaults_of_the_constructor() -> None:
    from keysift.cli.options import Learning

    options = Learning()
    settings, parameters = keysift.Settings(), keysift.KeywordClassifier([]).get_params()
    for name in ("alpha", "gamma", "phi", "stop_words", "stop_keywords", "l2"):
        assert getattr(options, name) == getattr(settings, name), name
    for name in ("prior", "vectors", "loss", "random_state"):
        assert getattr(options, name) == parameters[name], name
    assert keysift.PairwiseLinearClassifier().l2 == settings.l2
