"""Files as people have them, through the command line: read right, or one sentence and the option to use."""

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from typer.testing import Result

from tests.corpus.made_files import BEST, FILES, Made

Run = Callable[..., Result]


def test_there_are_thirty() -> None:
    assert len({made.name for made in FILES}) == 30


@pytest.mark.parametrize("made", FILES, ids=[made.name for made in FILES])
def test_a_file_is_read_right_or_answered_with_the_option_to_use(run: Run, tmp_path: Path, made: Made) -> None:
    path, out = tmp_path / made.name, tmp_path / "out.csv"
    made.make(path)

    def rank(*options: str) -> Result:
        source, piped = ("-", path.read_bytes()) if made.piped else (path, None)
        return run("rank", source, "-k", "hockey", "-o", out, "--encoder", "none", *options, input=piped)

    result = rank()
    assert "Traceback" not in result.output
    if result.exit_code != 0:
        assert result.exit_code == 2
        (sentence,) = [line for line in result.stderr.splitlines() if line.startswith("Error: ")]
        assert not out.exists()
        if made.refused:
            assert made.refused in sentence
            return
        assert made.option, sentence
        assert made.option[0] in sentence
        result = rank(*made.option)
    assert not made.refused
    assert result.exit_code == 0, result.stderr
    assert made.note in result.stderr
    ranking = pl.read_csv(out, infer_schema=False)
    assert len(ranking) == made.documents
    assert any(BEST in (cell or "").replace("\n", " ") for cell in ranking.row(0))
    assert "label" not in ranking.columns or set(ranking["label"]) == {"0", "1"}
    if made.name == "piped.csv":
        assert "label" in ranking.columns
