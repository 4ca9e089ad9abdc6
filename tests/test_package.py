import subprocess
import sys
from pathlib import Path

import pytest

import keysift

HEAVY = ["numpy", "scipy", "polars", "sklearn", "safetensors", "typer", "torch", "ray", "pandas", "onnxruntime"]


def run(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def test_import_loads_nothing_heavy() -> None:
    assert run(f"import sys, keysift; keysift.__version__; print(set({HEAVY}) & set(sys.modules))") == "set()"


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
    public |= {"__version__", "load"}
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
