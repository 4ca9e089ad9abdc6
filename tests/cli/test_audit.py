"""The audit from end to end, through the command line."""

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from typer.testing import Result

from keysift import KeywordClassifier, LearnConfig, load
from keysift.audit.answers import read_answers
from keysift.audit.measures import measure
from keysift.audit.ranked_table import ranking_from
from tests.audit.cases import filled, ranking_frame
from tests.cli.light import SPORTS

Run = Callable[..., Result]


@pytest.fixture
def ranked(tmp_path: Path) -> Path:
    path = tmp_path / "ranked.csv"
    ranking_frame().drop("label").write_csv(path)
    return path


@pytest.fixture
def audit(tmp_path: Path, run: Run, ranked: Path) -> Path:
    path = tmp_path / "audit.csv"
    result = run("audit", "start", ranked, "-n", 20, "-o", path)
    assert result.exit_code == 0, result.output
    return path


@pytest.fixture
def answered(tmp_path: Path, run: Run, ranked: Path) -> Path:
    path = tmp_path / "answered.csv"
    filled(ranking_frame()).write_csv(path)
    return path


def answers(path: Path) -> list[str]:
    return pl.read_csv(path, infer_schema=False)["answer"].fill_null("").to_list()


def refused(result: Result, *expected: str) -> None:
    assert result.exit_code == 2, result.output
    lines = [line for line in result.stderr.splitlines() if line.startswith("Error: ")]
    assert len(lines) == 1, result.stderr
    for part in expected:
        assert part in lines[0], lines[0]


@pytest.mark.usefixtures("small_glove")
def test_from_documents_to_a_report(run: Run, documents: Path, tmp_path: Path) -> None:
    ranking, audit, page = tmp_path / "ranking.csv", tmp_path / "audit.csv", tmp_path / "audit.html"
    assert run("rank", documents, *SPORTS, "-o", ranking, "-q").exit_code == 0
    started = run("audit", "start", ranking, "-n", 30, "-o", audit)
    assert started.exit_code == 0, started.output
    assert "Wrote 30 documents" in started.stderr
    assert "keysift audit label" in started.stderr
    truth = dict(pl.read_csv(documents).select(pl.col("id").cast(pl.String), "label").iter_rows())
    keys = "".join("y\n" if truth[name] else "n\n" for name in pl.read_csv(audit, infer_schema=False)["id"])
    labelled = run("audit", "label", audit, input=keys)
    assert labelled.exit_code == 0, labelled.output
    assert "All 30 documents answered" in labelled.stderr
    result = run("audit", "report", ranking, audit, "-o", page)
    assert result.exit_code == 0, result.output
    for part in ("precision at the cut", "precision at 60", "recall at the cut", "prevalence", "theta'", "elusion"):
        assert part in result.stdout, result.stdout
    assert "Recommended cut: the top" in result.stdout
    assert "Can I stop reading? " in result.stdout
    assert "--prior" in result.stderr
    html = page.read_text(encoding="utf-8")
    assert "<script" not in html
    assert "Audit of a ranking" in html


def test_the_sample_depends_on_the_seed_alone(run: Run, ranked: Path, audit: Path, tmp_path: Path) -> None:
    again, other = tmp_path / "again.csv", tmp_path / "other.csv"
    assert run("audit", "start", ranked, "-n", 20, "-o", again, "-q").exit_code == 0
    assert run("audit", "start", ranked, "-n", 20, "-o", other, "--seed", 1, "-q").exit_code == 0
    assert again.read_bytes() == audit.read_bytes() != other.read_bytes()


def test_labelling_saves_goes_back_and_goes_on(run: Run, audit: Path) -> None:
    first = run("audit", "label", audit, input="y\nn\nb\nu\nhm\nq\n")
    assert first.exit_code == 0, first.output
    assert answers(audit)[:3] == ["y", "unsure", ""]
    assert "Took back the answer" in first.stderr
    assert "'hm' is no answer" in first.stderr
    assert "18 documents left" in first.stderr
    second = run("audit", "label", audit, input="undo\nno\nYES\n")  # ends with the pipe
    assert second.exit_code == 0, second.output
    assert "2 of 20" in second.stdout.splitlines()[2] or "3 of 20" in second.stdout
    assert answers(audit)[:4] == ["y", "n", "y", ""]
    assert "a goal in game" in second.stdout


def test_evidence_is_shown_to_who_asks_for_it(run: Run, audit: Path) -> None:
    evidence = pl.read_csv(audit, infer_schema=False)["evidence"][1].split(";")[0]
    without = run("audit", "label", audit, input="y\nq\n").stdout
    assert evidence
    assert evidence not in without
    asked = run("audit", "label", audit, input="e\ny\nq\n").stdout
    assert asked.count(evidence) == 1  # for one document: the next is shown without
    assert answers(audit)[:3] == ["y", "y", ""]


def test_there_is_nothing_to_go_back_to_at_the_start(run: Run, audit: Path) -> None:
    result = run("audit", "label", audit, input="b\nq\n")
    assert result.exit_code == 0
    assert "nothing to go back to" in result.stderr
    assert set(answers(audit)) == {""}


def test_every_answer_is_on_the_disk_before_the_next_question(
    run: Run, audit: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from keysift.cli import labelling

    seen: list[int] = []

    def key(words: object) -> str:
        seen.append(sum(answer != "" for answer in answers(audit)))
        if len(seen) == 4:
            raise KeyboardInterrupt
        return "y"

    monkeypatch.setattr(labelling, "next_key", key)
    assert run("audit", "label", audit).exit_code == 130
    assert seen == [0, 1, 2, 3]
    assert answers(audit)[:4] == ["y", "y", "y", ""]


def test_columns_of_ones_own_and_other_spellings_stay_in_the_file(run: Run, audit: Path) -> None:
    frame = pl.read_csv(audit, infer_schema=False).with_columns(note=pl.lit("mine"))
    frame.with_columns(frame["answer"].fill_null("").scatter(0, "Yes ")).write_csv(audit)
    assert run("audit", "label", audit, input="n\n").exit_code == 0
    assert answers(audit)[:2] == ["y", "n"]
    assert set(pl.read_csv(audit)["note"]) == {"mine"}


def test_text_cannot_steer_the_terminal(run: Run, audit: Path) -> None:
    frame = pl.read_csv(audit, infer_schema=False).with_columns(text=pl.lit("a\x1b[2Jgoal [bold]x"))
    frame.write_csv(audit)
    result = run("audit", "label", audit, input="q\n")
    assert "\x1b[2J" not in result.stdout
    assert "[bold]x" in result.stdout


def test_starting_again_leaves_the_answers_alone(run: Run, ranked: Path, audit: Path) -> None:
    assert run("audit", "label", audit, input="y\nn\n").exit_code == 0
    before = audit.read_bytes()
    again = run("audit", "start", ranked, "-n", 20, "-o", audit)
    assert again.exit_code == 0, again.output
    assert "left as it is" in again.stderr
    refused(run("audit", "start", ranked, "-n", 21, "-o", audit), "holds answers to another sample")
    refused(run("audit", "start", ranked, "-n", 20, "--seed", 3, "-o", audit), "holds answers to another sample")
    assert audit.read_bytes() == before


def test_an_unanswered_audit_may_be_drawn_anew(run: Run, ranked: Path, audit: Path) -> None:
    assert run("audit", "start", ranked, "-n", 30, "-o", audit).exit_code == 0
    assert len(answers(audit)) == 30


def test_start_overwrites_neither_the_ranking_nor_anything_else(run: Run, ranked: Path, tmp_path: Path) -> None:
    refused(run("audit", "start", ranked, "-o", ranked), "it is the ranking")
    other = tmp_path / "other.csv"
    other.write_text("a,b\n1,2\n", encoding="utf-8")
    refused(run("audit", "start", ranked, "-o", other), "is no audit; choose another name")
    refused(run("audit", "start", ranked, "-o", tmp_path / "audit.docx"), ".csv")
    refused(run("audit", "start", other, "-o", tmp_path / "new.csv"), "other.csv")
    refused(run("audit", "start", tmp_path / "no.csv", "-o", tmp_path / "new.csv"), "no.csv")
    refused(run("audit", "start", ranked, "-n", 3, "-o", tmp_path / "new.csv"), "n must be a whole number of 8 or more")


def test_all_documents_where_there_are_few(run: Run, ranked: Path, tmp_path: Path) -> None:
    result = run("audit", "start", ranked, "-n", 500, "-o", tmp_path / "all.csv")
    assert result.exit_code == 0
    assert "only 200 documents" in result.stderr


def test_a_report_says_what_was_left_out(run: Run, ranked: Path, answered: Path) -> None:
    frame = pl.read_csv(answered, infer_schema=False)
    frame.with_columns(answer=frame["answer"].scatter([0, 1, 2], ["unsure", "?", ""])).write_csv(answered)
    result = run("audit", "report", ranked, answered, "--k", 50)
    assert result.exit_code == 0, result.output
    assert "57 judged documents of 200" in result.stdout
    assert "precision at 50" in result.stdout
    assert "2 unsure documents and 1 without an answer are left out" in result.stderr


def test_a_file_from_a_spreadsheet_is_read(run: Run, ranked: Path, answered: Path) -> None:
    frame = pl.read_csv(answered, infer_schema=False).drop("text", "evidence").reverse()
    content = frame.with_columns(pl.col("answer").str.to_uppercase()).write_csv(separator=";")
    answered.write_bytes(b"\xef\xbb\xbf" + content.replace("\n", "\r\n").encode())
    result = run("audit", "report", ranked, answered)
    assert result.exit_code == 0, result.output
    assert "60 judged documents of 200" in result.stdout


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda f: f.slice(3), ("lacks 3 rows of the sample", "put them back")),
        (lambda f: f.with_columns(f["answer"].scatter(4, "jein")), ("row 5", "'jein'", "allowed is y")),
        (lambda f: f.with_columns(answer=pl.lit("")), ("'answer' is empty", "keysift audit label")),
        (
            lambda f: pl.concat([f, f.head(1).with_columns(id=pl.lit("stranger"))]),
            ("not in the sample: 'stranger'",),
        ),
        (
            lambda f: pl.concat([f.with_columns(answer=pl.lit("y")), f.head(1).with_columns(answer=pl.lit("n"))]),
            ("twice with different answers", "keep one"),
        ),
        (lambda f: f.drop("tag"), ("is no audit", "no column 'tag'", "keysift audit start")),
        (lambda f: f.drop("answer"), ("is no audit", "no column 'answer'")),
        (lambda f: filled(ranking_frame(seed=4)), ("another ranking", "fingerprint")),
    ],
)
def test_bad_audits_are_refused(
    run: Run,
    ranked: Path,
    answered: Path,
    tmp_path: Path,
    change: Callable[[pl.DataFrame], pl.DataFrame],
    expected: tuple[str, ...],
) -> None:
    change(pl.read_csv(answered, infer_schema=False)).write_csv(answered)
    refused(run("audit", "report", ranked, answered, "-o", tmp_path / "page.html"), "answered.csv", *expected)
    assert not (tmp_path / "page.html").exists()


def test_other_bad_input_of_the_report(run: Run, ranked: Path, answered: Path, tmp_path: Path) -> None:
    refused(run("audit", "report", answered, ranked), "no column 'rank'")
    refused(run("audit", "report", ranked, answered, "-o", tmp_path / "page.pdf"), ".html")
    refused(run("audit", "report", ranked, answered, "--k", 0), "k must be")
    refused(run("audit", "report", ranked, tmp_path / "none.csv"), "none.csv")
    refused(run("audit", "label", ranked), "is no audit")


@pytest.mark.parametrize("suffix", ["tsv", "jsonl", "parquet", "csv.gz"])
def test_other_formats(run: Run, ranked: Path, tmp_path: Path, suffix: str) -> None:
    audit = tmp_path / f"audit.{suffix}"
    assert run("audit", "start", ranked, "-n", 8, "-o", audit).exit_code == 0
    assert run("audit", "label", audit, input="y\nn\ny\nn\ny\nn\ny\nn\n").exit_code == 0
    assert run("audit", "report", ranked, audit).exit_code == 0


@pytest.mark.usefixtures("small_glove")
def test_apply_audit_moves_the_cut_and_leaves_the_ranking(corpus: pl.DataFrame) -> None:
    clf = KeywordClassifier(["hockey", "baseball"], encoder=None, learning=LearnConfig(rounds=0))
    ranking = clf.fit_rank(corpus["text"])
    assert ranking.sort("document")["pseudo_positive"].to_list() == clf.pseudo_labels_.positive.astype(int).tolist()
    sports = (corpus["topic"] == "sports").cast(int)
    labelled = ranking.with_columns(id=pl.col("document").cast(pl.String), label=sports.gather(ranking["document"]))
    audit = read_answers(filled(labelled, 60), ranking_from(labelled))
    before = clf.decision_function(corpus["text"])
    assert clf.apply_audit(audit) is clf
    assert clf.prior_ == pytest.approx(1 / 3, abs=0.01)  # all are judged, and what is usual still has a little say
    assert clf.predict(corpus["text"]).sum() == 20
    assert clf.decision_function(corpus["text"]).tobytes() == before.tobytes()


@pytest.mark.usefixtures("small_glove")
def test_answers_set_prior_and_threshold_of_a_model(run: Run, documents: Path, tmp_path: Path) -> None:
    ranking, sheet, model = tmp_path / "ranking.csv", tmp_path / "audit.csv", tmp_path / "model.keysift"
    assert run("rank", documents, *SPORTS, "-o", ranking, "--model-out", model, "-q").exit_code == 0
    assert run("audit", "start", ranking, "-n", 30, "-o", sheet, "-q").exit_code == 0
    truth = dict(pl.read_csv(documents).select(pl.col("id").cast(pl.String), "label").iter_rows())
    frame = pl.read_csv(sheet, infer_schema=False)
    frame.with_columns(answer=pl.Series(["y" if truth[name] else "n" for name in frame["id"]])).write_csv(sheet)
    audited = tmp_path / "audited.keysift"
    result = run("audit", "apply", model, ranking, sheet, "-o", audited)
    assert result.exit_code == 0, result.output
    assert "from 30 answers" in result.stderr
    before, after = load(model), load(audited)
    measured = measure(read_answers(pl.read_csv(sheet, infer_schema=False), pl.read_csv(ranking)))
    assert after.prior_estimate_.basis == "audit"
    assert after.prior_ == pytest.approx(measured.prior, abs=0.1)  # read with what is usual
    assert after.threshold_ == pytest.approx(measured.threshold)
    texts = pl.read_csv(documents)["text"]
    assert after.decision_function(texts).tolist() == before.decision_function(texts).tolist()
    top = ("audit", "apply", model, ranking, sheet, "-o", tmp_path / "top.keysift", "--threshold", "top=7")
    assert run(*top).exit_code == 0
    assert load(tmp_path / "top.keysift").threshold == ("top", 7)
    assert load(tmp_path / "top.keysift").predict(texts).sum() == 7
    refused(run("audit", "apply", model, ranking, sheet, "-o", sheet), "it is an input, which would be lost")
    many = ("audit", "apply", model, ranking, sheet, "-o", tmp_path / "sure.keysift", "--threshold", "precision=0.9999")
    refused(run(*many), "No cut has an expected precision of 0.9999: the best is")
    assert not (tmp_path / "sure.keysift").exists()
