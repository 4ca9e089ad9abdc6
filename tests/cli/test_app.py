import re
from collections.abc import Callable

import pytest
from typer.testing import Result

import keysift

Run = Callable[..., Result]
TUNED = ("rounds", "negation", "l2", "round_l2", "encode_budget")
"""Fields of LearnConfig that are options."""
COMMANDS = (
    "rank",
    "fit",
    "score",
    "decide",
    "thresholds",
    "compare",
    "keywords",
    "audit",
    "evaluate",
    "simulate",
    "demo",
)


def test_version(run: Run) -> None:
    assert run("--version").stdout == f"keysift {keysift.__version__}\n"


def test_help_lists_the_commands(run: Run) -> None:
    text = run("--help").stdout
    assert all(name in text for name in COMMANDS)


@pytest.mark.parametrize("command", ["rank", "fit", "keywords", "evaluate", "simulate"])
def test_options_have_the_names_of_the_constructor(run: Run, command: str) -> None:
    text = run(command, "--help").stdout
    parameters = set(keysift.KeywordClassifier([]).get_params(deep=False)) - {"settings", "training", "learning"}
    if command in ("keywords", "evaluate", "simulate"):  # which look with the linear model
        parameters.remove("model")
    settings = set(keysift.Settings.__dataclass_fields__) - {"tokenizer"}
    assert set(TUNED) <= set(keysift.LearnConfig.__dataclass_fields__)
    for name in parameters | settings | set(TUNED):
        assert f"--{name.replace('_', '-')} " in text, name


def test_a_newcomer_sees_few_options(run: Run) -> None:
    """The options of `rank` by panel; what a newcomer need not know is out of the first."""
    panels: dict[str, list[str]] = {}
    for line in run("rank", "--help").stdout.splitlines():
        if title := re.match(r"╭─ (\w+) ─", line):
            names = panels.setdefault(title[1], [])
        elif option := re.match(r"│ (?:[* ]  )?(--[\w-]+)", line):
            names.append(option[1].removeprefix("--"))
    assert list(panels) == ["Arguments", "Options", "Reading", "Learning", "Paper", "Networks", "Scale"]
    assert sorted(panels["Options"]) == [
        *("ask", "encoder", "help", "id", "keywords", "model-out", "output", "prior", "quiet", "report"),
        *("text", "threshold", "top", "work"),
    ]
    assert len(panels["Options"]) <= 14
    assert panels["Reading"] == [
        *("encoding", "format", "no-header", "quote", "max-size", "sheet", "vector-column", "language"),
        *("exclude", "inflections"),
    ]
    assert {"vectors", "views", "loss", "rounds", "negation", "encode-budget", "random-state"} <= set(
        panels["Learning"]
    )
    assert {"model", "epochs", "checkpoint", "resume"} <= set(panels["Networks"])
    assert panels["Scale"] == ["sample", "memory", "unsorted", "reasons", "engine", "address"]
    assert panels["Paper"] == ["alpha", "gamma", "phi", "never-add", "stop-keywords"]


@pytest.mark.parametrize("command", ["rank", "fit"])
def test_options_have_the_names_of_the_training(run: Run, command: str) -> None:
    text = run(command, "--help").stdout
    named = {name for name in keysift.Training.__dataclass_fields__ if f"--{name.replace('_', '-')}" in text}
    assert set(keysift.Training.__dataclass_fields__) - named == {
        "weight_decay",
        "held_out",
        "patience",
        "max_words",
        "inputs",
    }
    assert "pip install 'keysift[neural]'" in " ".join(text.replace("│", " ").split())


def test_demo(run: Run, tmp_path: object) -> None:
    report = f"{tmp_path}/demo.html"
    result = run("demo", "--report", report)
    assert result.exit_code == 0, result.output
    assert "counting the keywords" in result.stdout
    assert "precision at 100" in result.stdout
    counting, ours = (
        float(line.split("│")[2]) for line in result.stdout.splitlines() if line.startswith(("│ counting", "│ keysift"))
    )
    assert ours > 0.93 > 0.85 > counting
    assert "Quality without labels: 0." in result.stderr
    assert f"Wrote the report to {report}" in result.stderr


def test_options_have_the_defaults_of_the_constructor() -> None:
    from keysift.cli.options import Learning

    options = Learning()
    settings, tuned, parameters = keysift.Settings(), keysift.LearnConfig(), keysift.KeywordClassifier([]).get_params()
    for name in ("alpha", "gamma", "phi", "language", "inflections", "stop_words", "stop_keywords"):
        assert getattr(options, name) == getattr(settings, name), name
    for name in TUNED:
        assert getattr(options, name) == getattr(tuned, name), name
    assert options.ranker("hockey").learning == tuned
    for name in ("prior", "vectors", "encoder", "loss", "random_state"):
        assert getattr(options, name) == parameters[name], name
    assert options.ranker("hockey").views == parameters["views"]


def test_options_have_the_defaults_of_the_training() -> None:
    from keysift.cli.options import Learning, Network

    assert Network().training() == keysift.Training()
    assert Learning().ranker("hockey", Network()).model == keysift.KeywordClassifier([]).model
