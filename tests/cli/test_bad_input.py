"""Bad input, through the command line: one clear sentence, exit code 2, nothing lost."""

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from tests.cli.light import KEYWORDS, SPORTS

Run = Callable[..., Result]
pytestmark = pytest.mark.usefixtures("small_glove")


def refused(result: Result, *expected: str) -> None:
    assert result.exit_code == 2, result.output
    lines = [line for line in result.stderr.splitlines() if line.startswith("Error: ")]
    assert len(lines) == 1, result.stderr
    assert "Traceback" not in result.output
    for part in expected:
        assert part in lines[0], lines[0]


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("bytes.txt", b"fine\n\x00\xff\xe9 hockey\n", ("line 2 is not valid utf-8", "--encoding latin-1")),
        ("rows.csv", b"id,text\n1,a hockey game\n2,too,many\n", ("line 3", "3 fields", "header has 2")),
        ("short.csv", b"id,text\n1\n2,ok\n", ("line 2", "1 field", "header has 2")),
        ("quote.csv", b'id,text\n1,"never closed\n', ("line 2", "never closed")),
        ("lines.jsonl", b'{"text": "a"}\n{"text": oops}\n', ("line 2 is not valid JSON",)),
        ("two.csv", b"a,b\na,b\nc,d\n", ("'a', 'b'", "--text")),
        ("empty.csv", b"", ("contains no documents",)),
        ("header.csv", b"id,text\n", ("contains no documents",)),
        ("one.txt", b"a single hockey document\n", ("only one document", "at least two")),
        ("same.txt", b"the same hockey game\n" * 5, ("All 5 documents are identical",)),
        ("blank.txt", b"\n \n...\n", ("All 3 documents are empty",)),
        ("data.doc", b"PK", (".csv", "--format")),
        ("data.xlsx", b"PK", ("cannot be read as a spreadsheet", "save it again as .xlsx")),
        ("broken.parquet", b"PAR1 not really", ("parquet",)),
        ("broken.csv.gz", b"\x1f\x8b broken", ("gzip",)),
        ("far.txt", b"tax law\ncourt case\nwater bill\n", ("No document holds any of", "'hockey'", "'baseball'")),
    ],
)
def test_documents(run: Run, tmp_path: Path, name: str, content: bytes, expected: tuple[str, ...]) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    refused(run("rank", path, "-k", KEYWORDS, "--gamma", 0, "-q"), *expected)


def test_all_documents_pseudo_positive_names_the_keywords(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "all.txt"
    path.write_text("hockey one\nhockey two\nhockey three\n", encoding="utf-8")
    result = run("rank", path, "-k", "hockey", "--phi", 100, "--gamma", 0)
    refused(result, "All 3 documents are pseudo-positive", "'hockey'", "phi")


def test_expansions_are_traced_to_the_keyword_that_brings_them_in(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "all.txt"
    path.write_text("\n".join(f"league game number {n}" for n in range(6)), encoding="utf-8")
    options = ["--gamma", 5, "-q"]
    refused(
        run("rank", path, "-k", "hockey", *options),
        "All 6 documents",
        "'league' (near the keyword 'hockey'; or leave it out with --never-add)",
    )
    path.write_text("tax law\ncourt case\nwater bill\n", encoding="utf-8")
    refused(run("rank", path, "-k", "sports, baseball, hockey", *options), "'sports', 'baseball', 'hockey', ")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["-k", ""], ("No keyword was given",)),
        (["-k", " , ,"], ("No keyword was given",)),
        (["-k", "..."], ("'...'", "no letter or digit")),
        (["-k", "qwrtzx, zzkkpp"], ("No document holds any of", "'qwrtzx'", "'zzkkpp'")),
        (
            ["-k", "hockey:-1"],
            ("weight of keyword 'hockey'", "from 0.000001 to 1,000,000", "To exclude it, write -hockey"),
        ),
        (["-k", KEYWORDS, "--prior", "0"], ("prior must be a number between 0 and 1",)),
        (["-k", KEYWORDS, "--prior", "1.5"], ("prior must be a number between 0 and 1", "1.5")),
        (["-k", KEYWORDS, "--prior", "often"], ("prior must be a number between 0 and 1", "'often'")),
        (["-k", KEYWORDS, "--prior", "audit"], ("To take it from answers, give --ask 20", "keysift audit apply")),
        (["-k", KEYWORDS, "--threshold", "foo"], ("threshold must be prior, max_f1, precision=0.9", "got 'foo'")),
        (["-k", KEYWORDS, "--threshold", "precision=2"], ("share between 0 and 1", "got 'precision=2'")),
        (["-k", KEYWORDS, "--threshold", "recall=most"], ("share between 0 and 1", "got 'recall=most'")),
        (["-k", KEYWORDS, "--threshold", "f1=0.5"], ("threshold must be prior, max_f1", "got 'f1=0.5'")),
        (["-k", KEYWORDS, "--threshold", "top=3.5"], ("whole number above 0", "got 'top=3.5'")),
        (["-k", KEYWORDS, "--threshold", "nan"], ("threshold must be", "got 'nan'", "finite")),
        (["-k", KEYWORDS, "--threshold", "max_f1", "--top", "3"], ("--threshold or --top, not both",)),
        (
            [*SPORTS, "--prior", "0.01", "--threshold", "precision=0.99", "-o", "out.csv"],
            ("No cut has an expected precision of 0.99: the best is 0.", "at the top", "ask for at most that", "audit"),
        ),
        (["-k", KEYWORDS, "--loss", "sigmod"], ("loss must be one of zero_one, sigmoid", "'sigmod'")),
        (["-k", KEYWORDS, "--vectors", "glove"], ("vectors must be one of glove-6b-50d, corpus", "'glove'")),
        (["-k", KEYWORDS, "--vectors", "no.vec"], ("no.vec", "no such file")),
        (["-k", KEYWORDS, "--text", "body"], ("no column 'body'", "'id', 'text', 'label'", "with --text.")),
        (["-k", KEYWORDS, "--id", "key"], ("no column 'key'", "'id', 'text', 'label'")),
        (["-k", KEYWORDS, "--encoding", "utf-9"], ("'utf-9'",)),
        (["-k", KEYWORDS, "--format", "xls"], ("'xls'", "csv, tsv", "with --format.")),
        (["-k", KEYWORDS, "--gamma", "-1"], ("gamma must be a whole number",)),
        (["-k", KEYWORDS, "--phi", "0"], ("phi must be a percentage",)),
        (
            ["-k", KEYWORDS, "--views", "words, lda"],
            ("views must be 'auto', one or more of words, characters, sentences", "'lda'"),
        ),
        (["-k", KEYWORDS, "--views", ","], ("views must be one or more", "got none")),
        (["-k", KEYWORDS, "--views", "words, words"], ("views must be one or more different ones",)),
        (
            ["-k", KEYWORDS, "--encoder", "no/such/folder"],
            ("Cannot load the encoder 'no/such/folder'", "no such folder"),
        ),
        (["-k", KEYWORDS, "--encoder", "."], ("Cannot load the encoder '.'", "neither modules.json nor config.json")),
        (
            ["-k", KEYWORDS, "--encoder", "none", "--views", "words, sentences"],
            ("The view 'sentences' needs an encoder", "leave it out, or give one"),
        ),
        (["-k", KEYWORDS, "--encode-budget", "-1"], ("encode_budget must be a number, 0 or more", "-1.0")),
        (["-k", KEYWORDS, "--encode-budget", "nan"], ("encode_budget must be a number, 0 or more", "nan")),
        (["-k", KEYWORDS, "--rounds", "-1"], ("rounds must be a whole number, 0 or more",)),
        (["-k", KEYWORDS, "--vector-column", "v"], ("no column 'v'", "'id', 'text', 'label'", "--vector-column")),
        (["-k", KEYWORDS, "--vector-column", "label"], ("Row 1 of the column 'label'", "not a vector", "[0.5, 2]")),
        (["-k", KEYWORDS, "--top", "0"], ("--top must be a whole number above 0",)),
        (["-k", KEYWORDS, "--random-state", "-1"], ("random_state must be a whole number",)),
        (["-k", "no-such.txt"], ("no-such.txt", "no such file")),
        (["-k", KEYWORDS, "--report", "report.pdf"], ("report.pdf", ".html")),
        (["-k", KEYWORDS, "--top", "3", "--threshold", "1"], ("--threshold or --top, not both",)),
        (["-k", KEYWORDS, "--stop-words", "klingon"], ("--stop-words", "'klingon'")),
        (["-k", "the, and", "--gamma", "0", "--stop-keywords", "drop"], ("All keywords are stop words",)),
        (["-k", KEYWORDS, "--stop-keywords", "maybe"], ("stop_keywords must be 'keep' or 'drop'",)),
        (["-k", KEYWORDS, "-o", "missing/out.csv"], ("missing/out.csv", "folder missing does not exist")),
        (["-k", KEYWORDS, "-o", "out.docx"], ("out.docx", ".csv, .tsv")),
        (["-k", KEYWORDS, "--report", "missing/r.html"], ("folder missing does not exist",)),
        (["-k", KEYWORDS, "--model-out", "missing/m"], ("folder missing does not exist",)),
        (["-k", KEYWORDS, "--report", "same.html", "--model-out", "same.html"], ("same file name",)),
        (["-k", KEYWORDS, "--model", "rnn"], ("model must be one of linear, rcnn, cnn, mlp", "'rnn'")),
        (["-k", KEYWORDS, "--model", "mlp", "--epochs", "0"], ("epochs must be a whole number, 1 or more", "0")),
        (["-k", KEYWORDS, "--model", "mlp", "--batch-size", "1"], ("batch_size must be a whole number, 2 or more",)),
        (["-k", KEYWORDS, "--model", "mlp", "--learning-rate", "-1"], ("learning_rate must be a number, 0 or more",)),
        (["-k", KEYWORDS, "--model", "mlp", "--batches", "even"], ("batches must be one of balanced, natural",)),
        (["-k", KEYWORDS, "--model", "mlp", "--optimizer", "fast"], ("optimizer must be one of adam", "'fast'")),
        (["-k", KEYWORDS, "--model", "mlp", "--loss", "zero_one"], ("zero_one loss is flat", "use sigmoid")),
        (["-k", KEYWORDS, "--checkpoint", "run"], ("--checkpoint and --resume are for networks", "add --model")),
        (["-k", KEYWORDS, "--model", "mlp", "--resume"], ("resume needs a checkpoint to continue from", "checkpoint")),
        (["-k", KEYWORDS, "--model", "mlp", "--checkpoint", "missing/run"], ("folder missing does not exist",)),
        (["-k", KEYWORDS, "--model", "mlp", "--checkpoint", "x.csv", "-o", "x.csv"], ("same file name",)),
    ],
)
def test_options(
    run: Run,
    documents: Path,
    options: list[str],
    expected: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.iterdir())
    refused(run("rank", documents, *options), *expected)
    assert sorted(tmp_path.iterdir()) == before


def test_missing_file_and_missing_argument(run: Run, tmp_path: Path) -> None:
    refused(run("rank", tmp_path / "no.csv", "-k", KEYWORDS), "no.csv", "no such file or folder")
    assert run("rank").exit_code == 2
    assert run("rank", "x.csv").exit_code == 2
    assert run("frobnicate").exit_code == 2


def test_the_input_is_never_overwritten(run: Run, documents: Path) -> None:
    before = documents.read_bytes()
    refused(run("rank", documents, "-k", KEYWORDS, "-o", documents), "it is an input")
    assert documents.read_bytes() == before


def test_nor_are_the_keywords_or_the_folder(run: Run, documents: Path, tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("hockey", encoding="utf-8")
    refused(run("rank", documents, "-k", words, "--model-out", words), "it is an input")
    assert words.read_text(encoding="utf-8") == "hockey"
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a.txt").write_text("a hockey game", encoding="utf-8")
    refused(run("rank", folder, "-k", words, "-o", folder / "out.csv"), "inside the input folder")


def test_a_full_disk_is_one_sentence(
    run: Run, documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from keysift.corpus import writing

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setitem(writing.WRITERS, "csv", full)
    before = sorted(tmp_path.iterdir())
    refused(run("rank", documents, *SPORTS, "-o", tmp_path / "out.csv"), "out.csv", "No space left on device")
    assert sorted(tmp_path.iterdir()) == before


def test_an_earlier_result_survives_a_failed_run(run: Run, documents: Path, tmp_path: Path) -> None:
    out = tmp_path / "ranking.csv"
    assert run("rank", documents, *SPORTS, "-o", out).exit_code == 0
    before = out.read_bytes()
    refused(run("rank", documents, "-k", "qwrtzx", "-o", out), "No document holds")
    assert out.read_bytes() == before


def test_damaged_models(run: Run, documents: Path, model: Path, tmp_path: Path) -> None:
    content = model.read_bytes()
    for length in (0, 5, 100, len(content) // 2, len(content) - 1):
        cut = tmp_path / "cut.keysift"
        cut.write_bytes(content[:length])
        refused(run("score", cut, documents), "cut.keysift", "damaged, cut short")
    refused(run("score", tmp_path / "none.keysift", documents), "there is no such file")
    refused(run("score", documents, documents), "documents.csv")


def test_evaluate(run: Run, documents: Path, model: Path, tmp_path: Path) -> None:
    refused(run("evaluate", documents), "no column 'score' and no column 'decision'", "--model or --keywords")
    refused(run("evaluate", documents, "--model", model, "--label", "truth"), "no column 'truth'", "'label'")
    refused(run("evaluate", documents, "--model", model, "-k", "a"), "--model or --keywords, not both")
    refused(run("evaluate", documents, "--model", model, "--positive", "maybe"), "'maybe'", "'0'", "'1'")
    odd = tmp_path / "odd.csv"
    odd.write_text("text,label\na hockey game,red\na tax law,blue\n", encoding="utf-8")
    refused(run("evaluate", odd, "--model", model), "'red', 'blue'", "--positive")
    odd.write_text("text,label\na hockey game,1\na tax law,1\n", encoding="utf-8")
    refused(run("evaluate", odd, "--model", model), "All 2 labels are 1")
    for score in ("high", "nan", ""):
        odd.write_text(f"score,decision,label\n1.0,1,1\n{score},0,0\n", encoding="utf-8")
        refused(run("evaluate", odd), "row 2")


def test_checkpoints(run: Run, documents: Path, model: Path, tmp_path: Path) -> None:
    def fit(checkpoint: Path, *options: object, keywords: str = KEYWORDS, kind: str = "mlp") -> Result:
        network = ["--model", kind, "--epochs", 2, "--checkpoint", checkpoint]
        return run("fit", documents, "-k", keywords, "--model-out", tmp_path / "out.keysift", *network, *options)

    good = tmp_path / "run.keysift"
    assert fit(good).exit_code == 0
    (tmp_path / "out.keysift").unlink()
    content, cut = good.read_bytes(), tmp_path / "cut.keysift"
    cut.write_bytes(content[: len(content) // 2])
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    refused(fit(good), "run.keysift already exists; resume to continue from it, or choose another name.")
    refused(fit(good, "--resume", "--learning-rate", 0.5), "run.keysift belongs to learning_rate", "not 0.5")
    refused(fit(good, "--resume", "--optimizer", "amsgrad"), "run.keysift belongs to optimizer 'adam', not 'amsgrad'")
    refused(fit(good, "--resume", kind="cnn"), "run.keysift belongs to another module")
    refused(fit(good, "--resume", keywords="judge"), "run.keysift belongs to another corpus (or other keywords)")
    refused(fit(cut, "--resume"), "cut.keysift: it is damaged, cut short", "choose another name and start again.")
    refused(fit(model, "--resume"), "sports.keysift is a model, not a checkpoint; name the checkpoint that")
    refused(fit(documents, "--resume"), "documents.csv: it is an input")
    refused(run("score", good, documents), "run.keysift is a checkpoint and no model; fit with resume to finish it")
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_training_that_breaks_down(run: Run, documents: Path, tmp_path: Path) -> None:
    checkpoint = tmp_path / "run.keysift"
    options = ["--model", "mlp", "--optimizer", "sgd", "--learning-rate", 1e38, "--checkpoint", checkpoint]
    result = run("rank", documents, "-k", KEYWORDS, "-o", tmp_path / "out.csv", "--loss", "unhinged", *options)
    refused(result, "not finite", "step", "start again with a lower learning rate than 1e+38")
    assert [path.name for path in tmp_path.iterdir()] == ["documents.csv"]


def test_a_model_of_an_older_format(run: Run, documents: Path, tmp_path: Path) -> None:
    old = tmp_path / "old.keysift"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("keysift.files.tensors.FORMAT", 2)
        assert run("fit", documents, *SPORTS, "-o", old, "-q").exit_code == 0
    for command in ("score", "thresholds"):
        refused(
            run(command, old, documents), "old.keysift has format 2, from an older keysift", "fit and save it again"
        )


def test_priors_of_new_documents(run: Run, documents: Path, model: Path, tmp_path: Path) -> None:
    for command in ("score", "thresholds"):
        for prior in (1.5, 0, -1, "nan"):
            refused(run(command, model, documents, "--prior", prior), "prior must be a number between 0 and 1", "got")
        assert run(command, model, documents, "--prior", "estimate").exit_code == 2
    top = tmp_path / "top.keysift"
    assert run("fit", documents, *SPORTS, "--top", 5, "-o", top, "-q").exit_code == 0
    refused(run("score", top, documents, "--prior", 0.3), "asked for as ('top', 5), which no prior changes")


def test_thresholds(run: Run, documents: Path, model: Path, tmp_path: Path) -> None:
    before = sorted(tmp_path.iterdir())
    for options, expected in (
        (["--plot", tmp_path / "sweep.png"], ("sweep.png", "must end in .html")),
        (["--plot", tmp_path / "missing" / "sweep.html"], ("missing does not exist",)),
        (["-o", tmp_path / "sweep.docx"], ("sweep.docx", ".csv, .tsv")),
        (["-o", documents], ("documents.csv: it is an input",)),
        (["--text", "body"], ("no column 'body'",)),
    ):
        refused(run("thresholds", model, documents, *options), *expected)
    assert run("thresholds", model, documents, "--points", 1).exit_code == 2
    assert run("thresholds", model).exit_code == 2
    refused(run("thresholds", documents, documents), "documents.csv")
    refused(run("thresholds", tmp_path / "no.keysift", documents), "there is no such file")
    assert sorted(tmp_path.iterdir()) == before
