"""A review from end to end, through the command line: by a pipe, by a terminal, killed, resumed and exported."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from typer.testing import Result

from keysift.review.database import FILE
from keysift.review.state import BEST, State
from tests.cli.light import COMMAND, SPORTS, answers

Run = Callable[..., Result]


def refused(result: Result, *expected: str) -> None:
    assert result.exit_code == 2, result.output
    lines = [line for line in result.stderr.splitlines() if line.startswith("Error: ")]
    assert len(lines) == 1, result.stderr
    for part in expected:
        assert part in lines[0], lines[0]


def exported(run: Run, project: Path, path: Path) -> pl.DataFrame:
    result = run("review", "export", "--state", project, "-o", path)
    assert result.exit_code == 0, result.output
    assert f"keysift audit start {path} -o audit.csv --state {project}" in result.stderr
    return pl.read_csv(path, infer_schema=False)


def test_answers_are_kept_and_the_project_alone_is_enough_to_go_on(run: Run, begun: Path) -> None:
    assert answers(begun) == ["y", "n", "unsure"]
    result = run("review", "--state", begun, input="y\nback\nn\nq\n")
    assert result.exit_code == 0, result.output
    assert "3 of 60 read · 1 relevant · 1 unsure" in result.stdout
    assert "Took back the answer to" in result.stdout
    assert "by the model" in result.stdout
    assert answers(begun) == ["y", "n", "unsure", "n"]
    assert "Saved in" in result.stderr
    assert f"keysift review --state {begun}" in result.stderr


def test_the_same_command_goes_on_and_other_keywords_are_told(run: Run, documents: Path, begun: Path) -> None:
    same = run("review", documents, *SPORTS, "--state", begun, input="q\n")
    assert same.exit_code == 0, same.output
    assert "Keywords are now" not in same.stderr
    other = run("review", "--state", begun, "-k", "judge, court", input="y\n")
    assert other.exit_code == 0, other.output
    assert "Keywords are now judge, court (before: hockey, baseball); the answers stay." in other.stderr
    assert answers(begun) == ["y", "n", "unsure", "y"]


def test_score_and_evidence_are_shown_only_when_asked_for(run: Run, begun: Path) -> None:
    result = run("review", "--state", begun, input="e\ny\nq\n")
    assert result.stdout.count("moved by: ") == result.stdout.count("Rank ") == 1


def test_skip_note_check_and_nonsense(run: Run, begun: Path, tmp_path: Path) -> None:
    result = run("review", "--state", begun, input="skip\nx\ncheck\nn\ns\nc\no\nan odd one\nq\n")
    assert result.exit_code == 0, result.output
    assert "'x' is no key; the keys are named above" in result.stdout
    assert "· stop check 1" in result.stdout
    assert "by a random sample of what was unread (1 of 57, 0 relevant)" in result.stdout
    assert "A document of a stop check cannot be skipped" in result.stdout
    assert "The stop check has ended" in result.stdout
    frame = exported(run, begun, tmp_path / "out.csv")
    assert frame["chosen"].drop_nulls().to_list().count("sample") == 1
    assert set(frame["note"].drop_nulls()) == {"look again", "an odd one"}
    assert frame["answer"].drop_nulls().to_list().count("skipped") == 1


def test_an_export_has_ranking_answers_reasons_and_counts(run: Run, begun: Path, tmp_path: Path) -> None:
    frame = exported(run, begun, tmp_path / "out.csv")
    assert frame.columns[:8] == ["id", "rank", "score", "decision", "chance", "answer", "chosen", "note"]
    assert {"evidence", "matched", "words", "text", "label"} <= set(frame.columns)
    assert len(frame) == 60
    assert sorted(frame["answer"].drop_nulls()) == ["n", "unsure", "y"]
    counts = dict(pl.read_csv(tmp_path / "out-counts.csv", infer_schema=False).iter_rows())
    numbers = {step: int(number) for step, number in counts.items() if step != "stopped by"}
    assert numbers["records in the file"] == 60
    assert numbers["read"] == numbers["relevant"] + numbers["not relevant"] + numbers["unsure"] == 3
    parts = ("empty", "duplicates of others", "read", "skipped", "left unread")
    assert sum(numbers[part] for part in parts) == 60
    assert counts["stopped by"].startswith("no rule")
    assert run("review", "export", "--state", begun, "-o", tmp_path / "out.xlsx", "-q").exit_code == 0
    assert (tmp_path / "out.xlsx").exists()


def test_a_ranking_is_opened_with_its_own_keywords(run: Run, documents: Path, project: Path, tmp_path: Path) -> None:
    ranking = tmp_path / "ranking.csv"
    assert run("rank", documents, *SPORTS, "-o", ranking, "-q").exit_code == 0
    result = run("review", ranking, *SPORTS[2:], "--state", project, input="y\nq\n")
    assert result.exit_code == 0, result.output
    with State.open(project) as state:
        assert set(state.keywords[-1].split(", ")) == {"hockey", "baseball"}
    frame = exported(run, project, tmp_path / "out.csv")
    assert not [name for name in frame.columns if name.endswith("_input")]
    # The ranking was sorted and the file was not; the answers follow the texts.
    other = run("review", documents, "--state", project, input="q\n")
    assert other.exit_code == 0, other.output
    assert "1 of 60 read" in other.stdout


def test_labels_that_are_there_already(run: Run, documents: Path, project: Path, tmp_path: Path) -> None:
    half = tmp_path / "half.csv"
    frame = pl.read_csv(documents).with_columns(
        label=pl.when(pl.int_range(pl.len()) < 20).then(pl.col("label")).otherwise(None)
    )
    frame.write_csv(half)
    result = run("review", half, *SPORTS, "--labels", "label", "--state", project, input="y\nq\n")
    assert result.exit_code == 0, result.output
    assert "Took over 20 answers from the table." in result.stderr
    assert "20 of 60 read" in result.stdout
    again = run("review", "--state", project, input="b\nq\n")
    assert "Took over" not in again.stderr
    out = exported(run, project, tmp_path / "out.csv")
    truth = dict(frame.select(pl.col("id").cast(pl.String), "label").drop_nulls().iter_rows())
    said = {name: answer for name, answer in out.select("id", "answer").iter_rows() if answer}
    assert said == {name: "y" if label else "n" for name, label in truth.items()}


def test_labels_that_contradict_each_other_or_are_none(run: Run, project: Path, tmp_path: Path) -> None:
    table = tmp_path / "docs.csv"
    table.write_text("text,mine\na hockey game,y\nthe tax law,n\na  hockey game,n\nthe court,\n")
    asked = ("review", table, *SPORTS, "--state", project, "--labels")
    refused(run(*asked, "mine"), "rows 1 (y) and 3 (n)")
    refused(run(*asked, "yours"), "has no column 'yours'", "--labels")
    table.write_text("text,mine\na hockey game,y\nthe tax law,perhaps\n")
    refused(run(*asked, "mine"), "row 2 has 'perhaps'")


def test_an_audit_sheet_is_opened_with_its_answers(run: Run, documents: Path, project: Path, tmp_path: Path) -> None:
    ranking, audit = tmp_path / "ranking.csv", tmp_path / "audit.csv"
    assert run("rank", documents, *SPORTS, "-o", ranking, "-q").exit_code == 0
    assert run("audit", "start", ranking, "-n", 20, "-o", audit, "-q").exit_code == 0
    assert run("audit", "label", audit, input="y\nn\nq\n").exit_code == 0
    result = run("review", audit, *SPORTS, "--state", project, input="y\nq\n")
    assert result.exit_code == 0, result.output
    assert "2 of 20 read" in result.stdout
    with State.open(project) as state:
        assert [given.chosen for given in state.answers().values()][:2] == ["audit", "audit"]


def test_audit_and_review_share_their_answers(run: Run, documents: Path, begun: Path, tmp_path: Path) -> None:
    ranking, audit = tmp_path / "ranking.csv", tmp_path / "audit.csv"
    assert run("rank", documents, *SPORTS, "-o", ranking, "-q").exit_code == 0
    started = run("audit", "start", ranking, "-n", 60, "-o", audit, "--state", begun)
    assert started.exit_code == 0, started.output
    assert "3 of them answered in" in started.stderr
    truth = dict(pl.read_csv(documents).select(pl.col("id").cast(pl.String), "label").iter_rows())
    sheet = pl.read_csv(audit, infer_schema=False)
    open_rows = sheet.filter(sheet["answer"].is_null() | (sheet["answer"] == ""))
    assert len(open_rows) == 57  # nobody is asked again
    keys = "".join("y\n" if truth[name] else "n\n" for name in open_rows["id"])
    assert run("audit", "label", audit, "--state", begun, input=keys).exit_code == 0
    assert len(answers(begun)) == 60
    reported = run("audit", "report", ranking, audit, "--state", begun)
    assert reported.exit_code == 0, reported.output
    resumed = run("review", "--state", begun, input="q\n")
    assert "60 documents read" in resumed.stderr
    blank = sheet.with_columns(answer=pl.lit(""))
    blank.write_csv(audit)  # the project has them all
    assert run("audit", "report", ranking, audit, "--state", begun).stdout == reported.stdout
    blank.with_columns(answer=pl.lit("y")).write_csv(audit)
    refused(run("audit", "report", ranking, audit, "--state", begun), "contradict each other", "here, n there")


def test_one_cut_has_one_precision_and_recall(run: Run, documents: Path, model: Path, tmp_path: Path) -> None:
    ranking, audit, audited = tmp_path / "ranking.csv", tmp_path / "audit.csv", tmp_path / "audited.keysift"
    assert run("score", model, documents, "-o", ranking, "-q").exit_code == 0
    assert run("audit", "start", ranking, "--text", "text", "-n", 60, "-o", audit, "-q").exit_code == 0
    sheet = pl.read_csv(audit, infer_schema=False)
    truth = dict(pl.read_csv(documents).select(pl.col("id").cast(pl.String), "label").iter_rows())
    sheet.with_columns(answer=pl.Series(["y" if truth[name] else "n" for name in sheet["id"]])).write_csv(audit)
    report = run("audit", "report", ranking, audit)
    assert report.exit_code == 0, report.output
    assert "measured by the sample" in report.stdout
    above = int(pl.read_csv(ranking)["decision"].sum())
    applied = run("audit", "apply", model, ranking, audit, "--threshold", f"top={above}", "-o", audited)
    assert applied.exit_code == 0, applied.output
    assert "Measured by the sample: precision" in applied.stderr
    assert "modelled" not in applied.stderr
    assert "Expected above" not in applied.stderr
    at_cut = dict(re.findall(r"(precision|recall) at the cut\s*\S\s*([\d.]+ %)", report.stdout))
    assert at_cut
    for name, figure in at_cut.items():
        assert f"{name} {figure}" in applied.stderr


def test_what_cannot_be_opened(run: Run, documents: Path, begun: Path, tmp_path: Path) -> None:
    refused(run("review", "--state", tmp_path / "nothing"), "holds no review")
    refused(run("review", "export", "--state", tmp_path / "nothing", "-o", tmp_path / "a.csv"), "holds no review")
    refused(run("review", documents, "--state", tmp_path / "new"), "There are no keywords to start from", "--keywords")
    refused(run("review", documents, *SPORTS, "--state", documents), "it is a file; give a folder")
    refused(run("review", "-", *SPORTS, "--state", tmp_path / "new"), "A review needs a file")
    other = tmp_path / "other.csv"
    other.write_text("text\n" + "".join(f"a hockey game of {n} periods\n" for n in range(30)))
    refused(run("review", other, *SPORTS, "--state", begun), "belongs to another corpus: 60 documents", "--state")
    with State.open(begun):
        refused(run("review", "--state", begun), "is open in a review or an audit by another process")
    moved = documents.rename(tmp_path / "moved.csv")
    refused(run("review", "--state", begun), "is not there any more; say where it is now", f"--state {begun}")
    refused(run("review", "export", "--state", begun, "-o", tmp_path / "a.csv"), "is not there any more")
    assert "3 of 60 read" in run("review", moved, "--state", begun, input="q\n").stdout
    moved.rename(documents)
    assert run("review", documents, "--state", begun, input="q\n").exit_code == 0
    refused(run("review", "export", "--state", begun, "-o", documents), "it is an input, which would be lost")
    (begun / FILE).write_bytes(b"nothing of ours" * 100)
    refused(run("review", "--state", begun), "is damaged, or no project of keysift")


def test_documents_that_came_and_went(run: Run, documents: Path, begun: Path, tmp_path: Path) -> None:
    frame = pl.read_csv(documents, infer_schema=False)
    with State.open(begun) as state:
        gone = next(iter(state.answers()))  # documents are numbered as they stand in the file
    new = pl.DataFrame({"id": ["900"], "text": ["a goalie of the hockey team retired"], "label": ["1"]})
    pl.concat([new, frame.filter(pl.int_range(pl.len()) != gone - 1).reverse()]).write_csv(documents)
    result = run("review", "--state", begun, input="q\n")
    assert result.exit_code == 0, result.output
    assert "1 answered document of the project is not among these; the answers are kept" in result.stderr
    assert "2 of 60 read" in result.stdout
    frame.write_csv(documents)
    assert "3 of 60 read" in run("review", "--state", begun, input="q\n").stdout


def test_a_killed_review_loses_nothing(documents: Path, project: Path) -> None:
    command = [*COMMAND, "review", str(documents), *SPORTS, "--state", str(project)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"y\nn\ny\nn\nu\n")
    process.stdin.flush()
    seen = b""
    while b"5 of 60 read" not in seen:
        part = os.read(process.stdout.fileno(), 65536)
        assert part, seen.decode()
        seen += part
    process.kill()
    process.wait()
    process.stdin.close()
    process.stdout.close()
    assert answers(project) == ["y", "n", "y", "n", "unsure"]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such limit on Windows")
def test_a_full_disk_while_an_answer_is_written(begun: Path) -> None:
    limited = (
        "import resource, sys; from keysift.cli import main; from pathlib import Path;"
        "size = Path(sys.argv[3]).joinpath('review.sqlite').stat().st_size;"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)); main()"
    )
    keys = "o\n" + "a long note " * 9000 + "\ny\nq\n"
    command = [sys.executable, "-c", limited, "review", "--state", str(begun)]
    result = subprocess.run(command, input=keys, capture_output=True, text=True, check=False)
    assert result.returncode == 2, result.stderr
    assert "was not saved: the disk is full or fails" in result.stderr
    assert "Traceback" not in result.stderr
    assert answers(begun) == ["y", "n", "unsure"]


def test_two_copies_of_a_project_are_two(run: Run, begun: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(begun, copy)
    with State.open(copy) as state:
        state.answer(1, "n", BEST)
    assert answers(begun) == ["y", "n", "unsure"]
