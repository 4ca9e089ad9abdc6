"""A real Ray on this machine, started and ended here: the same bytes."""

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from keysift.classifier import KeywordClassifier
from keysift.cli.app import app
from keysift.config import LearnConfig
from keysift.corpus import scan
from keysift.engines.engine import EngineError, get_engine
from keysift.engines.ray import RayEngine
from keysift.errors import InputError, SettingError
from keysift.learn.linear_fit import fit_linear
from keysift.learn.sharded_fit import TrainingShard, fit_sharded
from keysift.risk.losses import get_loss
from keysift.settings import Settings
from tests.cli.light import COMMAND
from tests.engines.tasks import add, complain, die, die_once
from tests.streaming.made_stream import OPTIONS, write_documents

ray = pytest.importorskip("ray")
ITEMS = list(range(6))
pytestmark = pytest.mark.filterwarnings("ignore")  # Ray's own


@pytest.fixture(scope="module")
def engine() -> Iterator[RayEngine]:
    """Ours to start and to end; keysift only connects to it."""
    paths = {"PYTHONPATH": ":".join(path for path in sys.path if path)}
    ray.init(
        num_cpus=2,
        include_dashboard=False,
        log_to_driver=False,
        object_store_memory=10**8,
        runtime_env={"env_vars": paths},
        logging_level="ERROR",
    )
    yield RayEngine.connect(None)
    ray.shutdown()


def test_tasks_run_and_errors_come_home(engine: RayEngine) -> None:
    assert sorted(engine.map(add, ITEMS, 10)) == [(item, item + 10) for item in ITEMS]
    assert list(engine.map(add, [], 10)) == []
    with pytest.raises(InputError, match="Row 2 is no document"):
        list(engine.map(complain, ITEMS, None))


@pytest.mark.long
@pytest.mark.long
def test_a_worker_that_dies_is_replaced_and_not_for_ever(engine: RayEngine, tmp_path: Path) -> None:
    assert sorted(engine.map(die_once, ITEMS, str(tmp_path))) == [(item, item) for item in ITEMS]
    with pytest.raises(EngineError, match="A worker died 4 times of the same part of the documents"):
        list(engine.map(die, ITEMS, None))


def test_ray_writes_the_same_bytes(engine: RayEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scan, "SHARD_BYTES", 12_000)
    source, out = write_documents(tmp_path / "in.csv"), {name: tmp_path / f"{name}.csv" for name in ("local", "ray")}

    def run(*arguments: object) -> Result:
        return CliRunner().invoke(app, [str(argument) for argument in arguments], prog_name="keysift")

    for name, options in (("local", ["--memory", "500MB"]), ("ray", ["--engine", "ray", "--work", tmp_path / "work"])):
        result = run("rank", source, *OPTIONS, "--sample", 200, "--id", "key", *options, "-o", out[name])
        assert result.exit_code == 0, result.output
    assert out["ray"].read_bytes() == out["local"].read_bytes()
    settings, learning = Settings(language="en"), LearnConfig(rounds=1)
    clf = KeywordClassifier(["hockey", "baseball"], encoder=None, settings=settings, learning=learning)
    clf.fit_files(source, tmp_path / "python.csv", id="key", sample=200, engine="ray")
    assert (tmp_path / "python.csv").read_bytes() == out["local"].read_bytes()
    assert ray.is_initialized()  # we do not end what we did not start


@pytest.mark.long
@pytest.mark.long
def test_all_pairs_over_shards_that_are_elsewhere(engine: RayEngine) -> None:
    """The example of docs/scale.md."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    y = X[:, 0] + rng.normal(size=300) > 0.5

    class Elsewhere:
        def __init__(self, rows: slice) -> None:
            self.shard = TrainingShard(X[rows], y[rows].astype(np.float64), (~y[rows]).astype(np.float64))

        def step(self, function: Callable[[TrainingShard], Any]) -> Any:
            return function(self.shard)

    def each(function: Callable[[TrainingShard], Any], shards: Sequence[Any]) -> list[Any]:
        return list(ray.get([shard.step.remote(function) for shard in shards]))

    elsewhere = ray.remote(num_cpus=0.5)(Elsewhere)
    shards = [elsewhere.remote(slice(start, start + 150)) for start in (0, 150)]
    model, _ = fit_sharded(shards, get_loss("sigmoid"), each=each)
    whole, _ = fit_linear(X, y, get_loss("sigmoid"))
    assert model.coef == pytest.approx(whole.coef, abs=1e-6)


def keysift(*arguments: object, before: str = "import sys") -> "subprocess.CompletedProcess[str]":
    code = f"{before}; from keysift.cli import main; main()"
    command = [COMMAND[0], "-c", code, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_ray_is_missing(tmp_path: Path) -> None:
    source = write_documents(tmp_path / "in.csv", 30)
    hidden = "import sys; sys.modules['ray'] = None"
    result = keysift("rank", source, *OPTIONS, "--engine", "ray", before=hidden)
    assert result.returncode == 2
    assert "Ray, which is not installed: pip install 'keysift[ray]'" in result.stderr
    assert "Traceback" not in result.stderr


def test_no_cluster_at_the_address(tmp_path: Path) -> None:
    source = write_documents(tmp_path / "in.csv", 30)
    result = keysift("rank", source, *OPTIONS, "--engine", "ray", "--address", "127.0.0.1:1")
    assert result.returncode == 2, result.stderr
    assert "There is no Ray cluster at 127.0.0.1:1" in result.stderr
    assert "Traceback" not in result.stderr


def test_the_client_of_ray_is_refused() -> None:
    with pytest.raises(SettingError, match="start this on a machine of the cluster"):
        get_engine("ray", address="ray://127.0.0.1:10001")


def test_importing_starts_nothing() -> None:
    code = "import sys, keysift.engines.engine, keysift.streaming.run, keysift.cli.app; print('ray' in sys.modules)"
    made = subprocess.run([COMMAND[0], "-c", code], capture_output=True, text=True, check=True)
    assert made.stdout.strip() == "False"
    assert callable(get_engine)
