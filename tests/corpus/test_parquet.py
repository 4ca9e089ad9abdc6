import io
import os
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from keysift.corpus.parquet import DIED, Trial, read_parquet
from keysift.errors import InputError

WORDS = ["goal", "rain", "match", "law", "court", "bread", "snow"]
FUZZ = """
import random, sys
from pathlib import Path
from keysift.corpus.parquet import DIED, Trial, read_parquet
from keysift.errors import InputError

data, (seed, tries) = Path(sys.argv[1]).read_bytes(), map(int, sys.argv[2:])
rng, refused, died, trial = random.Random(seed), 0, 0, Trial().__enter__()
for _ in range(tries):
    damaged = bytearray(data)
    start = rng.randrange(len(data) if rng.random() < 0.5 else 2_000)  # half of them in and near the footer
    for _ in range(rng.choice([1, 1, 2, 8])):
        place = -1 - max(0, min(len(data) - 1, start + rng.randrange(8)))
        damaged[place] = rng.choice([damaged[place] ^ 1 << rng.randrange(8), 0xFF, 0x7F, 0x80, 0])
    try:
        read_parquet(bytes(damaged), "a.parquet", trial)
    except InputError as error:
        assert "a.parquet" in str(error) and "\\n" not in str(error), error
        refused, died = refused + 1, died + (DIED in str(error))
trial.__exit__(None, None, None)
print(refused, died)
"""


def parquet(rows: int = 300) -> bytes:
    texts = [f"{WORDS[row % 7]} and {WORDS[row % 5]} number {row}" for row in range(rows)]
    file = io.BytesIO()
    pl.DataFrame({"text": texts, "kind": [WORDS[row % 3] for row in range(rows)]}).write_parquet(file)
    return file.getvalue()


def nested(depth: int) -> bytes:
    """A footer whose columns are one in the other; a few thousand levels are too many for the stack."""
    root, group, leaf = b"\x48\x04root\x15\x02\x00", b"\x35\x02\x18\x01a\x15\x02\x00", b"\x15\x0c\x25\x02\x18\x01x\x00"
    count, number = b"", depth + 2
    while number > 127:
        count, number = count + bytes([number & 127 | 128]), number >> 7
    schema = b"\xfc" + count + bytes([number]) + root + group * depth + leaf
    footer = b"\x15\x02\x19" + schema + b"\x16\x00\x19\x0c\x00"
    return b"PAR1" + footer + len(footer).to_bytes(4, "little") + b"PAR1"


def test_a_sound_file() -> None:
    assert read_parquet(parquet(), "a.parquet").shape == (300, 2)
    wide = io.BytesIO()
    pl.DataFrame({f"column {number}": ["a"] for number in range(200)}).write_parquet(wide)
    assert read_parquet(wide.getvalue(), "a.parquet").shape == (1, 200)
    same = io.BytesIO()
    pl.DataFrame({"text": ["a"] * 10**6}).write_parquet(same)
    assert read_parquet(same.getvalue(), "a.parquet").height == 10**6


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"text\na\n", "it does not begin like one"),
        (b"PAR1", "its end is missing"),
        (b"PAR1PAR1", "its end is missing"),
        (parquet()[:-1], "its end is missing"),
        (parquet()[:-8] + b"\xff\xff\xff\x7fPAR1", "its footer is longer than the file"),
    ],
)
def test_what_is_no_parquet(data: bytes, why: str) -> None:
    with pytest.raises(InputError, match=rf"a.parquet: it cannot be read as parquet \({why}\); create it again"):
        read_parquet(data, "a.parquet")


def test_what_would_take_the_process_down_is_tried_in_another() -> None:
    assert read_parquet(nested(5), "a.parquet").shape == (0, 1)
    with pytest.raises(InputError, match="it is damaged, or needs more memory than there is"):
        read_parquet(nested(100_000), "a.parquet")
    with Trial() as trial:
        assert trial.fault(nested(100_000)) == DIED
        assert trial.fault(parquet()) == ""  # another process takes its place


def fuzz(tmp_path: Path, seed: int, tries: int) -> tuple[int, int]:
    """How many files were refused, and how many would have taken the process down; itself in another process."""
    path = tmp_path / "a.parquet"
    path.write_bytes(parquet())
    run = subprocess.run(
        [sys.executable, "-c", FUZZ, path, str(seed), str(tries)], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr[-2000:]
    assert not run.stderr, "a panic was printed"
    refused, died = map(int, run.stdout.split())
    return refused, died


def test_damaged_files_are_one_sentence_each(tmp_path: Path) -> None:
    refused, _ = fuzz(tmp_path, seed=0, tries=400)
    assert refused > 100


@pytest.mark.skipif("KEYSIFT_FUZZ" not in os.environ, reason="takes minutes; KEYSIFT_FUZZ=20000 runs it")
def test_many_damaged_files(tmp_path: Path) -> None:
    refused, died = fuzz(tmp_path, seed=1, tries=int(os.environ["KEYSIFT_FUZZ"]))
    assert refused > died


def test_without_another_process_files_are_read_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    for executable in ("/no/such/python", ""):
        monkeypatch.setattr(sys, "executable", executable)
        assert read_parquet(parquet(), "a.parquet").height == 300


def test_a_trial_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("keysift.corpus.parquet.SECONDS", 0.0)
    with Trial() as trial:
        assert trial.fault(parquet(200_000)) == DIED


def test_a_module_in_the_current_folder_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "polars.py").write_text("import pathlib; pathlib.Path('run').touch()")
    monkeypatch.chdir(tmp_path)
    assert read_parquet(parquet(), "a.parquet").height == 300
    assert not (tmp_path / "run").exists()
