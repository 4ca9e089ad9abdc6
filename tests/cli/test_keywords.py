from collections.abc import Callable
from pathlib import Path

from typer.testing import Result

Run = Callable[..., Result]


def test_the_table_shows_what_each_keyword_finds(run: Run, documents: Path) -> None:
    result = run("keywords", documents, "--keywords", "hockey:2, baseball, curling")
    assert result.exit_code == 0, result.output
    for part in ("Keywords in 60 documents", "weight", "share", "vector", "alone", "football 0.86", "hockey:", "%"):
        assert part in result.stdout, part
    examples = [line for line in result.stdout.splitlines() if "a hockey goalie" in line or "the hockey team" in line]
    assert len(examples) >= 3
    assert "'curling' is in no document" in result.stderr
    assert "Next: keysift rank" in result.stderr


def test_excluded_words_do_not_expand(run: Run, documents: Path) -> None:
    assert "football" not in run("keywords", documents, "-k", "hockey", "--exclude", "football").stdout
