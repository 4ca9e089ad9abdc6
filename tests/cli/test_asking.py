"""`rank --ask`: a terminal that is not one answers by the text."""

from collections.abc import Callable, Iterator
from pathlib import Path

import polars as pl
import pytest
from typer.testing import Result

from keysift.cli import asking, labelling
from tests.cli.light import SPORTS

Run = Callable[..., Result]
pytestmark = pytest.mark.usefixtures("small_glove")


class Terminal:
    """Whatever is read has a terminal behind it."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    class WithTerminal:
        stdin = Terminal()

    monkeypatch.setattr(asking, "sys", WithTerminal)


def keys(monkeypatch: pytest.MonkeyPatch, pressed: Iterator[str]) -> None:
    def press(words: object) -> str:
        key = next(pressed)
        if key == "ctrl-c":
            raise KeyboardInterrupt
        return key

    monkeypatch.setattr(labelling, "next_key", press)


def sheets(folder: Path) -> list[Path]:
    return sorted(folder.glob("*asked-*.csv"))


def test_answers_set_the_prior_and_the_cut(
    run: Run, documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys(monkeypatch, iter("ynynynynynynynynynyn"))
    out = tmp_path / "ranking.csv"
    result = run("rank", documents, *SPORTS, "--ask", 20, "-o", out)
    assert result.exit_code == 0, result.output
    assert "20 answers and other corpora" in result.stderr
    assert "Saved 20 answers in" in result.stderr
    assert "(provisional)" not in result.stderr
    ranking = pl.read_csv(out)
    assert 0.25 < ranking["decision"].mean() < 0.75  # type: ignore[operator]
    assert ranking["decision"].is_sorted(descending=True)
    assert ranking["chance"].is_sorted(descending=True)
    (sheet,) = sheets(tmp_path)
    assert pl.read_csv(sheet)["answer"].value_counts(sort=True)["count"].to_list() == [10, 10]


def test_the_provisional_cut_says_so(run: Run, documents: Path, tmp_path: Path) -> None:
    out, page = tmp_path / "ranking.csv", tmp_path / "page.html"
    told = run("rank", documents, *SPORTS, "-o", out, "--report", page).stderr
    assert "keywords cannot tell how many; answer 20 documents to know (keysift rank with --ask 20" in told
    assert "(provisional)." in told
    assert "decided positive, provisional" in page.read_text()
    assert not sheets(tmp_path)
    given = run("rank", documents, *SPORTS, "--prior", 0.3, "-o", out).stderr
    assert "(provisional)" not in given


def test_ctrl_c_keeps_the_answers_and_the_same_command_goes_on(
    run: Run, documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ("rank", documents, *SPORTS, "--ask", 20, "-o", tmp_path / "ranking.csv")
    keys(monkeypatch, iter([*"ynynu", "ctrl-c"]))
    result = run(*command)
    assert result.exit_code == 0, result.output
    assert "Saved 5 answers" in result.stderr
    assert "15 documents left; the answers so far count" in result.stderr
    assert "4 answers and other corpora" in result.stderr
    keys(monkeypatch, iter("y" * 15))
    result = run(*command)
    assert "Saved 20 answers" in result.stderr
    assert len(sheets(tmp_path)) == 1


def test_answers_to_another_draw_are_said_not_to_count(
    run: Run, documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ("rank", documents, *SPORTS, "-o", tmp_path / "ranking.csv")
    keys(monkeypatch, iter("y" * 8))
    assert "do not count here" not in run(*command, "--ask", 8).stderr
    (before,) = sheets(tmp_path)
    keys(monkeypatch, iter("y" * 12))
    told = " ".join(run(*command, "--ask", 12).stderr.split())
    assert "which do not count here; --ask with the same number goes on." in told
    assert before.name in told.replace(" ", "")


def test_no_answer_changes_nothing(run: Run, documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keys(monkeypatch, iter("q"))
    result = run("rank", documents, *SPORTS, "--ask", 20, "-o", tmp_path / "ranking.csv")
    assert result.exit_code == 0, result.output
    assert "decisions stay as they are" in result.stderr
    assert "(provisional)." in result.stderr
    assert not sheets(tmp_path)


@pytest.mark.parametrize("number", [0, 7])
def test_too_few_documents_to_ask(run: Run, documents: Path, tmp_path: Path, number: int) -> None:
    result = run("rank", documents, *SPORTS, "--ask", number, "-o", tmp_path / "ranking.csv")
    assert result.exit_code == 2
    assert "must be a whole number of 8 or more" in result.stderr
    assert not (tmp_path / "ranking.csv").exists()


def test_without_a_terminal_it_ends_before_the_long_work(
    run: Run, documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Terminal, "isatty", lambda _self: False)
    result = run("rank", documents, *SPORTS, "--ask", 20, "-o", tmp_path / "ranking.csv")
    assert result.exit_code == 2
    assert "--ask needs a terminal, and there is none" in result.stderr
    assert "Reading" not in result.stderr
