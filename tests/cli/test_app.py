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
    parameters = set(keysift.KeywordClassifier([]).get_params()) - {"settings", "training"}
    if command == "keywords":  # which looks with the linear model
        parameters.remove("model")
    settings = {name for name in keysift.Settings.__dataclass_fields__ if name not in ("tokenizer", "max_iter", "tol")}
    for name in parameters | settings:
        assert f"--{name.replace('_', '-')}" in text, name


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
    settings, parameters = keysift.Settings(), keysift.KeywordClassifier([]).get_params()
    taken = ("alpha", "gamma", "phi", "stop_words", "stop_keywords", "believe", "denial", "rounds", "l2", "round_l2")
    for name in taken:
        assert getattr(options, name) == getattr(settings, name), name
    for name in ("prior", "vectors", "encoder", "loss", "random_state"):
        assert getattr(options, name) == parameters[name], name
    assert options.classifier("hockey").views == parameters["views"]
    assert keysift.PairwiseLinearClassifier().l2 == settings.l2


def test_options_have_the_defaults_of_the_training() -> None:
    from keysift.cli.options import Learning, Network

    assert Network().training() == keysift.Training()
    assert Learning().classifier("hockey", Network()).model == keysift.KeywordClassifier([]).model
