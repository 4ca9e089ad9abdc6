import subprocess
import sys
from pathlib import Path

import pytest

import keysift

HEAVY = ["numpy", "scipy", "polars", "sklearn", "safetensors", "typer", "torch", "ray", "pandas"]
HEAVY += ["scipy.stats", "jinja2", "sentence_transformers", "onnxruntime"]
HEAVY += ["fastexcel", "xlsxwriter", "pypdf", "mailbox", "defusedxml"]


def run(code: str) -> str:
    command = [sys.executable, "-c", code]
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True).stdout.strip()


def test_import_loads_nothing_heavy() -> None:
    assert run(f"import sys, keysift; keysift.__version__; print(set({HEAVY}) & set(sys.modules))") == "set()"


def loaded_by(*arguments: str) -> set[str]:
    """The heavy packages that a command of the command line loads."""
    code = f"""
import sys
from keysift.cli.app import app
app({arguments!r}, standalone_mode=False)
print("loaded:", *(set({HEAVY}) & set(sys.modules)))
"""
    return set(run(code).rpartition("loaded:")[2].split())


def test_a_command_loads_only_what_it_needs(tmp_path: Path) -> None:
    documents, ranking, model = (str(tmp_path / name) for name in ("documents.txt", "ranking.csv", "a.keysift"))
    Path(documents).write_text("a hockey game\na tax law\nthe hockey team\nthe court\n")
    output, decided = str(tmp_path / "decided.csv"), str(tmp_path / "b.keysift")
    rows = {"typer", "numpy", "polars"}
    learning = {*rows, "scipy", "safetensors"}
    assert loaded_by("--help") == loaded_by("rank", "--help") == {"typer"}
    alone = ("-k", "hockey", "--encoder", "none")
    assert loaded_by("rank", documents, *alone, "-o", ranking, "--model-out", model) == learning
    project = str(tmp_path / "project")
    assert loaded_by("review", documents, *alone, "--state", project) == learning  # nobody types, so it ends
    assert loaded_by("review", "export", "--state", project, "-o", output) == learning
    assert loaded_by("score", model, documents, "-o", output) == learning
    assert loaded_by("decide", ranking, "--threshold", "precision=0.1", "-o", output) == rows
    assert loaded_by("decide", model, "--threshold", "precision=0.1", "-o", decided) == {
        "typer",
        "numpy",
        "safetensors",
    }
    assert loaded_by("compare", ranking, output) == rows


def test_the_estimator_loads_neither_torch_nor_ray_nor_pandas() -> None:
    # scikit-learn loads pandas wherever it is installed, so it is hidden: whoever else imports it would fail.
    hidden = "import sys; sys.modules['pandas'] = None; import keysift; keysift.KeywordClassifier"
    assert run(f"{hidden}; print({{'torch', 'ray'}} & set(sys.modules))") == "set()"


def test_a_linear_fit_and_its_file_load_no_torch(tmp_path: Path) -> None:
    code = f"""
import sys, keysift
documents = ["a hockey game", "a tax law", "the hockey team", "the court"]
clf = keysift.KeywordClassifier(["hockey"], model="linear", prior=0.5).fit(documents)
clf.save({str(tmp_path / "a.keysift")!r})
print(keysift.load({str(tmp_path / "a.keysift")!r}).predict(documents), "torch" in sys.modules)
"""
    assert run(code) == "[1 0 1 0] False"


def test_names() -> None:
    public = {"KeywordClassifier", "LearnConfig", "PairwiseLinearClassifier", "Session", "Settings", "Training"}
    public |= {"__version__", "load", "score_batches", "score_table", "simulate"}
    assert set(dir(keysift)) == public
    for name in dir(keysift):
        assert getattr(keysift, name) is getattr(keysift, name)
    assert keysift.KeywordClassifier.__module__ == keysift.load.__module__ == "keysift.classifier"


def test_version() -> None:
    from importlib.metadata import version

    assert keysift.__version__ == version("keysift")


def test_unknown_name() -> None:
    with pytest.raises(AttributeError, match="module 'keysift' has no attribute 'Classifier'"):
        keysift.Classifier  # noqa: B018
    assert not hasattr(keysift, "nonsense")
