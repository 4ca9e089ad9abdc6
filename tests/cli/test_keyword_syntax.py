"""Keywords as people type them on the command line."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from typer.testing import Result

from keysift.keywords.parsing import parse_keywords
from tests.cli.light import LIGHT

Run = Callable[..., Result]
pytestmark = pytest.mark.usefixtures("small_glove")


def ranked(run: Run, source: Path, out: Path, *options: object) -> pl.DataFrame:
    result = run("rank", source, *options, *LIGHT, "-o", out, "-q")
    assert result.exit_code == 0, result.output
    return pl.read_csv(out)


@pytest.mark.parametrize(
    "options",
    [
        ["-k", "hockey, base*, -fans"],
        ["-k", "hockey; base* | –fans"],
        ["-k", "hockey OR base*", "--exclude", "fans"],
        ["-k", "“hockey”, base*, -'fans'"],
        ["-k", "words.txt"],
        ["-k", "hockey\nbase*", "--exclude", "out.txt"],
    ],
)
def test_every_way_to_say_it_ranks_the_same(
    run: Run, documents: Path, tmp_path: Path, options: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("words.txt").write_bytes("\ufeff# what we look for\r\nhockey\r\nbase* # ball\r\n\r\n-fans\r\n".encode())
    Path("out.txt").write_text("# not these\nfans\n", encoding="utf-8")
    plain = ranked(run, documents, tmp_path / "plain.csv", "-k", '"hockey", base*, -fans')
    assert ranked(run, documents, tmp_path / "out.csv", *options).equals(plain)
    out = plain.filter(pl.col("text").str.contains("fans"))
    assert len(out) > 5
    assert out["decision"].sum() == 0
    assert out["rank"].min() == len(plain) - len(out) + 1
    assert out["evidence"].str.starts_with("excluded: fans").all()
    assert set(out["matched"]) == {'["-fans"]'}


def test_an_excluded_word_stays_out_of_every_further_step(run: Run, documents: Path, tmp_path: Path) -> None:
    ranking, model = tmp_path / "ranking.csv", tmp_path / "m.keysift"
    ranked(run, documents, ranking, "-k", "hockey, base*, -fans", "--model-out", model, "--report", tmp_path / "r.html")
    for command, given in (("score", [model, documents]), ("decide", [ranking, "--threshold", "-1000"])):
        out = tmp_path / f"{command}.csv"
        result = run(command, *given, "-o", out, "-q")
        assert result.exit_code == 0, result.output
        fans = pl.read_csv(out).filter(pl.col("text").str.contains("fans"))
        assert len(fans) > 5
        assert fans["decision"].sum() == 0
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "hockey, base*, -fans" in page
    assert "with an excluded keyword" in page
    result = run("audit", "start", ranking, "-o", tmp_path / "audit.csv", "-n", 8)
    assert result.exit_code == 0, result.output
    told = run("rank", documents, "-k", "hockey, base*, -fans", *LIGHT).stderr
    assert "documents hold an excluded keyword: negative, and last in the ranking." in told


@pytest.mark.parametrize("command", ["rank", "keywords"])
@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["-k", "hockey AND baseball"], ("AND is not understood", "separate keywords by commas")),
        (["-k", "hockey NOT fans"], ("a hyphen excludes a word",)),
        (["-k", "*"], ("A * stands only at the end of a keyword",)),
        (["-k", "*key"], ("got '*key'",)),
        (["-k", "-fans"], ("All keywords are excluded", "nothing to look for")),
        (["-k", "hockey, -hockey"], ("'hockey' is also excluded",)),
        (["-k", "hockey", "--exclude", "Hockey"], ("'hockey' is also excluded",)),
        (["-k", "hockey players, -play*"], ("'hockey players' is also excluded, by '-play*'",)),
        (["-k", '"hockey, baseball'], ("is not closed",)),
        (["-k", "hockey:1e-300"], ("must be a number from 0.000001 to 1,000,000; got 1e-300",)),
        (["-k", "hockey", "--gamma", "99999999999999999999"], ("gamma must be a whole number, 10,000 at most",)),
        (["-k", "hockey", "--alpha", "9" * 400], ("alpha must be a whole number, 10,000 at most",)),
        (["-k", "hockey", "--exclude", "hockey:2"], ("is excluded, so it has no weight",)),
        (["-k", "hockey\ud800"], ("holds bytes that are no text in UTF-8",)),
        (["-k", "x" * 60_000], ("A keyword may have 1,000 characters", "has 60,000")),
    ],
)
def test_what_is_not_understood_is_one_sentence(
    run: Run, documents: Path, tmp_path: Path, command: str, options: list[str], expected: tuple[str, ...]
) -> None:
    result = run(command, documents, *options, "-o", tmp_path / "out.csv")
    assert result.exit_code == 2, result.output
    (line,) = [line for line in result.stderr.splitlines() if line.startswith("Error: ")]
    assert all(part in line for part in expected), line
    assert len(line) < 400
    assert not (tmp_path / "out.csv").exists()


def test_bytes_that_are_no_utf8_on_a_real_command_line(documents: Path) -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "from keysift.cli import main; main()",
            "rank",
            os.fsencode(documents),
            "-k",
            b"caf\xe9, hockey",
        ],
        capture_output=True,
        env={**os.environ, "PYTHONUTF8": "1"},
        check=False,
    )
    assert done.returncode == 2
    assert rb"Error: The keyword 'caf\udce9' holds bytes that are no text in UTF-8" in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_long_list_of_keywords_is_no_file_name(run: Run, documents: Path, tmp_path: Path) -> None:
    words = ", ".join(["hockey", "baseball", *(f"word{number}" for number in range(900))])
    result = run("rank", documents, "-k", words, *LIGHT, "-o", tmp_path / "out.csv")
    assert result.exit_code == 0, result.stderr[-500:]
    assert "880 more keywords are in no document" in result.stderr


def test_control_and_format_characters_never_reach_the_terminal(run: Run, documents: Path, tmp_path: Path) -> None:
    keywords = "hockey, \x1b[31mred\x07, base\u202eball, \u2066baseball\u2069, -fans"
    for command in ("rank", "keywords"):
        result = run(command, documents, "-k", keywords, *LIGHT)
        assert result.exit_code == 0, result.output
        assert not set(result.output) & set("\x1b\x07\u202e\u2066\u2069\u200b")
    result = run("rank", documents, "-k", "\x1b[2J*x\u202e*")
    assert result.exit_code == 2
    assert not set(result.output) & set("\x1b\u202e")


def test_the_table_is_written_in_any_format(run: Run, documents: Path, tmp_path: Path) -> None:
    options = ["-k", "hockey:2, base*, curling, -fans", *LIGHT]
    shown = run("keywords", documents, *options)
    for suffix in ("csv", "tsv", "jsonl", "parquet"):
        out = tmp_path / f"table.{suffix}"
        result = run("keywords", documents, *options, "-o", out)
        assert result.exit_code == 0, result.output
        assert f"Wrote the table to {out}." in result.stderr
    table = pl.read_parquet(tmp_path / "table.parquet")
    assert table["keyword"].to_list() == ["hockey", "base*", "curling", "-fans"]
    assert table["weight"].to_list() == [2.0, 1.0, 1.0, None]
    assert table["verdict"][-1] == "excluded"
    texts = pl.read_csv(documents)["text"]
    fans = texts.str.contains("fans")
    expected = [*((texts.str.contains(word) & ~fans).sum() for word in ("hockey", "base", "curling")), fans.sum()]
    assert table["documents"].to_list() == expected
    assert (
        pl.read_csv(tmp_path / "table.csv")
        .select("keyword", "documents", "share")
        .equals(table.select("keyword", "documents", "share"))
    )
    first = json.loads((tmp_path / "table.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert first["keyword"] == "hockey"
    assert first["examples"]
    # The table can be edited and given back.
    for suffix in ("csv", "tsv"):
        again = parse_keywords(str(tmp_path / f"table.{suffix}"))
        assert again == {"hockey": 2.0, "base*": 1.0, "curling": 1.0, "-fans": 1.0}
    for line in ("│ base* ", "│ -fans "):
        assert line in shown.stdout


def test_the_table_never_replaces_an_input(
    run: Run, documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = tmp_path / "words.csv"
    words.write_text("hockey\n", encoding="utf-8")
    for target, message in ((documents, "it is an input"), (words, "it is an input"), (tmp_path / "t.doc", ".csv")):
        result = run("keywords", documents, "-k", words, "-o", target)
        assert result.exit_code == 2
        assert message in result.stderr
    monkeypatch.chdir(tmp_path)
    Path("out.csv").write_text("fans\n", encoding="utf-8")
    assert "it is an input" in run("rank", documents, "-k", "hockey", "--exclude", "out.csv", "-o", "out.csv").stderr
    assert run("keywords", documents, "-k", "hockey", "--no-learn", "-o", "table.csv").exit_code == 0


@pytest.mark.parametrize(
    ("keywords", "doubts"),
    [
        (
            "hockey, baseball, striker, indeed, -zamboni",
            ("Consider dropping “indeed” (agreement ", "“-zamboni” excludes no"),
        ),
        (
            "hockey, big, curling",
            ("“big” is in 80% of the documents, so it hardly tells", "“curling” finds no document."),
        ),
        ("hockey, tax, curling, -big", ("“-big” is in 80% of the documents, so it excludes most of them.",)),
        ("indeed, perhaps", ("The quality is within chance (up to",)),
    ],
)
def test_the_same_doubts_everywhere(
    run: Run, tmp_path: Path, corpus: pl.DataFrame, keywords: str, doubts: tuple[str, ...]
) -> None:
    source, page = tmp_path / "many.csv", tmp_path / "r.html"
    texts = [
        f"{'indeed' if (place + number) % 3 == 0 else ''} {'big' if place % 5 else ''} {text}"
        f"{' perhaps' if (place + number) % 4 == 0 else ''}"
        for number in range(3)
        for place, text in enumerate(corpus["text"])
    ]
    pl.DataFrame({"text": texts}).write_csv(source)
    options = ["-k", keywords, "--encoder", "none"]
    quiet = run("rank", source, *options, "-q", "-o", tmp_path / "out.csv", "--report", page)
    loud, shown = run("rank", source, *options), run("keywords", source, *options, "-q")
    notes = [line for line in quiet.stderr.splitlines() if line.startswith("Note: ")]
    assert notes == [line for line in loud.stderr.splitlines() if line.startswith("Note: ")]
    for sentence in doubts:
        assert sentence in shown.output
        assert sentence in page.read_text(encoding="utf-8")
        missing = sentence.startswith(("“-zamboni”", "“curling”"))  # told with similar words, when it is looked for
        assert any((" is in no document" if missing else sentence) in note for note in notes)


def test_help_shows_the_syntax(run: Run) -> None:
    for command in ("rank", "fit", "keywords"):
        told = " ".join(run(command, "--help").stdout.replace("│", " ").split())
        for part in (
            "lost card (a phrase)",
            "win* (begins so)",
            "-love (not this)",
            "free:2 (a weight)",
            '"in, quotes"',
        ):
            assert part in told, part
        assert "--exclude" in told
