import os
import subprocess
import sys
from pathlib import Path

import pytest

from keysift.engines.engine import EngineError, InThisProcess, get_engine
from keysift.engines.local import LocalEngine
from keysift.errors import InputError, SettingError
from tests.engines.tasks import add, complain, die, die_once, threads

ITEMS = list(range(6))


def test_processes_agree_with_this_process() -> None:
    before = dict(os.environ)
    assert sorted(LocalEngine(2).map(add, ITEMS, 10)) == list(InThisProcess().map(add, ITEMS, 10))
    assert {kind for _, kind in LocalEngine(2).map(threads, ITEMS, None)} == {"1"}
    assert dict(os.environ) == before


def test_a_script_needs_no_guard_for_its_workers(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "from keysift.engines.local import LocalEngine\nfrom tests.engines.tasks import add\nprint('started')\n"
        "print(sorted(LocalEngine(2).map(add, [1, 2], 10)))\n",
        encoding="utf-8",
    )
    paths = os.pathsep.join(path for path in sys.path if path)
    environment = {**os.environ, "PYTHONPATH": paths}
    made = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True, env=environment)
    assert made.stdout.splitlines() == ["started", "[(0, 11), (1, 12)]"]


def test_nothing_to_do() -> None:
    assert list(LocalEngine(2).map(add, [], 1)) == []


def test_a_worker_that_is_killed_is_replaced(tmp_path: Path) -> None:
    assert sorted(LocalEngine(2).map(die_once, ITEMS, str(tmp_path))) == [(item, item) for item in ITEMS]
    assert (tmp_path / "died").exists()


def test_an_item_that_kills_every_worker_ends_in_a_sentence() -> None:
    done = []
    with pytest.raises(EngineError, match=r"A worker died 3 times of the same part of the documents \(2\)"):
        done += list(LocalEngine(2).map(die, ITEMS, None))


def test_an_error_comes_home() -> None:
    with pytest.raises(InputError, match="Row 2 is no document"):
        list(LocalEngine(2).map(complain, ITEMS, None))


def test_an_address_is_rays() -> None:
    with pytest.raises(SettingError, match="address= is that of a Ray cluster"):
        get_engine("local", address="ray://x:1")
