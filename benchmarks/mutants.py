"""Do the tests notice when a tuned number changes? python -m benchmarks.mutants changes some, one at a time.

Each change is made in a copy of the source, and the tests and doctests of the rooms concerned run against that copy. A
change that no test notices is a number that could be anything. Tests of single
numbers come first, and the list of all defaults last, so that it is named only where little else notices.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

__all__ = ["MUTANTS", "Mutant", "changed", "main"]

ROOT = Path(__file__).resolve().parents[1]
CONFIG = Path("keysift") / "config.py"
ROOMS = ("learn", "keywords", "decide")
"""Their doctests run as well."""
TESTS = (
    "tests/learn/test_config_fields.py",
    "tests/learn",
    "tests/keywords",
    "tests/decide",
    "tests/test_pipeline.py",
    "tests/test_config.py",
)
SHOWN = 3
"""Failing tests of a mutant that are enough to see."""
FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)


@dataclass(frozen=True)
class Mutant:
    """A number of `LearnConfig`, and what it becomes."""

    name: str
    value: str


MUTANTS = (
    Mutant("l2", "100.0"),
    Mutant("round_l2", "10.0"),
    Mutant("rounds", "0"),
    Mutant("share", "0.03"),
    Mutant("added_weight", "0.05"),
    Mutant("opposite_weight", "0.3"),
    Mutant("opposite_from", "0.9"),
    Mutant("allowed_loss", "0.2"),
    Mutant("trust_l2", "20.0"),
    Mutant("folds", "2"),
    Mutant("agreement", "0.9"),
    Mutant("fewest_left_out", "500"),
)


def changed(code: str, mutant: Mutant) -> tuple[str, str]:
    r"""The code with another default, and what the default was.

    >>> changed("    share: float = 0.3\n", Mutant("share", "0.03"))
    ('    share: float = 0.03\n', '0.3')
    """
    field = re.compile(rf"^(    {mutant.name}: \w+ = )(\S+)$", re.MULTILINE)
    (found,) = field.finditer(code)
    return field.sub(rf"\g<1>{mutant.value}", code), found[2]


@contextmanager
def _copied_source() -> Iterator[Path]:
    with TemporaryDirectory() as folder:
        source = Path(folder) / "src"
        shutil.copytree(ROOT / "src", source, ignore=shutil.ignore_patterns("__pycache__"))
        yield source


def _failing(source: Path) -> list[str]:
    """The tests that fail with this source, the first few of them."""
    there = [test for test in TESTS if (ROOT / test).exists()]
    path = os.pathsep.join(map(str, (source, ROOT)))
    command = [sys.executable, "-m", "pytest", "-q", "--tb=no", "-rfE", "-p", "no:cacheprovider", f"--maxfail={SHOWN}"]
    command += ["-c", str(ROOT / "pyproject.toml"), "--rootdir", str(ROOT)]
    doctests = [str(source / "keysift" / room) for room in ROOMS]
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [*command, *doctests, *there], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode == 0:
        return []
    if done.returncode != 1:  # no test failed: the tests could not be run
        raise RuntimeError(f"pytest ended with {done.returncode}: {done.stdout[-1000:]}{done.stderr[-1000:]}")
    return FAILED.findall(done.stdout)


def main() -> int:
    """Print which tests catch each mutant; 1 if one is not caught, 2 if the tests fail without any."""
    with _copied_source() as source:
        config = source / CONFIG
        code = config.read_text(encoding="utf-8")
        if failing := _failing(source):
            print("The tests fail as they are; mend them first:", *failing, sep="\n  ")
            return 2
        missed = 0
        for mutant in MUTANTS:
            mutated, before = changed(code, mutant)
            config.write_text(mutated, encoding="utf-8")
            failing = _failing(source)
            missed += not failing
            print(
                f"{mutant.name:<16} {before:>6} -> {mutant.value:<5} {', '.join(failing) or 'NOT CAUGHT'}", flush=True
            )
    print(f"{len(MUTANTS) - missed} of {len(MUTANTS)} mutants are caught.")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
