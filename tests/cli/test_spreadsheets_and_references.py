"""The way of a screener, from a reference manager and back, and files that are opened in a spreadsheet."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from typer.testing import Result

from keysift.corpus.cells import FORMULA
from keysift.corpus.reading import read_table
from keysift.corpus.tagged import RIS, tagged_records
from keysift.corpus.writing import write
from tests.cli.light import LIGHT
from tests.corpus import made_files

Run = Callable[..., Result]
HOCKEY = ["-k", "hockey", *LIGHT, "-q"]


@pytest.fixture(name="references", params=["zotero.ris", "endnote.ris"])
def references_file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path: Path = tmp_path / request.param
    next(made for made in made_files.FILES if made.name == path.name).make(path)
    return path


def test_a_ranking_of_references_has_every_field_they_had(run: Run, references: Path, tmp_path: Path) -> None:
    out = tmp_path / "ranked.ris"
    assert run("rank", references, *HOCKEY, "-o", out).exit_code == 0
    before = tagged_records(references.read_text(encoding="utf-8-sig"), RIS)
    after = tagged_records(out.read_text(encoding="utf-8"), RIS)
    assert len(after) == 12
    assert "hockey" in dict(after[0])["N2" if references.name == "endnote.ris" else "AB"]
    added = [Counter(tag for tag, _ in record) for record in after]
    # Rank, score, decision, chance, evidence and model; and the id, where they have none of their own.
    assert {count["N1"] for count in added} == {7 if references.name == "zotero.ris" else 6}
    kept = [[field for field in record if not field[1].startswith("keysift ")] for record in after]
    assert sorted(kept) == sorted(before)


def test_a_ranking_in_ris_goes_through_every_command(run: Run, references: Path, tmp_path: Path) -> None:
    ranked, cut, sheet = tmp_path / "ranked.ris", tmp_path / "cut.ris", tmp_path / "audit.xlsx"
    assert run("rank", references, *HOCKEY, "-o", ranked).exit_code == 0
    assert run("decide", ranked, "--threshold", "top=3", "-o", cut, "-q").exit_code == 0
    decided, _ = read_table(cut)
    assert decided["decision"].to_list() == [1] * 3 + [0] * 9
    assert decided["rank"].to_list() == list(range(1, 13))
    assert run("compare", ranked, cut, "-q").exit_code == 0
    assert run("audit", "start", cut, "-n", 12, "-o", sheet, "-q").exit_code == 0
    frame, _ = read_table(sheet)
    assert frame.height == 12
    answers = pl.when(pl.col("text").str.contains("(?i)hockey")).then(pl.lit("y")).otherwise(pl.lit("n"))
    write(frame.with_columns(answers.alias("answer")), sheet)
    report = run("audit", "report", cut, sheet)
    assert report.exit_code == 0, report.stderr
    assert "100" in report.stdout  # the three on top are right


def test_an_audit_of_formulas_holds_none_and_can_be_read_back(run: Run, tmp_path: Path) -> None:
    ids = [f"{sign}cmd|' /C calc'!A{number}" for number, sign in enumerate("=+-@\t＝=+-@\t＝")]
    texts = [f"{sign}{text}" for sign, text in zip("=+-@=+-@=+-@", made_files.TEXTS, strict=True)]
    source, ranked = tmp_path / "in.jsonl", tmp_path / "ranked.jsonl"
    pl.DataFrame({"id": ids, "text": texts}).write_ndjson(source)
    assert run("rank", source, *HOCKEY, "-o", ranked).exit_code == 0
    for suffix in (".csv", ".tsv", ".xlsx"):
        sheet = tmp_path / f"audit{suffix}"
        assert run("audit", "start", ranked, "-n", 12, "-o", sheet, "-q").exit_code == 0
        frame, _ = read_table(sheet)
        for column in frame.select(pl.col(pl.String)):
            assert not column.str.contains(FORMULA).any(), column.name
        write(frame.with_columns(answer=pl.lit("y")), sheet)
        report = run("audit", "report", ranked, sheet, "-o", tmp_path / "report.html")
        assert report.exit_code == 0, report.stderr
        without_tags = frame.with_columns(answer=pl.lit("y"), tag=pl.when(pl.int_range(pl.len()) == 0).then("tag"))
        write(without_tags, sheet)
        assert run("audit", "report", ranked, sheet).exit_code == 0


def test_a_ranking_as_a_spreadsheet(run: Run, tmp_path: Path) -> None:
    source, out = tmp_path / "in.csv", tmp_path / "ranked.xlsx"
    made_files.csv()(source)
    assert run("rank", source, *HOCKEY, "-o", out).exit_code == 0
    frame, _ = read_table(out)
    assert frame["rank"].to_list() == list(range(1, 13))
    assert frame["text"][0] == made_files.BEST
    assert {"score", "decision", "chance", "evidence", "matched", "words", "label"} <= set(frame.columns)
    model = tmp_path / "a.keysift"
    assert run("fit", out, *HOCKEY, "-o", model).exit_code == 0
    assert run("score", model, out, "-o", tmp_path / "again.xlsx", "-q").exit_code == 0
