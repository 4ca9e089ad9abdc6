import os
import subprocess
import sys
from pathlib import Path

import pytest

from keysift.cli.app import app
from keysift.errors import OutputError
from keysift.files.scratch import PREFIX, scratch_folder
from tests.streaming.made_stream import OPTIONS, write_documents


def left_by_a_killed_process(beside: Path) -> Path:
    code = (
        "import os, signal, sys\nfrom keysift.files.scratch import scratch_folder\n"
        "with scratch_folder(sys.argv[1]) as folder:\n"
        "    (folder / 'copy.csv').write_text('text')\n    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    subprocess.run([sys.executable, "-c", code, beside], check=False, env=environment)
    (folder,) = beside.glob(f"{PREFIX}*")
    assert (folder / "copy.csv").exists()
    return folder


@pytest.mark.skipif(sys.platform == "win32", reason="no locks there that end with their process")
def test_what_a_killed_process_left_is_removed_and_nothing_else(tmp_path: Path) -> None:
    left = left_by_a_killed_process(tmp_path)
    foreign = tmp_path / f"{PREFIX}of-somebody-else"
    foreign.mkdir()
    with scratch_folder(tmp_path) as ours:
        assert not left.exists()
        with scratch_folder(tmp_path) as other:  # of a run beside ours
            assert ours.exists()
            assert other.exists()
    assert list(tmp_path.iterdir()) == [foreign]


@pytest.mark.skipif(sys.platform == "win32", reason="no locks there that end with their process")
def test_the_next_command_with_an_output_there_removes_it(tmp_path: Path) -> None:
    left = left_by_a_killed_process(tmp_path)
    source, out = write_documents(tmp_path / "in.csv", 60), tmp_path / "out.csv"
    app(["rank", str(source), *OPTIONS, "--unsorted", "-q", "-o", str(out)], standalone_mode=False)
    assert not left.exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.csv", "out.csv"]


def test_no_folder_to_be_beside(tmp_path: Path) -> None:
    with (
        pytest.raises(OutputError, match=r"Cannot write into .*missing: No such file"),
        scratch_folder(tmp_path / "missing"),
    ):
        pass
