import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from torch import nn

from keysift import KeywordClassifier, Settings, Training
from keysift.errors import SettingError
from keysift.networks.choice import MODELS, check_model, import_networks
from keysift.vectors.words import WordVectors

WITHOUT_TORCH = """
import sys

class NoTorch:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "torch":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, NoTorch())
"""
PIP_LINE = "A network needs torch, which is not installed: pip install 'keysift[neural]'."


def without_torch(code: str, *arguments: object) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-c", WITHOUT_TORCH + code, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True)


@pytest.mark.parametrize("model", [*MODELS, nn.Linear(2, 1), nn.Sequential()])
def test_names_and_modules_will_do(model: Any) -> None:
    assert check_model(model) is model


@pytest.mark.parametrize("model", ["rnn", "RCNN", "", None, 5, nn.Linear, lambda ids: ids, object()])
def test_anything_else_will_not(model: Any) -> None:
    with pytest.raises(SettingError) as caught:
        check_model(model)
    expected = f"model must be one of linear, rcnn, cnn, mlp, or a torch.nn.Module; got {model!r}."
    assert str(caught.value) == expected


def test_the_room_has_every_network() -> None:
    assert ("linear", *import_networks().NETWORKS) == MODELS


def test_another_module_that_is_missing_is_not_taken_for_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "keysift.networks.network_scorer", None)
    monkeypatch.delattr("keysift.networks.network_scorer")
    with pytest.raises(ModuleNotFoundError, match=r"networks\.network_scorer"):
        import_networks()


def test_without_torch_a_fit_and_a_saved_network_say_the_pip_line(tmp_path: Path) -> None:
    vectors = WordVectors("tiny", pl.Series(["puck", "goal", "law"]), np.eye(3, dtype=np.float32))
    documents = ["puck goal", "goal puck puck", "law", "law law"]
    clf = KeywordClassifier(
        ["puck"], vectors=vectors, model="mlp", training=Training(epochs=1), settings=Settings(gamma=0)
    )
    clf.fit(documents).save(tmp_path / "network.keysift")
    finished = without_torch(
        """
import keysift
from keysift.errors import SettingError
for name, work in {
    "fit": lambda: keysift.KeywordClassifier(["puck"], model="rcnn").fit(["puck goal", "law"]),
    "load": lambda: keysift.load(sys.argv[1]),
}.items():
    try:
        work()
    except SettingError as error:
        print(name, error)
""",
        tmp_path / "network.keysift",
    )
    assert finished.stdout.splitlines() == [f"fit {PIP_LINE}", f"load {PIP_LINE}"], finished.stderr


def test_without_torch_the_command_line_says_the_pip_line(tmp_path: Path) -> None:
    documents = tmp_path / "documents.txt"
    documents.write_text("a hockey game\na tax law\n", encoding="utf-8")
    finished = without_torch(
        "from keysift.cli import main; main()", "rank", documents, "-k", "hockey", "--model", "cnn", "--quiet"
    )
    assert finished.returncode == 2
    assert finished.stderr.splitlines() == [f"Error: {PIP_LINE}"]
    assert finished.stdout == ""
